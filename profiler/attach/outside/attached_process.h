/* What the injected library has left of one process (profiler/attach/records/attach_record.h), put together. */
#pragma once

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

#define MEMBER_ONE(type, name) type name;
#define MEMBER_MANY(type, name)                                                                                        \
  type *name;                                                                                                          \
  size_t n_##name;
#define MEMBER_HEADS(type, name)               /* below */
#define MEMBER_TAKEN(type, name)               /* below */
#define MEMBER_OF_KERNEL(type, name)           /* attached_kernel */
#define MEMBER(upper, type, word, place, name) MEMBER_##place(type, name)

struct attached_process {
  RECORD_ROWS(MEMBER) /* `seen`, `totals`, `ranges` with `n_ranges`, ... */
  char *uuids[RECORD_DEVICES];
  struct attached_kernel *kernels;
  size_t n_kernels;
  struct attached_function *functions;
  size_t n_functions;
  bool complete;                     /* the process came to its end */
  int signal;                        /* that ended it; 0: none, or it is not known */
  bool first_only;                   /* of two runs there was no second */
  bool sampled_last;                 /* PC samples were being taken as it ended */
  bool timed_before, sampled_before; /* its times, its PC samples are an earlier run's (two_runs.c) */
};

/* *out is all zero after a failure.  ERR_DATA "NAME:LINE: what is wrong". */
int attached_parse(struct attached_process *out, const char *name, const char *text, struct err *e);
/* The same of a file. */
int attached_read(struct attached_process *out, const char *path, struct err *e);
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
