/* What a program gains where the first advice on each of its kernels is followed: the order to work in.  Pure. */
#pragma once

#include "analysis/ladder/advised.h"

#include <stddef.h>

struct gain {
  const struct finding *at;
  const struct advice *first;
  double share, of_program; /* what it may save: of the kernel's own time, of the program's GPU time */
};
struct gains {
  const struct findings *findings;
  struct gain
      *items; /* the largest part of the program first; kernels whose first advice saves nothing are not among them */
  size_t n;
};

/* What to reckon with of what advice saves: where it saves from nothing up to so much, half. */
double gain_expected(const struct advice *a, double saves);
/* None of a run that is of no program.  *out borrows from the diagnoses; the caller releases it. */
void gains_make(struct gains *out, const struct diagnoses *d);
void gains_release(struct gains *g); /* leaves *g all zero */
