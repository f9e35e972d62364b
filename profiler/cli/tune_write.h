/* What a search found, as front matter. */
#ifndef PROFILER_CLI_TUNE_WRITE_H
#define PROFILER_CLI_TUNE_WRITE_H

#include "analysis/compare/tune_best.h"
#include "base/err.h"
#include "base/text.h"
#include "kernels/rung.h"

#include <stddef.h>

/* A line `//! when: SHAPE && CHIP: NAME = VALUE, ...` a shape at which something is measurably faster than the rung as it is written (none where that
 * was not measured); *n_lines counts them.  Parameters that have one value only are left out. */
void tune_lines(struct text *out, size_t *n_lines, const struct rung *r, const struct tune_rank *ranks, size_t n,
                const struct rung_chip *chip);
/* The rung's file with these lines below its id.  ERR_DATA where the result would not be read back: a value outside its param's set. */
int tune_file(struct text *out, const struct rung *r, const struct text *lines, struct err *e);

#endif
