/* Where a kernel's code is that warps wait for. */
#pragma once

#include "analysis/signs/rule_input.h"

enum { INSTRUCTION_BYTES = 16, L0_CACHE_BYTES = 12288 }; /* of a partition: Jia et al., Dissecting Volta, 2018 */

struct code_fetch {
  double bytes; /* of the code that runs */
  /* Of the line that warps wait at for it the longest, with what it inlines; NULL: no lines. */
  const struct run_instruction *at;
  double of_line; /* its bytes */
};
/* True where warps wait for nothing else longer, mostly outside the hot loop, by samples: it is all of the code that does not fit the L0 cache. */
bool code_fetch_of(struct code_fetch *out, const struct rule_input *in);

double code_bytes(const struct rule_input *in); /* of the hot loop; of the kernel where it has none */
/* A call of a function that is none of the compiler's own and whose code is not in the kernel's text, of several the one that runs most; SASS_NONE: there is
 * none. */
size_t call_of_function(const struct sass *s);
