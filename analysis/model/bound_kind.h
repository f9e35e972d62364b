/* Bounds: what may bind a launch, by the name that every table, report and prediction uses. */
#pragma once

enum bound_kind {
  BOUND_DRAM,
  BOUND_L2,
  BOUND_L1, /* and shared memory: one data stage serves both */
  BOUND_ATOMICS,
  BOUND_ISSUE,
  BOUND_ALU,
  BOUND_FMA,
  BOUND_LSU,
  BOUND_XU,
  BOUND_TENSOR,
  BOUND_FP64,
  BOUND_ADU,     /* loads of constants by the address in a register, barriers of a block */
  BOUND_TEX,     /* fetches from textures through the filter */
  BOUND_LATENCY, /* of a warp's own chain: loads, dependencies, barriers; copies that cannot be in flight */
  BOUND_LAUNCH,  /* starting blocks, the ramp to the first bytes and from the last, the empty kernel */
  BOUND_KINDS
};

struct bound_row {
  const char *name; /* "dram": in files and predictions */
  const char *noun; /* "DRAM": begins or continues a sentence */
};
extern const struct bound_row bound_rows[BOUND_KINDS];
const char *bound_name(enum bound_kind k); /* "unknown" for BOUND_KINDS */
