/* A search over parameters, rendered.  Nothing is computed here. */
#pragma once

#include "analysis/compare/tune_best.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct tune_report {
  const struct findings *findings;
  const char *rung; /* its id */
  const struct tune_rank *ranks;
  const struct tune_map *maps; /* one a rank; x NULL: there is none */
  size_t n;
};

/* The best ten of each shape and the rung as it was written, the standard. */
void report_tune_term(const struct tune_report *t, struct text *out, int width, bool colour);
/* The same as JSON, every configuration in it: schema "nvfp4-prof/tune/1" (an object's members, without its braces, so that the caller adds its own). */
void report_tune_json(const struct tune_report *t, struct text *out);
/* What was found, as front matter: a line `//! when: SHAPE && CHIP: NAME = VALUE, ...` a shape at which something is measurably faster than the rung as
 * it is written (none where that was not measured); *n_lines counts them.  Parameters that have one value only are left out. */
void tune_lines(struct text *out, size_t *n_lines, const struct tune_rank *ranks, size_t n, int sm, int sms);
