/* A step's change in time, shared out over what changed: the parent's work
 * becomes the child's one group of fields at a time, averaged over all orders
 * (Shapley's value), each evaluated with model_time.  The shares add up to the
 * model's change; what the measured change has beyond it is the rest.  Pure. */
#pragma once

#include "analysis/model/finding.h"
#include "analysis/model/work_field.h"

#include <stddef.h>

enum step_group {
  GROUP_DRAM,
  GROUP_CACHE,        /* bytes of the L2, wavefronts of the L1, atomics */
  GROUP_INSTRUCTIONS, /* by pipe, and a warp's own issue */
  GROUP_LOADS,        /* load latency that a warp has in turn; asynchronous copies and the room that they have */
  GROUP_DEPENDENCIES, /* short waits within a warp: fixed latencies, shared memory, XU, fetch; barriers */
  GROUP_GEOMETRY,     /* warps and blocks, and how many are resident */
  GROUP_LAUNCH,       /* launches and the empty kernel */
  GROUP_BALANCE,      /* of the SMs */
  GROUP_CLOCK,        /* of the SMs while it ran */
  STEP_GROUPS
};

/* The work that one remedy or another relieves; a field belongs to one of them or to none. */
enum work_part {
  PART_DRAM,
  PART_L2,
  PART_L1,
  PART_ATOMICS,
  PART_INSTRUCTIONS,
  PART_FP64,
  PART_LOADS,
  PART_DEPENDENCIES,
  PART_BARRIERS,
  PART_GRID,
  PART_START,
  PART_BALANCE,
  WORK_PARTS
};

/* The fields of the work, by what a step's change is shared out over and by what relieves them. */
extern const struct work_row {
  struct value_field field;
  enum step_group group;
  enum work_part part; /* WORK_PARTS: of none */
} work_rows[];
extern const size_t n_work_rows;

struct step_group_row {
  const char *name, *title; /* "loads", "load latency" */
};
extern const struct step_group_row step_group_rows[STEP_GROUPS];

struct step_shares {
  bool known;
  const char *reason;          /* why not; NULL where known */
  double seconds[STEP_GROUPS]; /* 0 where nothing of the group changed */
  double rest_s;               /* measured change less the sum of the shares */
};

/* change_s: child's measured time less the parent's. */
void shares_of(struct step_shares *out, const struct workload *before, const struct workload *after,
               const struct rates *r, double change_s);

/* Seconds that the fields alone change the modelled time by, from before to after: the
 * mean of theirs coming to the one and of their going from the other.  offsets: theirs
 * in struct workload, of those that are shared out; 0 where the time is not known. */
double shares_alone_s(const struct workload *before, const struct workload *after, const struct rates *r,
                      const size_t *offsets, size_t n);

/* Of the SMs that have a block: what GROUP_BALANCE is about. */
double shares_balance(const struct workload *w, const struct rates *r);

/* Shapley's value of n players, n <= STEP_GROUPS; by_set[mask]:
 * the worth of the players whose bits are set, 1 << n of them. */
void shapley(double *out, const double *by_set, size_t n);
