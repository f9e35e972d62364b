/* Remedies in the words of Triton, whose programs have tiles, warps and stages in the place of threads, blocks and shared memory.  Pure. */
#pragma once

#include "analysis/signs/triton_code.h"

/* What a remedy asks for; of two that pull opposite ways one goes. */
enum triton_pull {
  TRITON_MORE_WARPS = 1, /* of a program */
  TRITON_FEWER_WARPS = 2,
  TRITON_LARGER_TILE = 4,
  TRITON_SMALLER_TILE = 8,
  TRITON_FIRM = 16, /* nothing else cures this: all other advice follows */
};

struct triton_row {
  const char *rule;
  unsigned needs; /* of enum triton_sign: all of them must be there */
  const char *remedy;
  unsigned pulls;      /* of enum triton_pull */
  const char *instead; /* the remedy without what pulls against other advice; NULL: the same */
};
extern const struct triton_row triton_rows[]; /* behind the last one whose rule is NULL */
/* A rule's remedy there, of a program with these signs (enum triton_sign): its first row that needs no other; NULL: the words of CUDA fit. */
const char *triton_remedy(const char *rule, unsigned signs);

struct diagnosis;
/* Puts Triton's words in the place of remedies; the list is in order. */
void triton_tell(struct diagnosis *d, const struct rule_input *in);
