/* All that reports show of a run, worked out once: they are given it const and make nothing
 * while they render.  Pure. */
#pragma once

#include "analysis/ladder/advised.h"
#include "analysis/ladder/climb.h"
#include "analysis/ladder/code_diff.h"
#include "analysis/ladder/explain.h"
#include "analysis/ladder/score.h"
#include "analysis/story/answer.h"
#include "analysis/story/program.h"
#include "analysis/story/ranks.h"
#include "base/err.h"

#include <stddef.h>

/* A step, and what was advised before it. */
struct story_step {
  struct step step;
  struct advised *advised; /* one a shape of the step; NULL: nothing was diagnosed */
};
/* diagnoses NULL: none were made.  As step_make; what it refers to must outlive *out, which the
 * caller releases, also after failure. */
int story_step_make(struct story_step *out, const struct findings *f, const struct diagnoses *diagnoses,
                    const struct run_variant *from, const struct run_variant *to, const struct shape *shapes, size_t n,
                    struct err *e);
void story_step_release(struct story_step *s); /* leaves *s all zero */

struct story_rung { /* one variant of the run */
  const struct run_variant *variant;
  const struct run_variant *parent; /* NULL: it names none, or one that is not in the run */
  struct climb climb;
  char *untold;           /* why there is no step; NULL: there is one */
  struct story_step told; /* from its parent, at every shape of the run */
  struct code_diff code;  /* against its parent; all zero where there is none */
};

struct story {
  const struct findings *findings;
  struct diagnoses diagnoses;
  struct headline headline;
  struct answer answer;     /* the first screen */
  struct story_rung *rungs; /* one a variant of the run */
  size_t n_rungs;
  struct score *cures; /* one a ladder of the findings: the steps whose rungs name what they cure */
  size_t n_cures;
  struct gains gains; /* of a program */
  struct ranks ranks; /* of a merged run */
  struct ranks_map ranks_map;
};

/* asked: as answer_make's keep.  A rung whose predictions are malformed has no step, and says why.
 * The findings must outlive *out, which the caller releases. */
void story_make(struct story *out, const struct findings *f, const bool *asked);
void story_release(struct story *s); /* leaves *s all zero */

const struct story_rung *story_rung_of(const struct story *s, const struct run_variant *v);
const struct score *story_cures_of(const struct story *s, const char *ladder); /* NULL: the run has no such ladder */
