/* Where a result's time was counted: an account of the SMs' cycles that adds up to the measured time.  It tells where time stands and not why, so that it
 * explains no step; where the model finds no cause it says where to look.  Pure.
 *
 * An SM with resident warps issues, or it waits: cycles without an issue are shared out over the reasons for which its warps were counted waiting.  The rest of the
 * time an SM is idle: while the busiest SM still works, or while none does. */
#pragma once

#include "analysis/model/finding.h"

#include <stddef.h>

enum cycle_use {
  CYCLES_ISSUE,
  CYCLES_LOADS,   /* from L1, L2 or DRAM, and the queue before them */
  CYCLES_SHARED,  /* shared memory, shuffles, the XU pipe, and the queue before them */
  CYCLES_PIPE,    /* a math pipe or the dispatcher is busy */
  CYCLES_FETCH,   /* instructions, branch targets, constants */
  CYCLES_FIXED,   /* results of arithmetic: fixed latencies, asynchronous matrix instructions */
  CYCLES_BARRIER, /* other warps of the block */
  CYCLES_OTHER,   /* fences, stores at the end, sleep */
  CYCLES_UNEVEN,  /* an SM of the mean, while the busiest works */
  CYCLES_NO_SM,   /* no SM has a warp: start and end */
  CYCLE_USES
};
extern const char *const cycle_use_titles[CYCLE_USES]; /* "waits for loads" */

struct cycle_account {
  bool known;
  const char *reason;         /* why not; NULL where known */
  double seconds[CYCLE_USES]; /* of the measured time */
};

/* The time is measured and the cycles are counted, in runs of their own: NO_SM holds the difference and may be below 0. */
void cycle_account_of(struct cycle_account *out, const struct finding *f, double sms);

enum { CYCLE_USES_NAMED = 3 };
/* The uses that moved by a tenth of the change or more, the largest first; part: of the change, by use.  Returns their number. */
size_t cycle_uses_named(enum cycle_use out[CYCLE_USES_NAMED], const double part[CYCLE_USES]);
