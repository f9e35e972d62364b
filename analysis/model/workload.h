/* Work: what a launch does, in counts that depend on the kernel and not on how fast the chip is.
 *
 * Of a measured result it comes from counters and exact counts (workload_of), of compiled code
 * from its SASS.  A field that is not known is absent, and what rests on it takes no part:
 * unknown is not zero.  Counts are sums over the chip for the result's launches together.  A
 * rule's `change` scales them as its remedy would (CONTRIBUTING, "A rule in half an hour").
 */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/bound_kind.h"
#include "run/device.h"
#include "run/run.h"

#include <stdbool.h>

struct workload {
  /* warp instructions */
  struct value inst, alu, fma, fma_heavy, lsu, xu, tensor, fp64, adu;
  struct value tex;           /* fetches that the filter works on */
  double wide_share;          /* of fma_heavy, IMAD.WIDE and IMAD.HI: 0..1 */
  struct value l1_wavefronts; /* cycles of the data stage that L1 and shared memory share */
  /* bytes */
  struct value dram_read, dram_write, l2_read, l2_write;
  /* Sectors of a line that a request to the L2 is for, mean: 1..4; 0: not counted, as 4. */
  double read_fill, write_fill;
  double partial_share;        /* of the bytes that stores send to the L2, in sectors that they fill in part: 0..1 */
  struct value atomic_sectors; /* that the L2 worked on for atomics and reductions */
  /* Of these, without what one half of the L2 passes to the other: its row's, not the time's. */
  struct value atomic_sent;
  double atomic_fill; /* of those that were sent, in a request to the L2, mean: 1..4; 0: not counted, as 1 */
  struct value atomic_cycles_max; /* of these, cycles of the busiest L2 slice */
  double atomic_bursts;           /* requests of a warp's operation that meet in one word, over the words: 1 and more */
  double atomic_lanes;            /* that a sector of them operates on, mean; 1: unknown */
  double async_share;             /* of the bytes read, by copies past the registers (LDGSTS, bulk): 0..1 */
  double sectors_spread;          /* sectors that its loads ask for, over the least for their bytes: 1 and more */
  /* seconds of a resident warp, in turn */
  struct value loads_s; /* its batches of loads, each as long as a batch takes where nothing is busy */
  /* Times loads_s: what warps were counted waiting for loads beyond
   * it, without what the busiest unit's queue makes of it. */
  struct value slow_loads;
  struct value own_issue_s;    /* its instructions */
  struct value dependencies_s; /* fixed latencies, short waits, asynchronous matrix instructions */
  struct value barriers_s;     /* at barriers */
  /* launching */
  double launches;
  bool l2_kept;         /* the L2 is as the program, or a launch before, left it */
  struct value empty_s; /* an empty kernel of these launches: fixed_ns */
  struct value blocks, warps_per_block, blocks_per_sm,
      smem_block;        /* of the launch with the most threads; bytes a block */
  struct value warps;    /* resident in the chip at a time, mean */
  double balance;        /* of the SMs: mean cycles with work over the busiest's; 1: unknown */
  struct value clock_hz; /* of the SMs while it ran */
  /* Seconds at a bound's own peak, where a tool gives the share of the time
   * (metric peak_NAME) and not the counts: of this device and run only. */
  struct value at_peak_s[BOUND_KINDS];
};

/* 1 where it is unknown, or no balance. */
static inline double workload_balance(const struct workload *w) {
  return w->balance > 0 && w->balance <= 1 ? w->balance : 1;
}
