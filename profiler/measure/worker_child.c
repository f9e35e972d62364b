/* The worker's own side: it loads the trials, runs the phases and tells the parent. */
#include "base/text.h"
#include "profiler/measure/worker_sides.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int worker_emit(struct session *s, char kind, long index, const char *text) {
  char head[32];
  int n = snprintf(head, sizeof head, "%c %ld ", kind, index);
  struct text line = {0};
  text_add_n(&line, head, (size_t)n);
  for (const char *p = text; *p; p++)
    text_add_n(&line, *p == '\n' ? "\r" : p, 1); /* a message is one line; \r comes back as \n */
  text_add(&line, "\n");
  size_t written = 0;
  while (written < line.n) {
    ssize_t w = write(s->pipe, line.s + written, line.n - written);
    if (w < 0 && errno != EINTR)
      break;
    written += w > 0 ? (size_t)w : 0;
  }
  bool whole = written == line.n;
  text_release(&line);
  return whole ? 0 : ERR_IO;
}

static int load_trials(struct working *w, struct err *e) {
  struct session *s = &w->session;
  s->ready = calloc(w->plan->n_trials + 1, sizeof *s->ready);
  for (size_t i = 0; i < w->plan->n_trials; i++) {
    struct trial *trial = &w->plan->trials[i];
    struct err why = {0};
    if (trial->dead || !trial->compiled)
      continue;
    struct ready *r = &s->ready[s->n_ready];
    session_beat(s, trial->index);
    int rc = session_load(s, trial, r, &why);
    if (rc == 0)
      s->n_ready++;
    else if (rc == ERR_MACHINE)
      collect_skip(s, r, why.text);
    else
      collect_fail(s, r, why.text);
    if (rc == ERR_GPU && s->driver.cuCtxSynchronize() != CUDA_SUCCESS)
      _exit(1); /* a setup took the context down, and the parent knows whose: the next worker goes on without it */
  }
  session_beat(s, -1);
  return session_wait(s, e);
}

/* Trials that died since they were loaded leave the list: later phases run what is left. */
static void drop_dead(struct session *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n_ready; i++)
    if (!s->ready[i].trial->dead)
      s->ready[n++] = s->ready[i];
  s->n_ready = n;
}

bool worker_culprit_known(const struct working *w, enum profile_phase p) {
  return w->alone || !phase_rows[p].collector->queued;
}

void worker_explain_absence(struct trial *trial, enum profile_phase p, const char *why) {
  const struct collector *c = phase_rows[p].collector;
  if (c->explain_absence)
    c->explain_absence(trial->result, why);
}

/* One trial after the other. */
static int collect_alone(struct session *s, const struct collector *c, struct err *e) {
  struct ready *all = s->ready;
  size_t n = s->n_ready;
  int rc = 0;
  s->n_ready = 1;
  for (size_t i = 0; i < n && !rc; i++) {
    s->ready = &all[i];
    rc = c->collect(s, e);
  }
  s->ready = all;
  s->n_ready = n;
  return rc;
}

/* Moves the trials that a phase goes without behind the others; returns how many are left. */
static size_t set_aside(struct session *s, enum profile_phase p) {
  size_t n = 0;
  for (size_t i = 0; i < s->n_ready; i++) {
    struct ready one = s->ready[i];
    if (one.trial->without[p])
      continue;
    memmove(&s->ready[n + 1], &s->ready[n], (i - n) * sizeof one);
    s->ready[n++] = one;
  }
  return n;
}

static int run_phase(struct working *w, enum profile_phase p, struct err *e) {
  const struct collector *c = phase_rows[p].collector;
  struct session *s = &w->session;
  snprintf(s->pulse->phase, sizeof s->pulse->phase, "%s", phase_rows[p].name);
  atomic_store(&s->pulse->at, p);
  atomic_store(&s->pulse->total, 0);
  session_beat(s, -1);
  drop_dead(s);
  size_t all = s->n_ready;
  s->n_ready = set_aside(s, p);
  int rc = !s->n_ready ? 0 : w->alone && c->queued ? collect_alone(s, c, e) : c->collect(s, e);
  s->n_ready = all;
  return rc;
}

/* Tells the parent that a phase failed.  Where a kernel took the context down, this worker ends and the next goes on without that trial; another
 * failure of an optional phase, a refusal of CUPTI's, costs the phase. */
static void end_failed(struct working *w, enum profile_phase p, const struct err *why) {
  struct session *s = &w->session;
  long trial = atomic_load(&s->pulse->trial); /* what ran last */
  bool lost = s->driver.cuCtxSynchronize() != CUDA_SUCCESS;
  if (phase_rows[p].collector->optional && (!lost || trial < 0)) {
    for (size_t i = 0; i < s->n_ready; i++) /* here too: a later phase may tell of the trial again */
      worker_explain_absence(s->ready[i].trial, p, why->text);
    worker_emit(s, 'L', (long)p, why->text);
    worker_emit(s, 'P', (long)p, "");
    if (lost)
      _exit(0);
  } else {
    worker_emit(s, trial < 0 ? 'E' : 'S', trial, why->text);
    _exit(1);
  }
}

void worker_body(void *context) {
  struct working *w = context;
  struct session *s = &w->session;
  struct err e = {0};
  if (session_open(s, w->plan->own, w->plan->problems, w->plan->n_problems, &e) || load_trials(w, &e)) {
    worker_emit(s, 'E', -1, e.text);
    _exit(1);
  }
  bool fresh = true;
  for (size_t i = 0; i < w->plan->options->n_phases; i++) {
    enum profile_phase p = w->plan->options->phases[i];
    if (w->phase_done[p])
      continue;
    if (phase_rows[p].collector->fresh && !fresh)
      _exit(0); /* the parent starts another worker for what is left */
    fresh = fresh && (p == PHASE_CHECK || p == PHASE_TIME);
    if (run_phase(w, p, &e))
      end_failed(w, p, &e);
    else
      worker_emit(s, 'P', (long)p, "");
  }
}
