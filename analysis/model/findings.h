/* Findings: everything that is known of a run, worked out.  Pure: no files, no clock, no CUDA.
 *
 * Reports render findings and compute nothing.  Values are SI inside (seconds, bytes, hertz), ratios 0..1; `struct value` says whether a
 * number is there and, if not, why.  Ownership: findings borrow the run and the device, which must outlive them, and own the rest.
 */
#pragma once

#include "analysis/model/finding.h"
#include "base/err.h"
#include "base/name_index.h"
#include "run/device.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

struct ladder {
  const char *name;                 /* "other" holds the rungs that name no ladder */
  const struct run_variant **rungs; /* in order; sides included */
  size_t n;
};

struct findings {
  const struct run *run;
  const struct device *device;
  struct rates rates;    /* the device's, for the model */
  struct finding *items; /* one a result, in the run's order */
  size_t n;
  struct ladder *ladders;
  size_t n_ladders;
  struct shape *shapes;
  size_t n_shapes;
  struct name_index by_id;   /* private: a variant's first item */
  long *next;                /* private: the next item of the same variant; NAME_NEW: none */
  struct formulas *formulas; /* private: owns the names of the derived metrics */
  struct pool *pool;         /* private: owns the reasons */
};

int findings_make(struct findings *out, const struct run *run, const struct device *device, struct err *e);
void findings_release(struct findings *f);
const struct finding *findings_at(const struct findings *f, const char *variant_id, struct shape s); /* NULL: none */
/* Whether a result has a counter or a derived metric of that name. */
bool findings_hold(const struct findings *f, const char *metric);
/* Geometric mean of a variant's time over all shapes of the run; absent where one shape has none. */
struct value findings_geomean(const struct findings *f, const char *variant_id);
