/* Loops in which the lanes of a warp load and compute the same, by counts and by the code. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of every instruction of in->sass: it stands in an innermost loop that repeats, and whose loads each bring one value to a whole warp, which nothing of a lane's own is added to: the lanes could
 * share its turns out.  A load is such where the code says so, or where all loads of the launch touch a sector each.  The caller frees it; NULL: no counts. */
bool *lane_alike_make(const struct rule_input *in);
