/* Remedies in the words of Triton, whose programs have tiles, warps and stages in the place of threads, blocks and shared memory.  Pure. */
#pragma once

#include "analysis/signs/triton_code.h"

struct triton_row {
  const char *rule;
  unsigned needs; /* of enum triton_sign: all of them must be there */
  const char *remedy;
};
extern const struct triton_row triton_rows[]; /* behind the last one whose rule is NULL */
/* A rule's remedy there, of a program with these signs (enum triton_sign): its first row that needs no other; NULL: the words of CUDA fit. */
const char *triton_remedy(const char *rule, unsigned signs);
