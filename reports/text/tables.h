/* The tables that the terminal and the worklog share.  Private to the reports. */
#pragma once

#include "analysis/story/story.h"
#include "base/table.h"
#include "reports/words/view.h"

/* A line that says what a shape's table holds: the shape, the origin, the speed of light, the
 * read control. */
void tables_shape_caption(const struct view *v, struct shape s, struct text *out);

enum tables_use { TABLES_TERM, TABLES_WORKLOG };

/* One row a variant that the run has at this shape. */
struct table *tables_shape(const struct view *v, struct shape s, enum tables_use use);

/* Geometric mean over the run's shapes, with the published figures beside it and the origin of
 * each. */
struct table *tables_geomean(const struct view *v);
