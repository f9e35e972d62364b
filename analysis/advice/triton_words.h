/* Remedies in the words of Triton, whose programs have tiles, warps and stages in the place of threads, blocks and shared memory.  Pure. */
#pragma once

#include "analysis/signs/rule_input.h"

/* The kernel's lines are a Python file's, and no other compiler from Python made it. */
bool triton_made(const struct rule_input *in);
struct triton_row {
  const char *rule, *remedy, *of_products; /* of_products: where tl.dot is what it does; NULL: the same */
};
extern const struct triton_row triton_rows[]; /* behind the last one whose rule is NULL */
/* A rule's remedy there, of a program with matrix products or without; NULL: the words of CUDA fit. */
const char *triton_remedy(const char *rule, bool products);
bool triton_multiplies(const struct rule_input *in);
