/* Resources of a launch: what each needs of the time by itself, and which of them a reader is told
 * of.
 *
 * A resource is elementary: one rate of the device, or one latency that a warp has in turn.
 * Several make a bound, the name that tables, advice and explanations use.  A new resource is one
 * row of the table in resources.c, a new bound one row of bounds.c.
 */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/bound_kind.h"
#include "analysis/model/rates.h"
#include "analysis/model/workload.h"

enum resource {
  /* of an SM, divided by the balance of the SMs */
  RESOURCE_ISSUE,
  RESOURCE_ALU,
  RESOURCE_FMA,
  RESOURCE_LSU,
  RESOURCE_L1,
  RESOURCE_XU,
  RESOURCE_TENSOR,
  RESOURCE_FP64,
  RESOURCE_ADU,
  RESOURCE_TEX,
  /* of the chip's memory */
  RESOURCE_DRAM,
  RESOURCE_L2_READ,
  RESOURCE_L2_WRITE,
  RESOURCE_ATOMICS,
  /* of a resident warp, in turn */
  RESOURCE_LOADS,
  RESOURCE_SLOW_LOADS,
  RESOURCE_OWN_ISSUE,
  RESOURCE_DEPENDENCIES,
  RESOURCE_BARRIERS,
  RESOURCE_COPIES,
  /* of a launch */
  RESOURCE_BLOCKS,
  RESOURCE_RAMP,
  RESOURCE_LAUNCH,
  RESOURCES
};

enum resource_side { SIDE_SM, SIDE_MEMORY, SIDE_WARP, SIDE_LAUNCH };

struct resource_row {
  const char *name; /* "l2-write" */
  enum resource_side side;
  enum bound_kind bound;
  /* Seconds; absent where a count or a rate is not known. */
  struct value (*seconds)(const struct workload *w, const struct rates *r);
};
extern const struct resource_row resource_rows[RESOURCES];
/* A resource of each SM, of which the busiest is the slowest; false of the chip's. */
bool bound_is_of_sm(enum bound_kind k);

/* Seconds that atomic operations need at least.  The resource of the model takes the sectors that
 * the L2 worked on, as the constants were fitted: a sector that crosses to the other half of the
 * L2 is two of them, though the measured rates are of sectors that the L1s send. */
struct value resource_atomics_least_s(const struct workload *w, const struct rates *r);
/* What they rest on most: the rate of scattered ones, that of the slice of the L2 which has most of them, or of lanes that meet in a word there. */
enum rate_kind resource_atomics_rate(const struct workload *w, const struct rates *r);
/* Seconds that an empty kernel of this grid takes, where none was timed (an import, an attached
 * program): a launch and the start of its blocks, whose time grows from 256 to 1024 threads a block
 * as the two rates say.  Absent where the device lacks them. */
struct value resource_empty_s(const struct workload *w, const struct rates *r);
