/* The schedule of the counters: how many passes (replays of every launch) CUPTI's host API plans for the shipped groups on a chip.  Needs CUPTI and no
 * GPU. */
#ifndef PROFILER_CUDA_PASS_SCHEDULE_H
#define PROFILER_CUDA_PASS_SCHEDULE_H

#include "base/err.h"
#include "profiler/cuda/library.h"

#include <stdbool.h>
#include <stddef.h>

struct schedule_group {
  char *name;      /* "dram": run/metrics/10-dram.txt */
  size_t metrics;  /* rows that the chip has */
  size_t absent;   /* rows that it lacks */
  size_t counters; /* CUPTI names that these rows need */
  size_t alone;    /* passes of this group by itself; 0 where it has no counter on this chip */
  size_t adds;     /* passes that the others would do without */
  bool apart;      /* counted in passes of its own: its counters must be of one launch */
};

struct schedule {
  struct schedule_group *groups;
  size_t n;
  size_t passes; /* in all: of the groups that share them, and of those apart */
};

/* ERR_MACHINE: this CUPTI does not know the chip, or is too old; the message says which. */
int schedule_make(struct schedule *out, const struct cupti *c, const char *chip, struct err *e);
void schedule_release(struct schedule *s); /* leaves *s all zero */

#endif
