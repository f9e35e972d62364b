/* Which global accesses could be wider, and why others cannot. */
#pragma once

#include "analysis/signs/rule_input.h"

enum wider {
  WIDER_NOT,    /* it is wide, or what lies beside a lane's element is not known to be the lane's next */
  WIDER_BESIDE, /* the lane's next elements lie beside it */
  WIDER_LANES,  /* the neighbouring lane's does: a lane takes several, and there are fewer lanes */
  WIDER_ROWS,   /* the same, but a loop takes the lane to the next row: rows can be loaded ahead */
  WIDER_KINDS
};

/* Of every instruction of in->sass; NULL: no executed counts, or no memory.  The caller frees it. */
unsigned char *wider_make(const struct rule_input *in);
/* What most narrow loads are; *known: false where there is no code with counts. */
enum wider wider_loads(const struct rule_input *in, bool *known);
/* Bytes of a load of 1 or 2 that could be wider by fewer lanes (WIDER_LANES); 0: it is none, or not known. */
int bytes_in_line(const struct rule_input *in, const struct run_instruction *load);
enum { ACCESSES_NEAR = 64 }; /* instructions between accesses that are compared */
/* Another access of the same width lies right beside it, in its block of code or in one that is passed with it. */
bool pieces_beside(struct sass *s, size_t i);
/* The same, and both could be one. */
bool access_beside(struct sass *s, size_t i);
/* Of such accesses, bytes of those that can be one, up to 16, where all of a thread's in a row fill what lies between it and the neighbouring lane, so that
 * they fill whole sectors then.  0: they do not, or it is not known. */
int pieces_wide(const struct rule_input *in, size_t i);
