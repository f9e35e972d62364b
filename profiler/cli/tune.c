#include "profiler/cli/tune.h"
#include "run/run.h"

#include "base/stats.h"
#include "base/text.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/tune_state.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/interrupted.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  BATCH = 48,           /* configurations of one run: while it is measured, the next one is compiled */
  GRID_ROUNDS = 20,     /* of timing, where the whole grid is measured */
  FIRST_ROUNDS = 3,     /* of the first stage of halving */
  SURVIVORS = 32,       /* halving ends at this many */
  FINALISTS = 10,       /* of each shape, measured once more */
  FINAL_STAGE = 1 << 20 /* above every other */
};
static const char state_name[] = "tune-state.json", stage_mark[] = "stage ";

struct searching {
  const struct tune_request *request;
  struct tune_result *out;
  struct profile_options options;
  char *state_path, *key;
  double began_s;
  bool stopped; /* interrupted, or the budget is spent */
};

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- configurations as rungs --- */

static long value_of_axis(const struct tune_space *s, size_t configuration, size_t axis) {
  for (size_t i = 0; i < axis; i++)
    configuration /= s->axes[i].n;
  return s->axes[axis].values[configuration % s->axes[axis].n];
}

static char *configuration_id(const struct tune_space *s, size_t configuration) {
  struct text id = {0};
  text_add(&id, s->rung->id);
  const char *separator = "#";
  for (size_t a = 0; a < s->n_axes; a++) {
    if (s->axes[a].n < 2)
      continue;
    text_printf(&id, "%s%s=%ld", separator, s->rung->params[s->axes[a].param].name, value_of_axis(s, configuration, a));
    separator = ",";
  }
  return text_take(&id);
}

struct
    batch { /* rungs that borrow everything but their ids and parameters; the last is the rung itself where it takes part */
  struct rung_set set;
  bool *chosen;
  size_t n_made; /* those that own an id and parameters */
};

static int configuration_rung(struct rung *out, const struct tune_space *s, size_t configuration, int stage,
                              struct err *e) {
  *out = *s->rung;
  out->id = configuration_id(s, configuration);
  out->parent = NULL;
  out->n_whens = out->n_published =
      0; /* a shape's own values and the published figures are of the rung as it was written */
  out->change = stage == FINAL_STAGE ? str_copy("final") : str_printf("%s%d", stage_mark, stage);
  out->params = calloc(s->rung->n_params + 1, sizeof *out->params);
  if (!out->id || !out->params || !out->change)
    return err_nomem(e, "a configuration");
  memcpy(out->params, s->rung->params, s->rung->n_params * sizeof *out->params);
  for (size_t a = 0; a < s->n_axes; a++)
    out->params[s->axes[a].param].value = value_of_axis(s, configuration, a);
  return 0;
}

static void batch_release(struct batch *b) {
  for (size_t i = 0; i < b->n_made; i++) {
    free(b->set.rungs[i].id);
    free(b->set.rungs[i].change);
    free(b->set.rungs[i].params);
  }
  free(b->set.rungs);
  free(b->chosen);
  *b = (struct batch){0};
}

static int batch_make(struct batch *out, const struct searching *t, const size_t *configurations, size_t n, int stage,
                      struct err *e) {
  const struct tune_space *s = t->request->space;
  *out = (struct batch){.set = {.files = t->request->set->files, .n_files = t->request->set->n_files}};
  out->set.rungs = calloc(n + 1, sizeof *out->set.rungs);
  out->chosen = calloc(n + 1, sizeof *out->chosen);
  int result = out->set.rungs && out->chosen ? 0 : err_nomem(e, "configurations");
  for (size_t i = 0; i < n && !result; i++) {
    out->n_made++;
    result = configuration_rung(&out->set.rungs[i], s, configurations[i], stage, e);
  }
  out->set.n = n;
  if (!result && stage == FINAL_STAGE)
    out->set.rungs[out->set.n++] = *s->rung;
  for (size_t i = 0; i < out->set.n && !result; i++)
    out->chosen[i] = true;
  return result;
}

/* --- compiling ahead --- */

struct ahead { /* a process that fills the compile cache with the next batch */
  const struct searching *searching;
  struct batch batch;
  pid_t child; /* 0: none */
};

static void compile_ahead(void *context) {
  const struct ahead *a = context;
  const struct tune_request *q = a->searching->request;
  struct profile_options quiet = a->searching->options;
  struct rung_chip chip = gpu_probe_chip(q->gpu);
  struct run run;
  char arch[16];
  quiet.progress = NULL;
  profile_compile(&quiet, compile_arch(q->gpu->sm, arch), &chip, &a->batch.set, a->batch.chosen, q->shapes, q->n_shapes,
                  &run, NULL);
}

/* Whether it worked shows when the batch is compiled in earnest. */
static void ahead_end(struct ahead *a) {
  enum { COMPILE_LIMIT_S = 600 };
  if (a->child)
    child_wait(a->child, profile_interrupted ? 0 : COMPILE_LIMIT_S, NULL);
  a->child = 0;
  batch_release(&a->batch);
}

static void ahead_start(struct ahead *a, const struct searching *t, const size_t *configurations, size_t n, int stage) {
  *a = (struct ahead){.searching = t};
  if (n && !batch_make(&a->batch, t, configurations, n, stage, NULL))
    child_start(&a->child, compile_ahead, a, NULL);
}

/* --- stages --- */

static int stage_of(const struct run_variant *v) {
  if (!v->change || strncmp(v->change, stage_mark, sizeof stage_mark - 1) != 0)
    return FINAL_STAGE;
  return (int)strtol(v->change + sizeof stage_mark - 1, NULL, 10);
}

static bool is_measured(const struct searching *t, size_t configuration, int stage) {
  char *id = configuration_id(t->request->space, configuration);
  const struct run_variant *v = id ? run_variant_find(&t->out->run, id) : NULL;
  free(id);
  return v && stage_of(v) >= stage;
}

/* A run that was cut short says nothing that can be trusted to be whole: it is left out. */
static int measure_batch(struct searching *t, const struct batch *b, int rounds, struct err *e) {
  const struct tune_request *q = t->request;
  struct run run = {0};
  t->options.max_rounds = rounds;
  t->options.min_rounds = rounds < t->options.min_rounds ? rounds : t->options.min_rounds;
  int result = profile_run(&t->options, q->gpu, &b->set, b->chosen, q->shapes, q->n_shapes, &run, e);
  t->stopped |= run.partial || profile_interrupted;
  if (!result && !t->stopped)
    result = state_append(&t->out->run, &run, e);
  if (!result && !t->stopped)
    result = state_save(&t->out->run, t->state_path, t->key, e);
  run_release(&run);
  return result;
}

static bool out_of_time(const struct searching *t) {
  return t->out->run.n_variants && now_s() - t->began_s > t->request->budget_s;
}

/* Measures what has not been, a batch at a time; `left` grows by what is not reached. */
static int stage_run(struct searching *t, const size_t *configurations, size_t n, int rounds, int stage,
                     struct err *e) {
  size_t *todo = calloc(n + 1, sizeof *todo), n_todo = 0;
  if (!todo)
    return err_nomem(e, "the search");
  for (size_t i = 0; i < n; i++)
    if (!is_measured(t, configurations[i], stage))
      todo[n_todo++] = configurations[i];
  int result = 0;
  size_t step = stage == FINAL_STAGE ? n_todo : BATCH, done = 0;
  while (done < n_todo && !result && !t->stopped) {
    size_t take = n_todo - done < step ? n_todo - done : step, rest = n_todo - done - take;
    struct batch b;
    struct ahead next;
    result = batch_make(&b, t, todo + done, take, stage, e);
    ahead_start(&next, t, todo + done + take, rest < step ? rest : step, stage);
    if (!result)
      result = measure_batch(t, &b, rounds, e);
    ahead_end(&next);
    batch_release(&b);
    done += t->stopped ? 0 : take;
    t->stopped |= done < n_todo && out_of_time(t);
  }
  if (stage == 0) {
    t->out->n_resumed = n - n_todo;
    t->out->n_measured = n - n_todo + done;
    t->out->n_left = n_todo - done;
  }
  free(todo);
  return result;
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
  for (size_t c = 0; times && c < n; c++) {
    char *id = configuration_id(q->space, configurations[c]);
    for (size_t s = 0; id && s < q->n_shapes; s++) {
      const struct run_result *r = run_result_find(&t->out->run, id, q->shapes[s]);
      times[c * q->n_shapes + s] = r ? time_of(r) : 0;
    }
    free(id);
  }
  return times;
}

/* Puts the `keep` best of all shapes together first; returns how many have a time at all, `keep` at most. */
static int keep_best(const struct searching *t, size_t *configurations, size_t *n, size_t keep, struct err *e) {
  size_t shapes = t->request->n_shapes, timed = 0;
  double *times = times_of(t, configurations, *n), *best = calloc(shapes + 1, sizeof *best);
  struct scored *scored = calloc(*n + 1, sizeof *scored);
  int result = times && best && scored ? 0 : err_nomem(e, "the search");
  for (size_t i = 0; i < *n * shapes && !result; i++)
    if (times[i] > 0 && (best[i % shapes] == 0 || times[i] < best[i % shapes]))
      best[i % shapes] = times[i];
  for (size_t c = 0; c < *n && !result; c++) {
    double least = 0;
    for (size_t s = 0; s < shapes; s++) {
      double at = times[c * shapes + s];
      if (at > 0 && (least == 0 || at / best[s] < least))
        least = at / best[s];
    }
    if (least > 0)
      scored[timed++] = (struct scored){configurations[c], least};
  }
  if (!result) {
    qsort(scored, timed, sizeof *scored, by_score);
    *n = timed < keep ? timed : keep;
    for (size_t i = 0; i < *n; i++)
      configurations[i] = scored[i].configuration;
  }
  free(times);
  free(best);
  free(scored);
  return result;
}

/* The fastest of each shape, in the order of their numbers. */
static int finalists(const struct searching *t, size_t *configurations, size_t *n, struct err *e) {
  size_t shapes = t->request->n_shapes, kept = 0;
  double *times = times_of(t, configurations, *n);
  if (!times)
    return err_nomem(e, "the search");
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
  return 0;
}

/* --- the search --- */

static int search(struct searching *t, size_t *configurations, size_t n, struct err *e) {
  bool grid = n <= TUNE_GRID_MAX;
  int rounds = grid ? GRID_ROUNDS : FIRST_ROUNDS, stage = 0;
  int result = stage_run(t, configurations, n, rounds, stage, e);
  while (!grid && !result && !t->stopped && n > SURVIVORS) {
    result = keep_best(t, configurations, &n, n / 2 > SURVIVORS ? n / 2 : SURVIVORS, e);
    rounds *= 2;
    if (!result)
      result = stage_run(t, configurations, n, rounds, ++stage, e);
  }
  t->out->stages = (size_t)stage + 1;
  if (!result && !profile_interrupted)
    result = finalists(t, configurations, &n, e);
  bool had_time = !t->stopped || !profile_interrupted;
  int final_rounds = t->request->options->max_rounds;
  if (result || profile_interrupted || !had_time || !n)
    return result;
  bool spent = t->stopped; /* of the budget only: what was found is still measured against the rung itself */
  t->stopped = false;
  result = stage_run(t, configurations, n, final_rounds, FINAL_STAGE, e);
  t->stopped |= spent;
  return result;
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
  struct searching t = {.request = q, .out = out, .options = *q->options, .began_s = now_s()};
  static const enum profile_phase phases[] = {PHASE_CHECK, PHASE_TIME};
  memcpy(t.options.phases, phases, sizeof phases);
  t.options.n_phases = 2;
  t.options.sass = false;
  t.state_path = str_printf("%s/%s", q->folder, state_name);
  t.key = search_key(q);
  struct run_source *sources = calloc(q->set->n_files + 1, sizeof *sources);
  size_t *configurations = calloc(q->space->n + 1, sizeof *configurations);
  int result = t.state_path && t.key && sources && configurations ? 0 : err_nomem(e, "the search");
  if (!result) {
    struct run like = alike(q, sources);
    result = state_load(&out->run, t.state_path, &like, t.key, e);
  }
  for (size_t i = 0; i < q->space->n && !result; i++)
    configurations[i] = i;
  if (!result)
    result = search(&t, configurations, q->space->n, e);
  cli_progress_end();
  out->run.partial = t.stopped;
  if (!result && !t.stopped)
    unlink(t.state_path); /* whole: another search measures anew */
  free(t.state_path);
  free(t.key);
  free(sources);
  free(configurations);
  return result;
}

void tune_result_release(struct tune_result *r) {
  run_release(&r->run);
}
