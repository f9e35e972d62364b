/* A history rendered: table, JSON.  Nothing is computed here. */
#pragma once

#include "analysis/compare/history.h"
#include "base/text.h"

#include <stdbool.h>

/* A table a variant, one row a run and a column a shape; steps are marked. */
void report_history_term(const struct history *h, struct text *out, int width, bool colour);
void report_history_json(const struct history *h, struct text *out); /* schema "nvfp4-prof/history/1" */
