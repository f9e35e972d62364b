/* Which variant of one build is which of the other; private to the room, but for diff_same_code. */
#pragma once

#include "analysis/compare/diff.h"
#include "run/run.h"

#include <stdbool.h>

/* Module by module: the same key of the compile cache, or kernel by kernel the same SASS and, where both runs have them, registers and memory.  Without SASS and with
 * other keys they are taken to differ.  An index below 0 is a module that was not compiled. */
bool diff_same_module(const struct run *a, int module_a, const struct run *b, int module_b);
/* The same modules, launched with the same grid, block, cluster and shared memory. */
bool diff_same_code(const struct run *a, const struct run_result *x, const struct run *b, const struct run_result *y);
/* False: what would tell whether it is the same was not kept on both sides. */
bool diff_code_known(const struct run *a, const struct run_result *x, const struct run *b, const struct run_result *y);
/* The same source but for the lines that name the variant or its parent, and the same values of its parameters. */
bool diff_same_source(const struct run *a, const struct run_result *x, const struct run *b, const struct run_result *y);

struct variant_link { /* a variant of A and what it is in B; NULL: that side has none */
  const struct run_variant *a, *b;
  const char *renamed; /* how it is seen that it is the same under another name; NULL: its name is the same */
};
typedef const char *variant_renaming(struct diff_side a, const struct run_variant *v, struct diff_side b,
                                     const struct run_variant *w);
/* Variants in A's order, then those that only B has; of a side its runs are read.  The caller frees *links. */
size_t variant_links_make(struct variant_link **links, struct diff_side a, struct diff_side b,
                          variant_renaming *renaming);
