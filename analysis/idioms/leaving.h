/* Warps without an element: a guard on the thread's number ends them before they store anything. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_leaving {
  size_t exit;             /* where they end */
  double part;             /* of all warps; 0..1 */
  double insts;            /* executed by them */
  double pipe[SASS_PIPES]; /* likewise, by the pipe that issues it */
  bool barrier;            /* they wait for the others at a barrier of the block before */
};
/* False: there are none, or how many is not counted. */
bool sass_leaving_of(struct sass *s, struct sass_leaving *out);
