#include "profiler/measure/tune_search.h"
#include "base/clock.h"
#include "run/run.h"

#include "base/stats.h"
#include "base/text.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/measure/tune_batch.h"
#include "profiler/measure/tune_state.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  BATCH = 48,       /* configurations of one run: while it is measured, the next one is compiled */
  GRID_ROUNDS = 20, /* of timing, where the whole grid is measured */
  FIRST_ROUNDS = 3, /* of the first stage of halving */
  SURVIVORS = 32,   /* halving ends at this many */
  FINALISTS = 10,   /* of each shape, measured once more */
};
static const char state_name[] = "tune-state.json";

struct searching {
  const struct tune_request *request;
  struct tune_result *out;
  struct profile_options options;
  char *state_path, *key;
  size_t *left, n_left; /* configurations that take part still */
  double began_s;
  bool stopped; /* interrupted, or the budget is spent */
};

/* --- compiling ahead --- */

struct ahead { /* a process that fills the compile cache with the next batch */
  const struct searching *searching;
  struct tune_batch batch;
  pid_t child; /* 0: none */
};

/* The batch at the request's shapes; borrows both. */
static struct selection selection_of(const struct tune_batch *b, const struct tune_request *q) {
  return (struct selection){b->set, b->chosen, (struct shape *)q->shapes, q->n_shapes};
}

static void compile_ahead(void *context) {
  const struct ahead *a = context;
  const struct tune_request *q = a->searching->request;
  struct profile_options quiet = a->searching->options;
  struct rung_chip chip = gpu_probe_chip(q->gpu);
  struct run run;
  char arch[16];
  quiet.progress = NULL;
  const struct selection s = selection_of(&a->batch, q);
  profile_compile(&quiet, compile_arch(q->gpu->sm, arch), &chip, &s, &run, NULL);
}

/* Whether it worked shows when the batch is compiled in earnest. */
static void ahead_end(struct ahead *a) {
  enum { COMPILE_LIMIT_S = 600 };
  if (a->child)
    child_wait(a->child, profile_interrupted ? 0 : COMPILE_LIMIT_S, NULL);
  a->child = 0;
  tune_batch_release(&a->batch);
}

static void ahead_start(struct ahead *a, const struct searching *t, const size_t *configurations, size_t n, int stage) {
  *a = (struct ahead){.searching = t};
  if (n) {
    tune_batch_make(&a->batch, t->request->set, t->request->space, configurations, n, stage);
    child_start(&a->child, compile_ahead, a, NULL);
  }
}

/* --- stages --- */

static bool is_measured(const struct searching *t, size_t configuration, int stage) {
  char *id = tune_configuration_id(t->request->space, configuration);
  const struct run_variant *v = run_variant_find(&t->out->run, id);
  free(id);
  return v && tune_stage_of(v) >= stage;
}

/* A run that was cut short says nothing that can be trusted to be whole: it is left out. */
static int measure_batch(struct searching *t, const struct tune_batch *b, int rounds, struct err *e) {
  const struct tune_request *q = t->request;
  struct run run = {0};
  t->options.max_rounds = rounds;
  t->options.min_rounds = rounds < t->options.min_rounds ? rounds : t->options.min_rounds;
  const struct selection s = selection_of(b, q);
  int rc = profile_run(&t->options, q->gpu, &s, &run, e);
  t->stopped |= run.partial || profile_interrupted;
  if (!rc && !t->stopped)
    tune_state_append(&t->out->run, &run);
  if (!rc && !t->stopped)
    rc = tune_state_save(&t->out->run, t->state_path, t->key, e);
  run_release(&run);
  return rc;
}

static bool out_of_time(const struct searching *t) {
  return t->out->run.n_variants && clock_now_s() - t->began_s > t->request->budget_s;
}

/* Measures what has not been, a batch at a time; `left` grows by what is not reached. */
static int stage_run(struct searching *t, const size_t *configurations, size_t n, int rounds, int stage,
                     struct err *e) {
  size_t *todo = calloc(n + 1, sizeof *todo), n_todo = 0;
  for (size_t i = 0; i < n; i++)
    if (!is_measured(t, configurations[i], stage))
      todo[n_todo++] = configurations[i];
  int rc = 0;
  size_t step = stage == TUNE_FINAL_STAGE ? n_todo : BATCH, done = 0;
  while (done < n_todo && !rc && !t->stopped) {
    size_t take = n_todo - done < step ? n_todo - done : step, rest = n_todo - done - take;
    struct tune_batch b;
    struct ahead next;
    tune_batch_make(&b, t->request->set, t->request->space, todo + done, take, stage);
    ahead_start(&next, t, todo + done + take, rest < step ? rest : step, stage);
    rc = measure_batch(t, &b, rounds, e);
    ahead_end(&next);
    tune_batch_release(&b);
    done += t->stopped ? 0 : take;
    t->stopped |= done < n_todo && out_of_time(t);
  }
  if (stage == 0) {
    t->out->n_resumed += n - n_todo;
    t->out->n_measured += n - n_todo + done;
    t->out->n_left += n_todo - done;
  }
  free(todo);
  return rc;
}

/* --- who goes on --- */

struct scored {
  size_t configuration;
  double score; /* its time over the best, at the shape where that is least; 0: it has no time */
};

static double time_of(const struct run_result *r) {
  struct stats s;
  if (r->check.verdict == VERDICT_WRONG || r->check.verdict == VERDICT_FAILED || !r->timing.n)
    return 0;
  stats_of(&s, r->timing.samples_ns, r->timing.n, 0);
  return s.valid ? s.middle : 0;
}

static int by_score(const void *a, const void *b) {
  const struct scored *x = a, *y = b;
  if (x->score != y->score)
    return x->score < y->score ? -1 : 1;
  return x->configuration < y->configuration ? -1 : x->configuration > y->configuration;
}

/* times[c * n_shapes + s], 0 where there is none. */
static double *times_of(const struct searching *t, const size_t *configurations, size_t n) {
  const struct tune_request *q = t->request;
  double *times = calloc(n * q->n_shapes + 1, sizeof *times);
  for (size_t c = 0; c < n; c++) {
    char *id = tune_configuration_id(q->space, configurations[c]);
    for (size_t s = 0; s < q->n_shapes; s++) {
      const struct run_result *r = run_result_find(&t->out->run, id, q->shapes[s]);
      times[c * q->n_shapes + s] = r ? time_of(r) : 0;
    }
    free(id);
  }
  return times;
}

/* Puts the `keep` best of all shapes together first; returns how many have a time at all, `keep` at most. */
static void keep_best(const struct searching *t, size_t *configurations, size_t *n, size_t keep) {
  size_t shapes = t->request->n_shapes, timed = 0;
  double *times = times_of(t, configurations, *n), *best = calloc(shapes + 1, sizeof *best);
  struct scored *scored = calloc(*n + 1, sizeof *scored);
  for (size_t i = 0; i < *n * shapes; i++)
    if (times[i] > 0 && (best[i % shapes] == 0 || times[i] < best[i % shapes]))
      best[i % shapes] = times[i];
  for (size_t c = 0; c < *n; c++) {
    double least = 0;
    for (size_t s = 0; s < shapes; s++) {
      double at = times[c * shapes + s];
      if (at > 0 && (least == 0 || at / best[s] < least))
        least = at / best[s];
    }
    if (least > 0)
      scored[timed++] = (struct scored){configurations[c], least};
  }
  qsort(scored, timed, sizeof *scored, by_score);
  *n = timed < keep ? timed : keep;
  for (size_t i = 0; i < *n; i++)
    configurations[i] = scored[i].configuration;
  free(times);
  free(best);
  free(scored);
}

/* The fastest of each shape, in the order of their numbers. */
static void finalists(const struct searching *t, size_t *configurations, size_t *n) {
  size_t shapes = t->request->n_shapes, kept = 0;
  double *times = times_of(t, configurations, *n);
  for (size_t c = 0; c < *n; c++) {
    bool in = false;
    for (size_t s = 0; s < shapes && !in; s++) {
      size_t faster = 0;
      double own = times[c * shapes + s];
      for (size_t other = 0; other < *n; other++)
        faster += times[other * shapes + s] > 0 && times[other * shapes + s] < own;
      in = own > 0 && faster < FINALISTS;
    }
    if (in)
      configurations[kept++] = configurations[c];
  }
  free(times);
  *n = kept;
}

/* --- the search --- */

static int halve(struct searching *t, struct err *e) {
  bool grid = t->n_left <= TUNE_GRID_MAX;
  int rounds = grid ? GRID_ROUNDS : FIRST_ROUNDS, stage = 0;
  int rc = stage_run(t, t->left, t->n_left, rounds, stage, e);
  while (!grid && !rc && !t->stopped && t->n_left > SURVIVORS) {
    keep_best(t, t->left, &t->n_left, t->n_left / 2 > SURVIVORS ? t->n_left / 2 : SURVIVORS);
    rounds *= 2;
    rc = stage_run(t, t->left, t->n_left, rounds, ++stage, e);
  }
  t->out->stages = (size_t)stage + 1;
  return rc;
}

static int search(struct searching *t, struct err *e) {
  for (size_t i = 0; i < t->n_left; i++)
    t->left[i] = i;
  int rc = halve(t, e);
  if (!rc && !profile_interrupted)
    finalists(t, t->left, &t->n_left);
  if (rc || profile_interrupted || !t->n_left)
    return rc;
  bool spent = t->stopped; /* of the budget only: what was found is still measured against the rung itself */
  t->stopped = false;
  rc = stage_run(t, t->left, t->n_left, t->request->options->max_rounds, TUNE_FINAL_STAGE, e);
  t->stopped |= spent;
  return rc;
}

/* What of a run tells whether a state is of this search. */
static struct run alike(const struct tune_request *q, struct run_source *sources) {
  for (size_t i = 0; i < q->set->n_files; i++)
    sources[i] = (struct run_source){q->set->files[i].name, q->set->files[i].text};
  return (struct run){.l2 = (char *)l2_policy_name(q->options->l2),
                      .inputs = (char *)problem_inputs_name(q->options->inputs),
                      .seed = q->options->seed,
                      .device = {.uuid_hash = (char *)q->gpu->uuid_hash, .driver = (char *)q->gpu->driver},
                      .sources = sources,
                      .n_sources = q->set->n_files};
}

/* The rung, its values and the shapes: a search over others is another one. */
static char *search_key(const struct tune_request *q) {
  struct text key = {0};
  char shape[SHAPE_TEXT_MAX];
  text_printf(&key, "tune %s", q->space->rung->id);
  for (size_t a = 0; a < q->space->n_axes; a++) {
    text_printf(&key, "; %s in", q->space->rung->params[q->space->axes[a].param].name);
    for (size_t i = 0; i < q->space->axes[a].n; i++)
      text_printf(&key, " %ld", q->space->axes[a].values[i]);
  }
  for (size_t i = 0; i < q->n_shapes; i++)
    text_printf(&key, "; %s", shape_text(q->shapes[i], shape));
  return text_take(&key);
}

int tune_search(struct tune_result *out, const struct tune_request *q, struct err *e) {
  *out = (struct tune_result){0};
  struct searching t = {.request = q, .out = out, .options = *q->options, .began_s = clock_now_s()};
  static const enum profile_phase phases[] = {PHASE_CHECK, PHASE_TIME};
  memcpy(t.options.phases, phases, sizeof phases);
  t.options.n_phases = 2;
  t.options.sass = false;
  t.state_path = str_printf("%s/%s", q->folder, state_name);
  t.key = search_key(q);
  struct run_source *sources = calloc(q->set->n_files + 1, sizeof *sources);
  struct run like = alike(q, sources);
  tune_state_load(&out->run, t.state_path, &like, t.key);
  size_t *left = calloc(q->space->n + 1, sizeof *left);
  t.left = left;
  t.n_left = q->space->n;
  int rc = search(&t, e);
  out->run.partial = t.stopped;
  if (!rc && !t.stopped)
    unlink(t.state_path); /* whole: another search measures anew */
  free(t.state_path);
  free(t.key);
  free(sources);
  free(left);
  return rc;
}

void tune_result_release(struct tune_result *r) {
  run_release(&r->run);
}
