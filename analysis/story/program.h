/* What attach knows of a program's kernels beside their counters: how often each ran, and its part of the GPU time.  Pure. */
#pragma once

#include "analysis/metrics/value.h"
#include "run/run.h"

#include <stdbool.h>

struct program_kernel {
  double calls, total_s;
  struct value share; /* of the program's whole GPU time, kernels that the run does not hold included */
};

/* False: the variant is no kernel of a program that attach saw. */
bool program_kernel_of(const struct run_variant *v, struct program_kernel *out);
/* The same kernel with other launch geometries, each of which is a variant of its own. */
struct program_others {
  size_t n;
  double share; /* of the program's whole GPU time, all together */
};
struct program_others program_others_of(const struct run *r, const struct run_variant *v);
/* The id of the kernel of most GPU time; NULL: the run is of no such program. */
const char *program_longest(const struct run *r);
/* The run is of such a program. */
bool program_is(const struct run *r);
