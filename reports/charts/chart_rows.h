/* Charts with a row a rung and a panel a shape (plots/rows.gp): what they share.  Private to the
 * charts. */
#pragma once

#include "reports/charts/chart.h"

enum { ROWS_MAX = 64, ROWS_LABEL_CHARS = 18 };

/* What rows.gp asks for and does not depend on the panels.  foot_px: of the strip that holds the
 * legend. */
void rows_begin(struct slots *s, const struct view *v, const struct chart *c, int foot_px);
void rows_panel(struct slots *s, struct shape shape);
/* How many panels there are, and how many shapes had no room. */
void rows_end(struct slots *s, const struct view *v, size_t panels, size_t left_out);

/* Rungs of a ladder, at most ROWS_MAX; the first stands at the top, which is the row of that
 * number. */
size_t rows_count(const struct view *v, const char *ladder);
/* The rung's name, cut and quoted for .dat. */
void rows_name(struct text *dat, const struct view *v, const struct run_variant *variant);
/* A panel's axis: from low (log: of a log axis; else from 0) to high, and room behind for a
 * label of label_px. */
void rows_range(struct slots *s, double low, double high, size_t panels, int label_px, bool log);
