/* The roof that a kernel of no declared problem is nearest to: DRAM, by the bytes that it moved, or the pipe that its arithmetic keeps busiest. */
#pragma once

#include "analysis/model/finding.h"
#include "analysis/model/rates.h"

/* FLOPs of a warp's HMMA by its shape, which the SASS says: "HMMA.16816.F32" is 16 x 8 x 16, "HMMA.1688" 16 x 8 x 8; the mean of those that stand in the
 * code.  0: none does. */
double hmma_flops(const struct run *run, const struct run_result *r);
/* The finding's bounds are known.  *name is "DRAM", "bf16 tensor", "FMA", ...; NULL where no share is known, and the value says why. */
struct value nearest_roof(const struct finding *f, const struct run *run, const struct rates *rates, struct pool *pool,
                          const char **name);
