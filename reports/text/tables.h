/* The tables that the terminal and the worklog share.  Private to the reports. */
#pragma once

#include "analysis/story/story.h"
#include "base/table.h"
#include "reports/text/view.h"

/* A line that says what a shape's table holds: the shape, the origin, the speed of light, the
 * read control. */
void tables_shape_caption(const struct view *v, struct shape s, struct text *out);

enum tables_use { TABLES_TERM, TABLES_WORKLOG };

/* One row a variant that the run has at this shape.  NULL where memory ran out. */
struct table *tables_shape(const struct view *v, struct shape s, enum tables_use use);

/* One row a rung: its change, its mean time over the shapes, against the speed of light and its parent. */
struct table *tables_climb(const struct view *v, const struct story *s, const char *ladder);
/* What binds a variant: "dram" where it does at every shape, else "dram, latency, dram" in the order of the shapes. */
void tables_bounds_of(const struct view *v, const struct run_variant *variant, struct text *out);
/* One row a shape: before, after, speed-up (of a rung: a kernel that steps from none has a time
 * alone), bytes, bound. */
struct table *tables_rung(const struct view *v, const struct view_item *item);
/* The rungs that must be refused, and what the check saw. */
struct table *tables_refused(const struct view *v);

/* Geometric mean over the run's shapes, with the published figures beside it and the origin of
 * each. */
struct table *tables_geomean(const struct view *v);
