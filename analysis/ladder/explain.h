/* Explaining a step: what changed from one rung to the next at a shape, and one plain sentence.  Pure. */
#pragma once

#include "analysis/ladder/claims.h"
#include "analysis/ladder/cycles.h"
#include "analysis/ladder/predict.h"
#include "analysis/ladder/shares.h"
#include "analysis/model/findings.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* The rest of a step in parts of the time before: nine in ten of
 * the steps of the fitted ladders leave less (docs/model.md). */
extern const double causes_error;

struct step_change {
  struct value before, after;
};

struct step_stall {
  const char *reason;       /* "long_scoreboard"; owned by the run */
  struct step_change share; /* of all warp cycles, 0..1: warp cycles themselves grow with the warps that are resident */
};

enum { STEP_STALLS = 3 };

/* Warp instructions by the pipe that executes them. */
enum { STEP_PIPES = 8 };
extern const char *const step_pipes[STEP_PIPES]; /* "alu": the counter is pipe_alu */

struct step_at { /* a step at one shape */
  struct shape shape;
  const struct finding *parent, *child;   /* NULL: not run at this shape */
  const struct rates *rates;              /* of the device */
  struct step_change time;                /* seconds */
  struct value ratio;                     /* time after over time before */
  bool same;                              /* both timed, and the 95 % intervals overlap */
  const char *bound_before, *bound_after; /* step_bound */
  struct step_change dram_bytes, inst_per_element, registers, occupancy;
  struct step_change bounds[BOUND_KINDS]; /* seconds */
  struct step_change pipes[STEP_PIPES];   /* warp instructions */
  /* The largest changes first; those of `selected`, which is no stall, are left out. */
  struct step_stall stalls[STEP_STALLS];
  size_t n_stalls;
  struct step_shares shares;       /* of the change in time; of nothing where a time is missing */
  bool cycles_known;               /* at both ends */
  double cycles[CYCLE_USES];       /* seconds of the change by where they were counted: they add up to it */
  struct judgement *judgements;    /* one a prediction of the step */
  struct claim_judgement *claimed; /* one a claim of the step */
  char *causes;                    /* "instructions, load latency": of the change in time; NULL: none is found */
  char *sentence;                  /* what a blog could print; never NULL */
  bool told;                       /* step.why tells of it */
};

/* Of a step's shares those of these groups, a bit each: seconds. */
double step_groups_s(const struct step_at *at, unsigned groups);

struct step {
  const struct run_variant *from, *to;
  /* Of `to`; none where `from` is not its parent, since that is what it predicts against. */
  struct predictions predictions;
  struct claims claims; /* likewise */
  char *published;      /* published against measured, a sentence; NULL: nothing was published of both, or it agrees */
  const char *published_on; /* the chip that the author published for where it is not this one; NULL: none was named */
  struct step_at *at;       /* one a shape */
  size_t n;
  /* Groups whose shares are told as one, since alone one would exceed the
   * time there was at some shape: a set of bits each, every group in one. */
  unsigned rows[STEP_GROUPS];
  size_t n_rows;
  const struct step_at *most; /* where the time changed most, which stands for the others; NULL: it is known nowhere */
  /* Why the time changed, over the shapes that went the way of the one that changed
   * most: "instructions 66 to 80 % of the gain (ALU pipe 315 → 21.2 M), offset by load
   * latency 12 %; registers 48 → 44", its counts those of that shape; of a time that did
   * not change, "in the code: registers 48 → 44"; "" where there is nothing to say. */
  char *why;
  /* How `why` begins: what made most of the change, "instructions 66
   * to 80 % of the gain (ALU pipe 315 → 21.2 M)"; "" likewise. */
  char *cause;
};

/* The step between two variants of the run at the shapes given.  ERR_DATA for a malformed
 * prediction.  The findings must outlive *out; the caller releases it, also after failure. */
int step_make(struct step *out, const struct findings *f, const struct run_variant *from, const struct run_variant *to,
              const struct shape *shapes, size_t n, struct err *e);
void step_release(struct step *s); /* leaves *s all zero */
