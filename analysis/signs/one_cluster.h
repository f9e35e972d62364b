/* Launches whose work a few SMs do as well. */
#pragma once

#include "analysis/signs/rule_input.h"

enum {
  CLUSTER_BLOCKS = 8
}; /* of a cluster on any chip that has them: CUDA C++ Programming Guide, thread block clusters */

/* Several launches of many blocks work on so few bytes that one SM's shared memory holds them, and what their SMs do in all a cluster's do in half of the time:
 * the launches can be iterations of one block's or cluster's loop.  *bytes: those. */
bool fits_one_cluster(const struct rule_input *in, double *bytes);
/* Seconds that such a launch takes at least: it starts once, loads once, and computes one iteration after the other. */
double one_cluster_s(const struct rule_input *in);
