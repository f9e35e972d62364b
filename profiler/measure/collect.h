/* Collectors: each measures one thing of every live job, leaves its part of the job's result, and is off before the next begins. */
#ifndef PROFILER_MEASURE_COLLECT_H
#define PROFILER_MEASURE_COLLECT_H

#include "profiler/measure/session.h"

struct collector {
  const char *phase; /* for the progress bar: "check" */
  bool each;         /* a result is whole after its job, not only after the phase */
  bool optional;     /* an error costs this phase, not the run; it becomes a note */
  bool
      instrumented; /* kernels do not run as they are: one that fails here loses this phase's part and is not called faulty */
  bool fresh;       /* wants a process in which no phase but the check has run */
  /* Runs over s->ready.  An error that is one job's is left in its result (dead) and is no error here. */
  int (*collect)(struct session *s, struct err *e);
};

extern const struct collector collect_check, collect_time, collect_counters, collect_stalls, collect_sass;

/* Checks a generic rung against its reference (check_generic.c), as the check phase does with a rung of the GEMV. */
int check_generic(struct session *s, struct ready *r, struct err *e);

/* Whether this process may read the counters of the session's device, sample its PCs, patch its SASS: configures and enables them, and lets go. */
int counters_available(struct session *s, struct err *e);
int stalls_available(struct session *s, struct err *e);
int sass_available(struct session *s, struct err *e);

/* The end of the time phase, while activity records are on: adds the metric fixed_ns to every ready job's result. */
void fixed_measure(struct session *s, bool activity);

/* Likewise, once they are off: adds the metric contest_ns.  An error is a kernel's; a machine that lacks the memory leaves the reason. */
int contest_measure(struct session *s, struct err *e);

/* Marks a job as failed, with the reason, and tells the parent. */
void collect_fail(struct session *s, struct ready *r, const char *reason);
/* Marks a job as one that cannot run on this machine, likewise. */
void collect_skip(struct session *s, struct ready *r, const char *reason);
/* Tells the parent a job's result. */
int collect_emit(struct session *s, struct ready *r);
/* Gives a result a metric, in the place of one of that name; what *m owns is the result's from here on, also after ERR_NOMEM. */
int collect_put_metric(struct run_result *r, struct run_metric *m);
/* A kernel of the job's module by its name; -1: there is none. */
int collect_find_kernel(const struct session *s, const struct ready *r, const char *name);
/* CUPTI's name of the session's chip; borrowed. */
int collect_chip(struct session *s, const char **chip, struct err *e);
double collect_now_s(void);
/* Names the variant and shape around its launches for other tools (NVTX). */
void collect_range_push(const struct ready *r);
void collect_range_pop(void);

#endif
