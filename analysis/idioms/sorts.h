/* Lanes of a warp that sort their values by exchanges. */
#pragma once

#include "analysis/sass/sass.h"

/* An exchange with the neighbour is followed by one with the lane two away, by one with the lane four away, and follows upon one with the lane two away: sequences of two,
 * four and eight lanes are merged in turn.  A reduction goes through its distances in one order, however often. */
bool sass_sorts(struct sass *s);
