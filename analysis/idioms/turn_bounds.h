/* What decides how often a loop turns. */
#pragma once

#include "analysis/sass/sass.h"

/* Such a branch asks for what a load of the loop brought: no load of the next turn is issued before. */
bool sass_ends_by_load(struct sass *s, size_t loop);
/* It asks for what a load of shared memory in the loop brought. */
bool sass_ends_by_shared(struct sass *s, size_t loop);
/* How many loads of the loop the first such branch asks for: several, where they are all issued before one is tested. */
size_t sass_loads_to_end(struct sass *s, size_t loop);

/* Such a branch asks for what was loaded, in the loop or before it, or computed of data.  SASS_NONE: none does. */
size_t sass_data_bound(struct sass *s, size_t loop);
