/* A run's ladders on another chip, as text and JSON. */
#pragma once

#include "analysis/ladder/projected.h"
#include "base/text.h"

void report_projected_term(const struct projected *p, const struct findings *f, struct text *out, int width,
                           bool colour);
/* Schema "nvfp4-prof/project/1". */
void report_projected_json(const struct projected *p, const struct findings *f, struct text *out);
