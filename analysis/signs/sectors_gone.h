/* Sectors of global memory that go where lanes access what their bytes need, at each level, and where they come from. */
#pragma once

#include "analysis/signs/accesses.h"

#include <stdbool.h>

/* Part of a written sector that is data, by the counters; 1 where they were not collected. */
double store_fill(const struct rule_input *in);
/* Bytes of a counter of writes but for those to local memory, whose sectors are full. */
double bytes_but_local(const struct rule_input *in, const char *written);
/* Stores leave sectors that nobody fills: other stores complete them in the L2 where DRAM is written no more bytes than were stored.  Padded rows cure loads and
 * stores of a library's kernel at once: there it is one piece of advice, and not this one. */
bool stores_are_partial(const struct rule_input *in);

/* What goes: sectors beyond the least at the L1, those of them that cross the L2, and at DRAM what no lane asked for. */
struct sectors_gone {
  double l1, l2_read, l2_write, dram_read;
  double l1_cycles;   /* of the data stage */
  double over;        /* sectors over the least, of loads and stores together */
  double stores_over; /* the same of stores alone */
  bool loads_hit;     /* loads touch more sectors than they need, and the L1 has all of these */
  /* More of what goes is by stores: of the L2's bytes where it or DRAM binds, else of the L1's
   * sectors. */
  bool by_stores;
};
/* False where none would go, or where it cannot be told. */
bool sectors_gone_of(struct sectors_gone *out, const struct rule_input *in);
/* Bytes that the L2 sends because lanes lie apart, at most: the parts of sectors that no lane asked for, of the sectors that missed the L1. */
double l2_read_over(const struct rule_input *in);

/* The line of the stores with the most sectors in vain; NULL: it cannot be told, or none has a line. */
const struct run_instruction *stores_excess_place(const struct rule_input *in, const struct accesses *stores);
/* Of all accesses, but no store's that stores_are_partial is about; by_stores: the store's, where most of the excess is by stores. */
const struct run_instruction *excess_place(const struct rule_input *in, bool by_stores);
