/* The counters divided into sets, of which each of several ranks collects one: `attach --split-passes`. */
#pragma once

#include "run/metric_table.h"

#include <stddef.h>

/* More sets hardly have fewer passes: CUPTI 13.0 plans 13 for all counters of GH100, at most 8 for each of 2 sets, 6 of 4, 4 of 8, 3 of 16. */
enum { PASS_SETS_MAX = 8 };

struct pass_set {
  long set, sets; /* which of how many, from 1; all zero: every counter */
};

/* The rank's; all zero where the number of ranks is unknown, or 1. */
struct pass_set pass_set_of_rank(long rank, long ranks);
/* Whether the set lacks a row of the table.  A row is of one set on every chip: rows go round the sets, so that each has its share of a unit's counters, and
 * the groups apart (metric_group_apart) are of the last one. */
bool pass_set_lacks(struct pass_set s, const struct metric_table *t, size_t row);

/* The reason of a counter that the set lacks. */
#define PASS_SET_LACKS "another rank counts it (--split-passes)"
