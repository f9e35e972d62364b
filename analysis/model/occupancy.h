/* Theoretical occupancy by arithmetic: how many blocks an SM holds, and what keeps it from more.  Pure.
 *
 * The rules are those of CUDA's occupancy calculator (cuda_occupancy.h of the CUDA 13.0 toolkit; CUDA C++ Programming Guide, technical
 * specifications by compute capability), for sm_80 and later:
 *   registers   32 x registers a thread, up to the next 256, a warp; each of the SM's four partitions holds whole warps
 *   memory      static + dynamic + 1024 bytes that the driver keeps for itself, up to the next 128, of the SM's largest configuration
 *   barriers    2 x the most blocks (1 x on sm_86, sm_89 and sm_12x) are shared out; a barrier named by a register costs all 16
 * They agree with the driver on every launch of recorded/h200.json.gz (an H200; tests/unit/test_analysis_occupancy.c).
 */
#pragma once

#include "base/err.h"
#include "run/device.h"
#include "run/run.h"

#include <stdbool.h>

enum { BARRIERS_MAX = 16 }; /* a block can name */

struct occupancy_block {
  int registers; /* a thread */
  int threads;
  long smem_static, smem_dynamic; /* bytes */
  int barriers;                   /* __syncthreads and named ones; 0: none */
};

struct occupancy_block occupancy_block_of(const struct run_launch *l); /* without barriers, which no launch says */

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SMEM, LIMIT_BARRIERS, OCCUPANCY_LIMITS };
const char *occupancy_limit_name(enum occupancy_limit l); /* "registers", "shared memory", ... */

struct occupancy {
  int blocks[OCCUPANCY_LIMITS]; /* an SM could hold if only this limited it; INT_MAX: it does not limit */
  int blocks_per_sm;            /* the least of them; 0: the block cannot be launched */
  enum occupancy_limit limit;   /* the first of the least */
  int warps_per_block;
  double share; /* resident warps of those that an SM has room for, 0..1 */
};

/* An SM's registers, warps and shared memory by compute capability, for a chip of
 * which nothing else is known (CUDA C++ Programming Guide, technical specifications
 * by compute capability).  Leaves what is set; false: it is not in the table. */
bool occupancy_chip(struct device *d, int sm);

/* ERR_DATA where the block or the device is none of this arithmetic's (no threads, over
 * 1024; a chip before sm_80; a device whose registers or shared memory are not known). */
int occupancy_of(struct occupancy *out, const struct device *d, const struct occupancy_block *b, struct err *e);
