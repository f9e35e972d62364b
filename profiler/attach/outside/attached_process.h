/* What the injected library has left of one process (profiler/attach/records/attach_record.h), put together. */
#ifndef PROFILER_ATTACH_OUTSIDE_ATTACHED_PROCESS_H
#define PROFILER_ATTACH_OUTSIDE_ATTACHED_PROCESS_H

#include "profiler/attach/records/attach_record.h"

struct attached_kernel {
  struct kernel_record seen;
  uint64_t counted; /* launches, by hardware counters */
  bool replayed;    /* each of these was run again for every pass */
  bool partly;      /* they were not in every pass */
  struct times_record samples;
  struct run_metric *metrics;
  size_t n_metrics;
};

struct attached_function { /* sampled code */
  struct function_record seen;
  struct pc_record *pcs;
  size_t n_pcs;
};

struct attached_process {
  struct process_record seen;
  struct pass_set pass_set; /* what it counted */
  struct totals_record totals;
  struct gaps_record gaps;
  char *uuids[RECORD_DEVICES];
  struct attached_kernel *kernels;
  size_t n_kernels;
  struct sampling_record sampling;
  struct attached_function *functions;
  size_t n_functions;
  struct range_record *ranges; /* NVTX's */
  size_t n_ranges;
  struct note_record *notes;
  size_t n_notes;
  bool complete;     /* the process came to its end */
  bool timed_before; /* its times are an earlier run's (times_take) */
};

/* *out is all zero after a failure.  ERR_DATA "NAME:LINE: what is wrong". */
int attached_parse(struct attached_process *out, const char *name, const char *text, struct err *e);
void attached_release(struct attached_process *p); /* leaves *p all zero */
/* The kernels in the order of their GPU time, those of one time by name; the caller frees the list.
 * NULL: no memory. */
const struct attached_kernel **attached_by_time(const struct attached_process *p);
/* The kernel's GPU time: launches that were counted have none of their own, and are put at the mean of the others. */
double attached_time_ns(const struct attached_kernel *k);
/* That of all kernels, those beyond the ones that are told apart too. */
double attached_total_ns(const struct attached_process *p);
/* How many kernels have counters of every pass, and their GPU time. */
size_t attached_counted(const struct attached_process *p, double *ns);

#endif
