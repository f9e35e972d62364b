/* Where a kernel that only moves data (sass_only_moves) puts what it loads. */
#pragma once

#include "analysis/sass/sass.h"

enum sass_moved {
  MOVED_ALIKE,     /* each value to the place in its array that it had in the other: a copy */
  MOVED_ELSEWHERE, /* to another, as of a transpose, or that is not told */
  MOVED_BY_INDEX   /* the place of a load or a store is made of what was loaded: a gather, a scatter */
};
/* Alike is what follows from the code: no value passes through shared memory, and the address of each load and of its store are made by the same steps of the
 * same values, but for arguments that are added. */
enum sass_moved sass_moved_of(struct sass *s);
