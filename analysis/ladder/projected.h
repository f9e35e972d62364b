/* The ladders of a run on another chip: geometric means and step ratios,
 * projected, with what authors published for that chip beside them.  Pure. */
#pragma once

#include "analysis/model/findings.h"
#include "analysis/model/projection.h"

struct projected_rung {
  const struct run_variant *variant;
  const char *ladder;
  struct value here_s, there_s, low_s, high_s; /* geometric means over the shapes of the run */
  /* Time over the parent's; absent without a parent in the run. */
  struct value step_here, step_there, step_low, step_high;
  /* The way it takes on the other chip where that is
   * another, with other instructions; NULL: the same. */
  const char *path_there;
  struct value published_s, published_step; /* for the other chip, geometric means; absent: none was published */
};

/* A rung at one shape. */
struct projected_shape {
  struct shape shape;
  struct value here_s, there_s, low_s, high_s;
  /* Of the other chip: the contest's bytes over its stated bandwidth,
   * as its published table counts; else the least bytes. */
  struct value sol_s;
};

struct projected {
  struct projector projector;
  struct projected_rung *rungs; /* those of ladders, in their order */
  size_t n;
  struct projected_shape *shapes; /* n_shapes of the first rung, then of the second, ... */
  size_t n_shapes;
  size_t n_published, n_inside;         /* steps with a published ratio, and those whose interval holds it */
  size_t n_other_steps;                 /* of the published steps those that begin or end at a rung with a path_there */
  size_t n_other_times, n_other_inside; /* likewise published times of rungs with a path_there */
};

/* ladder NULL: every ladder.  The findings and the device must outlive *out; the caller releases it. */
void projected_make(struct projected *out, const struct findings *f, const struct device *to, const char *ladder);
void projected_release(struct projected *p); /* leaves *p all zero */
