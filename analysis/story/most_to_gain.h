/* Which of several results of a kernel to look at first.  Pure. */
#pragma once

#include "analysis/model/findings.h"

#include <stddef.h>

/* The index of the one with the largest part of its time above the speed of light; where that is known of none, of the longest.  Of equals the first.
 * n > 0. */
size_t most_to_gain(const struct finding *const *items, size_t n);
