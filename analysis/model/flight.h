/* Loads under way: struct flight of a finding, from its launch, its counters and its SASS. */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/finding.h"

/* What the SASS says of the kernel with the most loads. */
struct flight_code {
  struct value warp_requests; /* global loads and asynchronous copies outstanding at most in a warp */
  struct value thread_bytes;  /* the same in bytes of one thread */
  /* Warp-level, of the whole launch, from exact counts;
   * absent: the counter of load requests is taken. */
  struct value requests;
  /* Times that a warp waits for loads, all warps together; loads issued before the first of them is
   * waited for come back together.  Absent: not counted. */
  struct value batches;
  double batches_missed; /* of them, expected to wait for the L2 or for DRAM */
  /* Executed by all warps, 0 where nothing was counted: bulk copies (TMA), LDGSTS, plain global
   * loads; and the cycles of shared memory that the instructions' own counts add up to. */
  double bulk_copies, async_copies, global_loads, shared_wavefronts;
  /* Part of the samples in which warps wait for atomics of
   * global memory, or to issue one; 0: there are none. */
  double atomics_waits;
  /* Instructions of the code that read textures; those of them that no filter works on (TLD). */
  double fetches, fetches_raw;
  double wide_products; /* IMAD.WIDE and IMAD.HI, executed by all warps; 0 where nothing was counted */
  /* 32-byte sectors that global loads ask for, over the least that their bytes need; 1: unknown. */
  double sectors_spread;
  /* Where a thread stands decides, before any access and any
   * barrier, whether it ends: whole warps may have no element. */
  bool warps_leave;
};

/* Of a result; kernel: the name of the one that stands for the rung,
 * NULL: unknown; l1_miss: the chance that a sector misses the L1. */
void flight_code_of(struct flight_code *out, const struct run *run, const struct run_result *r, const char *kernel,
                    double l1_miss);
struct sass;
/* Times that a warp waits for loads, all warps together, by executed counts. */
double flight_batches(const struct sass *s);
/* The chance that one of so many requests misses, each with chance miss.  Requests of a loop's turn
 * enter new sectors by turns, so that their chances add up. */
double flight_any_miss(double miss, double requests);
/* What a request takes where nothing is before it, of a mean time with the queue: three
 * servers of constant service and one queue (M/D/3, half the wait of Sakasegawa's
 * M/M/c).  busy: the part of the elapsed time that they work, at most 1. */
double flight_without_queue(double waited, double busy);

/* f: with its derived metrics and launch.  clock_hz: of the SMs. */
void flight_of(struct flight *out, const struct finding *f, const struct flight_code *code, const struct device *d,
               struct value clock_hz, struct pool *pool);
