/* How often an access of shared memory repeats because its lanes meet in banks: by how far apart they lie, in a row of the block and from row to row. */
#pragma once

#include <stdbool.h>

/* A warp's lanes: `width` to a row of the block, 32 where it lies in one. */
struct bank_lanes {
  long x, y; /* bytes to the neighbour in a row, and to that in the next row */
  int width; /* 1..32 */
  int bytes; /* of a lane */
  int x_wraps,
      y_wraps; /* the steps are these but for multiples of 2^wraps bytes, which differ from lane to lane; 0: exactly */
};

/* Words of one bank at most; 1: no conflict.  0: it is not known, as of lanes that may share a word or not. */
int bank_turns(const struct bank_lanes *x);
/* Lanes of a row do not meet each other, but those of another row. */
bool bank_meets_by_rows(const struct bank_lanes *x);
/* Bytes to add to the step between rows where these meet, else between lanes, so that no lanes meet: the fewest, a multiple of a lane's.  0: none does. */
int bank_pad(const struct bank_lanes *x);
