/* What an edit of a kernel changed.  Nothing is computed here. */
#pragma once

#include "analysis/story/story.h"
#include "base/text.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

/* The steps between two runs, table and sentence; instructions, which the table does not count for problems of other sizes; failures of the later. */
void report_measured_change(const struct findings *f, const struct story_step *steps, size_t n, const struct run *after,
                            struct text *out, int width, bool colour);
/* Registers, shared memory, spills and SASS of the variants' kernels, "40 → 38" where they changed. */
void report_compiled_change(const struct run *before, const struct run *after, bool json, struct text *out, int width,
                            bool colour);
