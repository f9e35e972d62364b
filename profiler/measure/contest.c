/* contest_ns: the time as the contest's harness takes it, for comparison with a leaderboard.  Before each repetition the inputs are written anew and
 * 4 GiB are written, then an event pair stands around the launch.  So it holds what the kernel time does not: the launch, and the write-back of the
 * lines that the write left in the L2.
 *
 * The values written are the same ones: a GEMV's time does not depend on them, and its result need not be checked again.
 */
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <stdlib.h>

enum { REPETITIONS = 30, WARM_UP = 2 };
static const size_t WRITTEN_BYTES = (size_t)4 << 30;

struct contest {
  struct session *s;
  CUdeviceptr written, copy; /* copy: of the inputs of one shape */
  CUevent start, end;
  double *sum_ns; /* one a ready trial */
};

static size_t input_bytes(struct shape s) {
  return problem_a_bytes(s) + problem_b_bytes(s) + problem_sfa_bytes(s) + problem_sfb_bytes(s);
}

static int contest_open(struct contest *w, struct err *e) {
  size_t most = 0;
  w->sum_ns = calloc(w->s->n_ready + 1, sizeof *w->sum_ns);
  for (size_t i = 0; i < w->s->n_problems; i++) {
    size_t bytes = input_bytes(w->s->problems[i].shape);
    most = bytes > most ? bytes : most;
  }
  int rc = session_alloc(w->s, &w->written, WRITTEN_BYTES, "what the contest's harness writes", e);
  if (!rc)
    rc = session_alloc(w->s, &w->copy, most, "a copy of the inputs", e);
  if (!rc)
    rc = CU_CALL(&w->s->driver, e, cuEventCreate, &w->start, CU_EVENT_DEFAULT);
  return rc ? rc : CU_CALL(&w->s->driver, e, cuEventCreate, &w->end, CU_EVENT_DEFAULT);
}

static void contest_close(struct contest *w) {
  if (w->written)
    w->s->driver.cuMemFree_v2(w->written);
  if (w->copy)
    w->s->driver.cuMemFree_v2(w->copy);
  free(w->sum_ns);
}

/* Between the inputs and their copy, one way or the other. */
static int copy_inputs(struct contest *w, const struct ready *r, bool back, struct err *e) {
  const struct device_shape *d = r->shape;
  struct shape s = r->trial->plan.shape;
  const struct {
    CUdeviceptr at;
    size_t bytes;
  } inputs[] = {{d->a, problem_a_bytes(s)},
                {d->b, problem_b_bytes(s)},
                {d->sfa, problem_sfa_bytes(s)},
                {d->sfb, problem_sfb_bytes(s)}};
  CUdeviceptr place = w->copy;
  int rc = 0;
  for (size_t i = 0; i < sizeof inputs / sizeof inputs[0] && !rc; i++) {
    CUdeviceptr to = back ? inputs[i].at : place, from = back ? place : inputs[i].at;
    rc = CU_CALL(&w->s->driver, e, cuMemcpyDtoDAsync_v2, to, from, inputs[i].bytes, w->s->stream);
    place += inputs[i].bytes;
  }
  return rc;
}

static int repeat(struct contest *w, const struct ready *r, float *ms, struct err *e) {
  session_beat(w->s, r->trial->index);
  int rc = session_prepare(w->s, r, e);
  if (!rc)
    rc = copy_inputs(w, r, true, e);
  if (!rc)
    rc = CU_CALL(&w->s->driver, e, cuMemsetD8Async, w->written, 0, WRITTEN_BYTES, w->s->stream);
  if (!rc)
    rc = CU_CALL(&w->s->driver, e, cuEventRecord, w->start, w->s->stream);
  if (!rc)
    rc = session_launch(w->s, r, e);
  if (!rc)
    rc = CU_CALL(&w->s->driver, e, cuEventRecord, w->end, w->s->stream);
  if (!rc)
    rc = session_wait(w->s, e);
  return rc ? rc : CU_CALL(&w->s->driver, e, cuEventElapsedTime_v2, ms, w->start, w->end);
}

static int measure_trial(struct contest *w, const struct ready *r, double *sum_ns, struct err *e) {
  int rc = copy_inputs(w, r, false, e);
  for (int i = 0; i < WARM_UP + REPETITIONS && !rc; i++) {
    float ms = 0;
    rc = repeat(w, r, &ms, e);
    *sum_ns += i >= WARM_UP ? 1e6 * (double)ms : 0;
  }
  return rc ? err_context(e, "%s", r->trial->plan.rung->id) : 0;
}

static void put_result(struct ready *r, double sum_ns, const char *why) {
  char *source =
      why ? NULL
          : str_printf("event pair around the launch, after the inputs and %zu bytes were written; mean of %d",
                       WRITTEN_BYTES, REPETITIONS);
  collect_put_metric(r->trial->result, "contest_ns", "ns", source, sum_ns / REPETITIONS, why);
}

int contest_measure(struct session *s, struct err *e) {
  struct contest w = {.s = s};
  struct err why = {0};
  int rc = 0;
  bool open = contest_open(&w, &why) == 0;
  for (size_t i = 0; i < s->n_ready && !rc; i++) {
    struct ready *r = &s->ready[i];
    bool gemv = r->shape;
    if (open && gemv)
      rc = measure_trial(&w, r, &w.sum_ns[i], e);
    if (!rc)
      put_result(r, w.sum_ns[i], !open ? why.text : gemv ? NULL : "the contest has the NVFP4 GEMV only");
  }
  contest_close(&w);
  char *note =
      open
          ? str_copy(
                "contest: an event pair around the launch, after the inputs and 4 GiB were written; it includes the launch and the write-back of the lines left dirty in the L2, which the kernel time does not")
          : str_printf("no times of the contest's harness: %s", why.text);
  if (!rc)
    s->emit(s, 'N', -1, note);
  free(note);
  return rc;
}
