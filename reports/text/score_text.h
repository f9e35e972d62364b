/* A score of the advice, rendered.  Nothing is computed here. */
#pragma once

#include "analysis/ladder/score.h"
#include "base/table.h"
#include "base/text.h"

#include <stdbool.h>

void report_score_term(const struct score *s, const char *labels, struct text *out, int width, bool colour);
/* Promised against gained, a row a cause; the caller frees it. */
struct table *score_causes(const struct score *s);
/* Schema "nvfp4-prof/score/1". */
void report_score_json(const struct score *s, struct text *out);
