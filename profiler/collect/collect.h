/* Collectors: each measures one thing of every live job, leaves its part of the job's result, and is off before the next begins. */
#ifndef PROFILER_COLLECT_COLLECT_H
#define PROFILER_COLLECT_COLLECT_H

#include "profiler/gpu/session.h"

enum collect_part { COLLECT_CHECK, COLLECT_TIME, COLLECT_COUNTERS };

struct collector {
  const char *phase; /* for the progress bar: "check" */
  bool each;         /* a result is whole after its job, not only after the phase */
  bool optional;     /* an error costs this phase, not the run; it becomes a note */
  /* Runs over s->ready.  An error that is one job's is left in its result (dead) and is no error here. */
  int (*collect)(struct session *s, struct err *e);
};

extern const struct collector collect_check, collect_time, collect_counters;

/* Checks a generic rung against its reference (check_generic.c), as the check phase does with a rung of the GEMV. */
int check_generic(struct session *s, struct ready *r, struct err *e);

/* Whether this process may read the counters of the session's device: configures and enables them, and lets go. */
int counters_available(struct session *s, struct err *e);

/* Marks a job as failed, with the reason, and tells the parent. */
void collect_fail(struct session *s, struct ready *r, const char *reason);
/* Marks a job as one that cannot run on this machine, likewise. */
void collect_skip(struct session *s, struct ready *r, const char *reason);
/* Tells the parent a job's result. */
int collect_emit(struct session *s, struct ready *r);
/* Names the variant and shape around its launches for other tools (NVTX). */
void collect_range_push(const struct ready *r);
void collect_range_pop(void);

#endif
