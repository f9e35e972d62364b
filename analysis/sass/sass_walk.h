/* A warp walked through its code: what it executes, which addresses its lanes
 * ask for, and how long it waits in turn where no other warp is in its way.
 *
 * Integers, the thread's place and the kernel's arguments decide branches.
 * One that rests on data is not taken.  It ends the walk where it leads back
 * into a loop that does more than wait, or where such a loop has no other
 * way out.  Lanes that part run by turns, those at the lowest address first.
 */
#pragma once

#include "analysis/sass/sass_lanes.h"

struct sass_latencies { /* cycles; of a load those of where it is found */
  double fixed, half, special, shared, l1, l2, dram;
  double alu_turn; /* from an instruction on the ALU to the warp's next one there */
};

struct sass_walk {
  /* asked */
  unsigned grid[3], block[3];
  struct sass_constants constants;
  struct sass_latencies latencies;
  bool (*streams)(
      const void *context,
      uint64_t address); /* bytes there come from DRAM when they are first asked for; others lie in the L2 */
  /* answered, sums over the warps that were walked */
  double warps;
  double *executed;    /* by instruction */
  double wavefronts;   /* cycles of the L1's data stage */
  double loads, waits; /* cycles that a warp waits for loads, and for all else */
};

/* Walks warps of the grid.  False: the code does not say how
 * it runs, or runs too long.  Release in either case. */
bool sass_walk(struct sass_walk *w, struct sass *s);
void sass_walk_release(struct sass_walk *w);
