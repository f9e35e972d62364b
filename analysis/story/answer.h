/* The answer to "how fast, how close, what binds, what to do": the facts of a run's first screen.  Pure. */
#pragma once

#include "analysis/advice/diagnosis.h"
#include "analysis/ladder/climb.h"
#include "analysis/ladder/explain.h"
#include "analysis/model/findings.h"

#include <stdbool.h>
#include <stddef.h>

/* A variant over all shapes of the run (geometric means), or at one. */
struct answer_row {
  const struct run_variant *variant;
  const struct finding *at; /* the one shape; NULL: all of them */
  struct value time_s, of_sol, of_read;
  double calls, total_s;   /* of a program's kernel */
  struct value share;      /* of its GPU time */
  struct value half;       /* half of the time's 95 % interval over the time */
  enum bound_kind binding; /* the largest share of the modelled time; BOUND_KINDS: unknown */
  double bound_share;      /* the part of the time that it needs by itself, the mean over the shapes */
  struct value explained;  /* modelled / measured time */
  bool tied;               /* with the first row: their intervals overlap at every shape */
};

struct answer_trouble { /* a variant without a time, not checked though it should be, or let pass though it is wrong */
  const struct finding *finding; /* at its first such shape */
  size_t shapes;
};

/* Of a program's kernels, the one whose first advice spares the
 * program the most, where it is not the one of most time. */
struct answer_gain {
  const struct answer_row *row; /* NULL: there is none */
  struct diagnosis diagnosis;
  double share, of_program; /* what its first advice saves: of its own time, of the program's GPU time */
};

enum { ANSWER_ROWS = 12, ANSWER_TROUBLES = 4 };
struct answer {
  const struct findings *findings;
  bool program; /* kernels of a program that attach saw: those of most GPU time first */
  /* The kernels do the same work (headline_of_one_problem),
   * and the fastest is best; else the longest matters most. */
  bool rivals;
  bool per_ladder;                     /* a row is the best of its ladder; else every variant asked for has one */
  const struct run_variant *only;      /* the one variant asked for, whose rows are its shapes; NULL: several */
  struct answer_row rows[ANSWER_ROWS]; /* the best first (only: in the run's order of shapes) */
  size_t n_rows;
  size_t n_variants;               /* asked for and timed at every shape */
  size_t n_more;                   /* rows that found no room */
  const struct answer_row *best;   /* NULL: nothing has a time at every shape */
  struct answer_row mean;          /* of `only`, over its shapes */
  const struct run_variant **ties; /* of the best, on any ladder */
  size_t n_ties;
  struct diagnosis *diagnoses; /* of the best, one a shape that it was timed at */
  size_t n_diagnoses;
  const struct diagnosis *first; /* whose first advice saves the largest part of the time; NULL: none saves anything */
  double first_share;            /* that part */
  bool at_read;                  /* a pure read of the same bytes leaves less than the model errs by: `first` is NULL */
  const struct advice *named;    /* that stands first and has no price; NULL: none does */
  struct answer_gain gain;
  const char *no_advice; /* why no rule was asked; NULL: rules were asked */
  struct step step;      /* of `only`, from its parent */
  struct climb climb;    /* of `only`; all zero without a step */
  struct value parent_s; /* mean time of its parent */
  char *untold;          /* why there is no step; NULL: there is one, or several variants */
  struct answer_trouble troubles[ANSWER_TROUBLES];
  size_t n_troubles; /* no more than ANSWER_TROUBLES are kept */
};

/* keep: whether each variant of the run is asked for; NULL: all.  Controls
 * and variants that must be refused take part only where nothing else is
 * asked for.  The findings must outlive *out, which the caller releases. */
void answer_make(struct answer *out, const struct findings *f, const bool *keep);
void answer_release(struct answer *a); /* leaves *a all zero */
