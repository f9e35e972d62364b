/* How a GEMV's warps run, by its code, shape and launch alone. */
#pragma once

#include "analysis/rules/static.h"
#include "analysis/sass/sass_walk.h"

/* False: the code does not say.  sass_walk_release in either case. */
bool static_walk(struct sass_walk *out, struct static_code *c);
