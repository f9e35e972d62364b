/* What a warp's request for global memory touches by the shape of the block: its lanes are one row of it, or several. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of a mean access of one class, in sectors. */
struct lane_rows {
  bool known;    /* every access is of neighbours in x that lie side by side, or that share an address */
  double least;  /* where rows begin at sectors */
  double begins; /* more at most, where rows begin inside one */
  /* Of the least, what no lane asks for: of sectors of which a row has one word, or fewer than fill
   * it. */
  double shared;
  double wide, wide_shared; /* the same of a block 32 wide */
  unsigned rows;            /* of the block in a warp */
};
void lane_rows_of(struct lane_rows *out, const struct rule_input *in, enum sass_class class);

/* Sectors that a request of a warp's lanes touches beyond those that its bytes need, by the steps to the neighbour in x and in y; less than 0: they do not
 * tell. */
double lanes_excess(const struct rule_input *in, int bytes, struct sass_step x, struct sass_step y);
/* The same where each lane lies in a sector of its own. */
double lanes_apart_excess(const struct rule_input *in, int bytes);
