/* The roof that a kernel of no declared problem is nearest to: DRAM, by the bytes that it moved, or the pipe that its arithmetic keeps busiest. */
#pragma once

#include "analysis/model/finding.h"
#include "analysis/model/rates.h"

/* The finding's bounds are known.  *name is "DRAM", "bf16 tensor", "FMA", ...; NULL where no share is known, and the value says why. */
struct value nearest_roof(const struct finding *f, const struct run *run, const struct rates *rates, struct pool *pool,
                          const char **name);
