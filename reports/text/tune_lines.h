/* What a search found, as front matter. */
#pragma once

#include "analysis/compare/tune_best.h"
#include "base/text.h"

#include <stddef.h>

/* A line `//! when: SHAPE && CHIP: NAME = VALUE, ...` a shape at which something is measurably faster than the rung as it is written (none where that
 * was not measured); *n_lines counts them.  Parameters that have one value only are left out. */
void tune_lines(struct text *out, size_t *n_lines, const struct tune_rank *ranks, size_t n, int sm, int sms);
