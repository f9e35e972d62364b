/* What the injection library leaves of one process: lines of fields with a tab between, the first field saying what the line is.
 *
 *   nvfp4-prof-part 1
 *   process PID RANK                                            RANK is empty where there is none
 *   totals LAUNCHES NS BEYOND BEYOND_NS                         BEYOND: launches of kernels that were not kept apart
 *   device INDEX UUID
 *   kernel NAME DEVICE GRIDx3 BLOCKx3 CLUSTERx3 REGISTERS SMEM_STATIC SMEM_DYNAMIC LOCAL BLOCKS_PER_SM LAUNCHES IN_GRAPHS DISTURBED NS
 *   samples NS...                                               of the kernel before
 *   counted LAUNCHES multiplexed|replayed                       of the kernel before, by hardware counters
 *   metric NAME UNIT SOURCE VALUE REASON                        of the kernel before; VALUE is empty where there is none
 *   sampling PERIOD_CYCLES SAMPLES DROPPED ERROR                PC sampling; SAMPLES: of all code
 *   function NAME MODULE LAUNCHES SAMPLES                       sampled code: MODULE numbers the cubin, empty where it was not kept
 *   pc FUNCTION OFFSET REASON SAMPLES NOT_ISSUED                FUNCTION: index of a function line
 *   range NAME LAUNCHES NS                                      an NVTX range
 *   note SENTENCE
 *   end complete|going on
 */
#ifndef PROFILER_ATTACH_RECORDS_RECORDS_H
#define PROFILER_ATTACH_RECORDS_RECORDS_H

#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct part_kernel {
  char *name; /* mangled */
  int device;
  struct run_launch launch; /* its kernel is NULL */
  uint64_t launches, in_graphs, disturbed;
  uint64_t counted; /* launches, by hardware counters */
  bool replayed;    /* each of these was run again for every pass */
  double total_ns;
  double *samples_ns;
  size_t n_samples;
  struct run_metric *metrics;
  size_t n_metrics;
};

struct part_pc {
  uint32_t offset; /* bytes from the function's start */
  char *reason;
  uint64_t samples, not_issued;
};

struct part_function {
  char *name;  /* mangled */
  long module; /* -1: its code was not kept */
  uint64_t launches, samples;
  struct part_pc *pcs;
  size_t n_pcs;
};

struct part_sampling {
  double period_cycles; /* 0: there was no sampling */
  uint64_t samples, dropped;
  char *error; /* NULL: none */
  struct part_function *functions;
  size_t n_functions;
};

struct part_range {
  char *name;
  uint64_t launches;
  double total_ns;
};

struct part {
  long pid;
  char *rank; /* NULL: none */
  uint64_t launches, beyond;
  double total_ns, beyond_ns;
  char *uuids[64];
  struct part_kernel *kernels;
  size_t n_kernels;
  struct part_sampling sampling;
  struct part_range *ranges;
  size_t n_ranges;
  char **notes;
  size_t n_notes;
  bool complete;     /* the process came to its end */
  bool timed_before; /* its times are an earlier run's (times_take) */
};

/* Reads a part; *out is all zero after a failure.  ERR_DATA "NAME:LINE: what is wrong". */
int part_parse(struct part *out, const char *name, const char *text, struct err *e);
void part_release(struct part *p); /* leaves *p all zero */
/* The kernels in the order of their GPU time, those of one time by name; the caller frees the list.  NULL: no memory. */
const struct part_kernel **part_by_time(const struct part *p);
/* How many kernels have counters, and their GPU time. */
size_t part_counted(const struct part *p, double *ns);

#endif
