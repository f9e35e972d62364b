/* The climb of a ladder over all shapes of the run, and what the whole run showed.  Pure. */
#pragma once

#include "analysis/model/findings.h"

enum climb_outcome {
  CLIMB_UNKNOWN, /* no parent in the run, or neither it nor the rung has a time at any shape of both */
  CLIMB_FASTER,  /* at one shape or more, and slower at none */
  CLIMB_SAME,    /* no measurable change at any shape */
  CLIMB_SLOWER,  /* at one shape or more, and faster at none: a negative result */
  CLIMB_MIXED    /* faster at one shape, slower at another */
};
const char *climb_outcome_name(enum climb_outcome o); /* "faster", "no change", ... ; "" for unknown */

/* Means are geometric, over all shapes of the run; absent where a shape has no value. */
struct climb {
  struct value time_s;
  struct value over_parent;   /* mean time of the parent / this mean time */
  struct value of_sol;        /* mean of sol_minimal / time */
  struct value of_read;       /* mean of the read control's time / time */
  enum climb_outcome outcome; /* against the parent */
};
void climb_of(struct climb *out, const struct findings *f, const struct run_variant *v);

/* Whether a kernel of this ladder (NULL: of any in the run) names one that
 * it steps from.  Kernels of a program, and those of a file that name no
 * parent, stand side by side: they are no rungs, and nothing climbs. */
bool climb_has_steps(const struct findings *f, const char *ladder);

struct headline {
  /* The rung of the least mean time; of several problems the largest of their
   * ladders' least, without a declared one the largest; NULL: none has one. */
  const struct run_variant *best;
  const struct run_variant *from; /* the slowest foot of a ladder with steps; NULL: none is slower than the best */
  struct value best_s, from_s;    /* mean times */
  struct value of_read, of_sol;   /* of the best: climb_of */
};
/* Kernels of a program, without a declared problem, do different
 * work: they are no rivals, and the longest is what matters. */
bool headline_of_rivals(const struct findings *f);
/* Ladders whose minimal bytes differ at a shape are of different problems, too:
 * only the kernels of one are rivals.  keep: the variants that count; NULL: all. */
bool headline_of_one_problem(const struct findings *f, const bool *keep);
/* Controls and rungs that must be refused take no part. */
void headline_of(struct headline *out, const struct findings *f);
