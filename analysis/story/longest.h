/* The kernels that took the longest, of a run with more than a page can show.  Pure. */
#pragma once

#include "analysis/model/findings.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets keep[i] of the n variants with the longest time at any shape; *share: part of the time of all of them, 0..1. */
void longest_keep(bool *keep, double *share, const struct findings *f, size_t n);
