/* Loads that a warp begins only behind its wait for others. */
#pragma once

#include "analysis/signs/rule_input.h"

/* How often a warp waits for loads in a row, each time for one that stands behind the wait before it, in one loop or outside all: by the samples, of waits that have most of them.
 * 0: there are none, or one has nearly all. */
size_t load_series(const struct rule_input *in);
