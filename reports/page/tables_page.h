/* Tables of the pages alone.  Private to the room. */
#pragma once

#include "analysis/story/story.h"
#include "base/table.h"
#include "reports/words/view.h"

/* One row a rung: its change, its mean time over the shapes, against the speed of light and its parent. */
struct table *tables_climb(const struct view *v, const struct story *s, const char *ladder);
/* What binds a variant: "dram" where it does at every shape, else "dram, latency, dram" in the order of the shapes. */
void tables_bounds_of(const struct view *v, const struct run_variant *variant, struct text *out);
/* One row a shape: before, after, speed-up (of a rung: a kernel that steps from none has a time
 * alone), bytes, bound. */
struct table *tables_rung(const struct view *v, const struct view_item *item);
/* The rungs that must be refused, and what the check saw. */
struct table *tables_refused(const struct view *v);
