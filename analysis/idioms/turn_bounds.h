/* What decides how often a loop turns. */
#pragma once

#include "analysis/sass/sass.h"

/* It asks for what a load of shared memory in the loop brought. */
bool sass_ends_by_shared(struct sass *s, size_t loop);
/* How many loads of the loop the first branch asks for that asks for any, so that no load of the next turn is issued before: several, where they are all issued
 * before one is tested; 0: none asks. */
size_t sass_loads_to_end(struct sass *s, size_t loop);
/* Of these loads one goes where a load has pointed a turn before, as in a list or a search: its place is not known ahead. */
bool sass_end_is_chained(struct sass *s, size_t loop);

/* Such a branch asks for what was loaded, in the loop or before it, or computed of data.  SASS_NONE: none does. */
size_t sass_data_bound(struct sass *s, size_t loop);
