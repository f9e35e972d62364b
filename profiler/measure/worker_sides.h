/* What the two sides of a worker share: the parent's watch (worker.c) and the worker's own body (worker_child.c). */
#pragma once

#include "profiler/measure/collect.h"
#include "profiler/measure/worker.h"

/* Messages from the worker are lines: a letter, an index, a text.  Of a trial: R a result, X it failed, K it is skipped, W a phase goes on without it,
 * S a failure of one of the trials that were queued.  Of a phase: P it is done, L it is lost and why.  N a note, E why the device cannot be
 * used. */
struct working {
  struct measuring_plan *plan;
  struct session session;
  bool phase_done[PROFILE_PHASES];
  bool alone; /* run queued trials one by one: one of them took the last worker down, and nobody knows which */
};

/* Whether the trial that was last begun is the one to blame. */
bool worker_culprit_known(const struct working *w, enum profile_phase p);
/* Where a phase has left a trial nothing of what it owes: why. */
void worker_explain_absence(struct trial *trial, enum profile_phase p, const char *why);
int worker_emit(struct session *s, char kind, long index, const char *text);
/* The worker process, from its start to its end; context is a struct working. */
void worker_body(void *context);
