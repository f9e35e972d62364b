/* The roof that a kernel of no declared problem is nearest to, of all that have one: DRAM, L2, L1
 * and shared memory, atomics, issue slots and pipes. */
#pragma once

#include "analysis/model/finding.h"
#include "analysis/model/rates.h"

/* FLOPs of a warp's HMMA by its shape, which the SASS says: "HMMA.16816.F32" is 16 x 8 x 16, "HMMA.1688" 16 x 8 x 8; the mean of those that stand in the
 * code.  0: none does. */
double hmma_flops(const struct run *run, const struct run_result *r);
/* Of a finding whose bounds are known of_sol and sol_roof, "DRAM", "L1", "bf16 tensor", ...: the
 * largest row of its bounds that is a speed, the tensor pipes' by FLOPs where these are known,
 * which is put into its bounds.  Where launching takes longer there is none, and of_sol says so. */
void nearest_roof(struct finding *f, const struct run *run, const struct rates *rates, struct pool *pool);
