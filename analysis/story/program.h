/* What attach knows of a program's kernels beside their counters: how often
 * each ran, and its part of the GPU time; which to look at.  Pure. */
#pragma once

#include "analysis/ladder/advised.h"

#include <stdbool.h>
#include <stddef.h>

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

/* What a program gains where the first advice on each of its kernels is followed: the order to work in. */
struct gain {
  const struct finding *at;
  const struct advice *first;
  double share, of_program; /* what it may save: of the kernel's own time, of the program's GPU time */
};
struct gains {
  const struct findings *findings;
  /* The largest part of the program first; kernels whose
   * first advice saves nothing are not among them. */
  struct gain *items;
  size_t n;
};

/* What to reckon with of what advice saves: where it saves from nothing up to so much, half. */
double gain_expected(const struct advice *a, double saves);
/* None of a run that is of no program.  *out borrows from the diagnoses; the caller releases it. */
void gains_make(struct gains *out, const struct diagnoses *d);
void gains_release(struct gains *g); /* leaves *g all zero */

/* Which of a kernel's results to look at first, by index: the one with
 * the largest part of its time above the speed of light; where that is
 * known of none, the longest.  Of equals the first.  n > 0. */
size_t most_to_gain(const struct finding *const *items, size_t n);
/* Of a run with more kernels than a page can show: sets keep[i] of the n variants with the
 * most time, all launches of a program together, else the longest at any shape.  *share: their
 * part of the time of all, 0..1. */
void longest_keep(bool *keep, double *share, const struct findings *f, size_t n);
