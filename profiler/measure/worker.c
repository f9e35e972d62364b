#include "profiler/measure/worker.h"

#include "base/clock.h"
#include "base/text.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/measure/worker_sides.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESTARTS_MAX = 50, START_LIMIT_S = 120 };

struct watch {
  struct measuring_plan *plan;
  struct working *working;
  struct text partial; /* of a line */
  bool phase_done[PROFILE_PHASES];
  bool progressed; /* a trial died, a phase ended or a suspicion arose: a new worker can help */
  bool alone;      /* the next worker times the trials one by one */
  bool told;       /* the worker said why it ends, or was killed for it */
  struct err fatal;
};

static struct trial *trial_of(const struct watch *w, long index) {
  for (size_t i = 0; i < w->plan->n_trials; i++)
    if (w->plan->trials[i].index == index)
      return &w->plan->trials[i];
  return NULL;
}

static void end_trial(struct watch *w, long index, enum run_verdict verdict, const char *why) {
  struct trial *trial = trial_of(w, index);
  if (!trial || trial->dead)
    return;
  trial->dead = true;
  trial->result->check.verdict = verdict;
  free(trial->result->check.reason);
  trial->result->check.reason = str_copy(why);
  w->progressed = true;
  w->alone = false;
}

static void fail_trial(struct watch *w, long index, const char *why) {
  end_trial(w, index, VERDICT_FAILED, why);
}

static void add_note(struct watch *w, char *sentence) { /* takes the sentence */
  run_note(w->plan->run, sentence);
  free(sentence);
}

/* An optional phase cannot be had on this machine. */
static void lose_phase(struct watch *w, enum profile_phase p, const char *why) {
  w->phase_done[p] = w->progressed = true;
  add_note(w, str_printf("no %s: %s", phase_rows[p].name, why));
  for (size_t i = 0; i < w->plan->n_trials; i++)
    if (!w->plan->trials[i].dead)
      worker_explain_absence(&w->plan->trials[i], p, why);
}

/* An optional phase goes on without this trial.  The kernel as it is has failed; or only under CUPTI's instruments, which says nothing of it. */
static void go_without(struct watch *w, enum profile_phase p, long index, const char *why) {
  struct trial *trial = trial_of(w, index);
  char shape[SHAPE_TEXT_MAX];
  if (!trial || trial->dead)
    return;
  trial->without[p] = w->progressed = true;
  worker_explain_absence(trial, p, why);
  add_note(w, str_printf("no %s of %s %s: %s", phase_rows[p].name, trial->plan.rung->id,
                         shape_text(trial->plan.shape, shape), why));
  if (!phase_rows[p].collector->instrumented)
    fail_trial(w, index, why);
}

/* A trial seems to have taken the worker down or to hang. */
static void blame(struct watch *w, long index, const char *why) {
  int p = atomic_load(&w->working->session.pulse->at);
  if (p >= 0 && phase_rows[p].collector->optional)
    go_without(w, (enum profile_phase)p, index, why);
  else if (p < 0 || worker_culprit_known(w->working, (enum profile_phase)p))
    fail_trial(w, index, why);
  else
    w->alone = w->progressed = true;
}

/* The worker is gone, and no trial was at work. */
static void blame_nobody(struct watch *w, const char *why) {
  int p = atomic_load(&w->working->session.pulse->at);
  if (p >= 0 && phase_rows[p].collector->optional)
    lose_phase(w, (enum profile_phase)p, why);
  else
    err_set(&w->fatal, ERR_GPU, "%s", why);
}

static void take_result(struct watch *w, long index, const char *line) {
  struct run_result fresh;
  struct err e = {0};
  if (run_result_from_line(&fresh, line, &e)) {
    fail_trial(w, index, e.text);
    return;
  }
  struct trial *trial = trial_of(w, index);
  if (!trial) {
    run_result_release(&fresh);
    return;
  }
  run_result_release(trial->result);
  *trial->result = fresh;
  trial->checked = true;
  trial->dead = fresh.check.verdict == VERDICT_WRONG;
}

static void take_line(struct watch *w, char *line) {
  char *rest = NULL;
  long index = strlen(line) > 2 ? strtol(line + 2, &rest, 10) : -1;
  const char *text = rest && *rest ? rest + 1 : "";
  if (line[0] != 'R')
    for (char *p = line; *p; p++)
      *p = *p == '\r' ? '\n' : *p;
  w->told = w->told || line[0] == 'X' || line[0] == 'S' || line[0] == 'E';
  if (line[0] == 'R') {
    take_result(w, index, text);
  } else if (line[0] == 'X') {
    fail_trial(w, index, text);
  } else if (line[0] == 'K') {
    end_trial(w, index, VERDICT_SKIPPED, text);
  } else if (line[0] == 'S') {
    blame(w, index, text);
  } else if (line[0] == 'N') {
    run_note(w->plan->run, text);
  } else if (line[0] == 'L' && index >= 0 && index < PROFILE_PHASES) {
    lose_phase(w, (enum profile_phase)index, text);
  } else if (line[0] == 'P' && index >= 0 && index < PROFILE_PHASES) {
    w->phase_done[index] = w->progressed = true;
    if (phase_rows[index].collector->queued && w->working->alone)
      run_note(
          w->plan->run,
          "times were taken one variant after the other, not interleaved: the GPU process failed in phase time, but with no variant alone");
  } else if (line[0] == 'E') {
    err_set(&w->fatal, ERR_GPU, "%s", text);
  }
}

/* Takes what is in the pipe; false at its end. */
static bool drain(struct watch *w, int pipe) {
  char buffer[1 << 16];
  ssize_t n = read(pipe, buffer, sizeof buffer);
  if (n < 0)
    return errno == EINTR || errno == EAGAIN;
  for (const char *p = buffer, *end = buffer + n; p < end;) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    text_add_n(&w->partial, p, (size_t)((newline ? newline : end) - p));
    if (!newline)
      break;
    if (w->partial.s)
      take_line(w, w->partial.s);
    text_release(&w->partial);
    p = newline + 1;
  }
  return n > 0;
}

static void show_progress(const struct watch *w) {
  const struct profile_options *o = w->plan->options;
  const struct pulse *pulse = w->working->session.pulse;
  const struct trial *trial = trial_of(w, atomic_load(&pulse->trial));
  size_t total = atomic_load(&pulse->total), done = atomic_load(&pulse->done);
  if (trial && !total) { /* the phase goes through the trials one by one */
    done = (size_t)(trial - w->plan->trials);
    total = w->plan->n_trials;
  }
  if (o->progress)
    o->progress(pulse->phase, done, total, trial ? trial->plan.rung->id : "");
}

/* Reads until the worker ends, hangs or the user interrupts. */
static void watch_worker(struct watch *w, pid_t child, int pipe) {
  const struct pulse *pulse = w->working->session.pulse;
  unsigned long beats = atomic_load(&pulse->beats);
  double last_s = clock_now_s();
  for (bool open = true; open;) {
    struct pollfd p = {.fd = pipe, .events = POLLIN};
    int ready = poll(&p, 1, 50);
    if (profile_interrupted) {
      kill(child, SIGKILL);
      w->told = true;
      return;
    }
    if (ready > 0)
      open = drain(w, pipe);
    show_progress(w);
    if (atomic_load(&pulse->beats) != beats) {
      beats = atomic_load(&pulse->beats);
      last_s = clock_now_s();
    }
    long trial = atomic_load(&pulse->trial);
    double limit_s = trial >= 0 ? w->plan->options->hang_limit_s : START_LIMIT_S;
    if (open && clock_now_s() - last_s > limit_s) {
      kill(child, SIGKILL);
      w->told = true;
      char *why = str_printf("hung in phase %s: no sign of life for %.0f s", pulse->phase, limit_s);
      if (trial >= 0)
        blame(w, trial, why);
      else
        blame_nobody(w, why);
      free(why);
      return;
    }
  }
}

/* A worker that ended and did not say why: what it was at has killed it. */
static void explain_end(struct watch *w, int status) {
  const struct pulse *pulse = w->working->session.pulse;
  long trial = atomic_load(&pulse->trial);
  char *how = WIFSIGNALED(status) ? str_printf("by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)))
                                  : str_printf("with exit code %d", WEXITSTATUS(status));
  char *why = str_printf("took its process down in phase %s: it ended %s", pulse->phase, how);
  if (trial >= 0)
    blame(w, trial, why);
  else
    blame_nobody(w, why);
  free(how);
  free(why);
}

/* One life of the worker. */
static int run_once(struct watch *w, struct err *e) {
  int ends[2];
  if (pipe(ends))
    return err_set(e, ERR_MACHINE, "pipe: %s", strerror(errno));
  struct working *working = w->working;
  memcpy(working->phase_done, w->phase_done, sizeof working->phase_done);
  working->session.pipe = ends[1];
  working->alone = w->alone;
  struct pulse *pulse = working->session.pulse;
  atomic_store(&pulse->trial, -1);
  atomic_store(&pulse->at, -1);
  snprintf(pulse->phase, sizeof pulse->phase, "start");
  pid_t child;
  int rc = child_start(&child, worker_body, working, e);
  close(ends[1]);
  if (!rc) {
    w->progressed = w->told = false;
    watch_worker(w, child, ends[0]);
    int status = child_reap(child);
    if (!w->told && (WIFSIGNALED(status) || WEXITSTATUS(status)))
      explain_end(w, status);
    text_release(&w->partial);
  }
  close(ends[0]);
  return rc;
}

static bool all_done(const struct watch *w) {
  const struct profile_options *o = w->plan->options;
  for (size_t i = 0; i < o->n_phases; i++)
    if (!w->phase_done[o->phases[i]])
      return false;
  return true;
}

int worker_run(struct measuring_plan *plan, struct err *e) {
  struct working *working = calloc(1, sizeof *working);
  struct pulse *pulse = child_share(sizeof *pulse);
  struct watch w = {.plan = plan, .working = working};
  int rc = 0;
  if (!pulse) {
    rc = err_nomem(e, "the worker");
    goto out;
  }
  snprintf(pulse->phase, sizeof pulse->phase, "start");
  working->plan = plan;
  working->session.options = plan->options;
  working->session.gpu = plan->gpu;
  working->session.pulse = pulse;
  working->session.emit = worker_emit;
  working->session.modules = plan->run->modules;
  working->session.generics = plan->generics;
  working->session.n_generics = plan->n_generics;
  for (int life = 0; !rc && !all_done(&w) && !profile_interrupted; life++) {
    rc = run_once(&w, e);
    if (!rc && w.fatal.code)
      rc = err_set(e, w.fatal.code, "%s", w.fatal.text);
    else if (!rc && !all_done(&w) && !profile_interrupted && (!w.progressed || life == RESTARTS_MAX))
      rc = err_set(e, ERR_GPU, "the GPU process ended again and again without finishing phase %s", pulse->phase);
  }
  if (profile_interrupted) {
    plan->run->partial = true;
    free(plan->run->partial_reason);
    plan->run->partial_reason = str_printf("interrupted in phase %s", pulse->phase);
  }
out:
  child_unshare(pulse, sizeof *pulse);
  free(working);
  return rc;
}
