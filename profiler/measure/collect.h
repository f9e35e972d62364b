/* Collectors: each measures one thing of every live trial, leaves its part of the trial's result, and is off before the next begins. */
#pragma once

#include "profiler/measure/session.h"

struct collector {
  bool optional;     /* an error costs this phase, not the run; it becomes a note */
  bool instrumented; /* kernels do not run as they are: one that fails here loses this phase's part, and
                        is not called faulty */
  bool fresh;        /* wants a process in which no phase but the check and the times has run */
  bool queued;       /* trials are queued ahead of the GPU: the one that was begun last need not be the culprit */
  /* Runs over s->ready.  An error that is one trial's is left in its result (dead) and is no error here. */
  int (*collect)(struct session *s, struct err *e);
  /* Where the phase has left a result nothing of what it owes: why.  NULL: it owes nothing. */
  void (*explain_absence)(struct run_result *r, const char *why);
};

struct phase_row {
  const char *name; /* "check" */
  const struct collector *collector;
};
extern const struct phase_row phase_rows[PROFILE_PHASES];

/* A phase's row, at the end of its file, is its collector; cmake/rows.cmake gathers them, and the number orders them. */
#define PHASE_ROW(number, upper, lower) const struct collector collect_##lower

/* Sets a reason that is not there yet. */
void collect_explain(char **reason, const char *why);

/* Checks a generic rung against its reference (check_generic.c), as the check phase does with a rung of the GEMV. */
int check_generic(struct session *s, struct ready *r, struct err *e);

/* The end of the time phase, while activity records are on: adds the metric fixed_ns to every ready trial's result. */
void fixed_measure(struct session *s, bool activity);

/* Likewise, once they are off: adds the metric contest_ns.  An error is a kernel's; a machine that lacks the memory leaves the reason. */
int contest_measure(struct session *s, struct err *e);

/* Marks a trial as failed, with the reason, and tells the parent. */
void collect_fail(struct session *s, struct ready *r, const char *reason);
/* Marks a trial as one that cannot run on this machine, likewise. */
void collect_skip(struct session *s, struct ready *r, const char *reason);
/* Tells the parent a trial's result. */
int collect_emit(struct session *s, struct ready *r);
/* Gives a result a metric, in the place of one of that name; reason: why there is no value, NULL: there is.  source is the result's from here on. */
void collect_put_metric(struct run_result *r, const char *name, const char *unit, char *source, double value,
                        const char *reason);
/* A kernel of the trial's module by its name; -1: there is none. */
int collect_find_kernel(const struct session *s, const struct ready *r, const char *name);
/* Names the variant and shape around its launches for other tools (NVTX). */
void collect_range_push(const struct ready *r);
void collect_range_pop(void);
