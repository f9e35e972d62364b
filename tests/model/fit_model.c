/* Fits the constants of the model of time to recorded runs and prints its errors: scripts/fit-model.
 *
 * usage: fit_model TREE [--score | --rows | --list]: what is fitted and cross-validated; with --score what is not fitted, with --rows what is fitted, both by
 * the constants in the tree; with --list each result of the training sets.
 */
#include "analysis/model/finding_parts.h"
#include "analysis/model/findings.h"
#include "base/err.h"
#include "base/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is fitted --- */

#define CONSTANT(name) offsetof(struct model_constants, name)
static const struct constant {
  const char *name;
  size_t at;
  double least, most;
} CONSTANTS[] = {
    {"p", CONSTANT(p), 1.5, 12},
    {"r", CONSTANT(r), 1.5, 20},
    {"ramp", CONSTANT(ramp), 0, 15},
    {"tail", CONSTANT(tail), 0, 1.5},
};
enum { N_CONSTANTS = sizeof CONSTANTS / sizeof CONSTANTS[0] };

/* --- what it is fitted to --- */

enum role { ROLE_FITTED, ROLE_UNSEEN };
static const struct set {
  const char *title, *file, *ladder, *half; /* ladder or half: NULL, any */
  enum role role;
  double weight; /* of the set in the loss; 0: not fitted */
} SETS[] = {
    {"H200 cuda", "recorded/h200.json.gz", "cuda", NULL, ROLE_FITTED, 1},
    {"H200 cute", "recorded/h200.json.gz", "cute", NULL, ROLE_FITTED, 1},
    {"H200 attempts", "recorded/h200.json.gz", "attempts", NULL, ROLE_FITTED, 1},
    {"H200 top", "recorded/h200.json.gz", "top", NULL, ROLE_FITTED, 1},
    {"H200 corpus, training half", "tests/corpus/h200.json.gz", NULL, "train", ROLE_FITTED, 3},
    {"H200 ours", "recorded/h200.json.gz", "ours", NULL, ROLE_UNSEEN},
    {"H100 cuda", "recorded/h100.json.gz", "cuda", NULL, ROLE_UNSEEN},
    {"H100 cute", "recorded/h100.json.gz", "cute", NULL, ROLE_UNSEEN},
    {"H100 attempts", "recorded/h100.json.gz", "attempts", NULL, ROLE_UNSEEN},
    {"H100 top", "recorded/h100.json.gz", "top", NULL, ROLE_UNSEEN},
    {"H100 ours", "recorded/h100.json.gz", "ours", NULL, ROLE_UNSEEN},
    {"H100 corpus, training half", "tests/corpus/h100.json.gz", NULL, "train", ROLE_UNSEEN},
    {"H200 corpus, test half", "tests/corpus/h200.json.gz", NULL, "test", ROLE_UNSEEN},
    {"H200 corpus, fresh pairs", "tests/corpus/h200-fresh.json.gz", NULL, "fresh", ROLE_UNSEEN},
    {"H100 corpus, test half", "tests/corpus/h100.json.gz", NULL, "test", ROLE_UNSEEN},
};
enum { N_SETS = sizeof SETS / sizeof SETS[0], RUNS_MAX = 6, SAMPLES_MAX = 2048, FOLDS_MAX = 16, CORPUS_FOLDS = 5 };

struct loaded {
  const char *file;
  struct run run;
  struct device device;
  struct findings findings;
};

struct sample {
  const struct finding *f;
  const struct rates *rates;
  int set, fold; /* the fold holds all results of a ladder, or of the pairs of a part of the corpus */
};

struct data {
  char tree[512];
  struct loaded runs[RUNS_MAX];
  size_t n_runs;
  struct sample samples[SAMPLES_MAX];
  size_t n;
  char *labels;
};

static double error_of(const struct model_constants *c, const struct sample *s) {
  struct workload w = s->f->bounds.work;
  workload_loads(&w, &s->f->bounds.flight, s->rates);
  return model_time_by(c, &w, s->rates).v / s->f->time.middle - 1;
}

static void path_of(char out[1024], const struct data *d, const char *file) {
  snprintf(out, 1024, "%s/%s", d->tree, file);
}

static int run_open(struct data *d, const char *file, struct loaded **out, struct err *e) {
  char path[1024];
  for (size_t i = 0; i < d->n_runs; i++)
    if (strcmp(d->runs[i].file, file) == 0) {
      *out = &d->runs[i];
      return 0;
    }
  struct loaded *l = *out = &d->runs[d->n_runs];
  path_of(path, d, file);
  int rc = run_load(&l->run, path, e);
  if (rc)
    return rc;
  rc = device_from_run(&l->device, &l->run.device, e);
  if (!rc)
    rc = findings_make(&l->findings, &l->run, &l->device, e);
  l->file = file;
  d->n_runs++;
  return rc;
}

/* The pair's row in labels.tsv by its second variant: its number and whether it is of this half. */
static int pair_find(const struct data *d, const char *id, const char *half) {
  int row = 0;
  for (const char *line = d->labels; line && *line; row++) {
    size_t n = strcspn(line, "\n"), name = strcspn(line, "\t");
    size_t length = strlen(half);
    bool same = name == strlen(id) && memcmp(line, id, name) == 0;
    if (same)
      return n > length && memcmp(line + n - length, half, length) == 0 ? row : -1;
    line += n + (line[n] == '\n');
  }
  return -1;
}

static int pair_of(const struct data *d, const struct loaded *l, const struct run_variant *v, const char *half) {
  int row = pair_find(d, v->id, half);
  for (size_t i = 0; i < l->run.n_variants && row < 0; i++) {
    const struct run_variant *child = &l->run.variants[i];
    if (child->parent && strcmp(child->parent, v->id) == 0)
      row = pair_find(d, child->id, half);
  }
  return row;
}

static int set_read(struct data *d, int set, struct err *e) {
  const struct set *s = &SETS[set];
  struct loaded *l = NULL;
  int rc = run_open(d, s->file, &l, e);
  for (size_t i = 0; !rc && i < l->findings.n && d->n < SAMPLES_MAX; i++) {
    const struct finding *f = &l->findings.items[i];
    const char *ladder = f->variant->ladder;
    int pair = s->half ? pair_of(d, l, f->variant, s->half) : 0;
    if (!f->timed || !f->bounds.time_s.present || pair < 0 ||
        (s->ladder && (!ladder || strcmp(ladder, s->ladder) != 0)))
      continue;
    d->samples[d->n++] =
        (struct sample){.f = f,
                        .rates = &l->findings.rates,
                        .set = set,
                        .fold = s->role == ROLE_FITTED ? set + (s->half ? pair % CORPUS_FOLDS : 0) : 0};
  }
  return rc;
}

/* --- the fit --- */

struct fit {
  const struct data *data;
  int left_out; /* a fold; -1: none */
};

/* Mean over the sets, so that each counts alike, of sqrt(1 + (log error / 5 %)^2): an error far out counts by its size, not its square. */
static double loss(const struct fit *f, const double x[N_CONSTANTS]) {
  static const double SCALE = 0.05, FAR = 1e6;
  struct model_constants c = model_fitted;
  double sum[N_SETS] = {0}, n[N_SETS] = {0}, all = 0;
  for (int k = 0; k < N_CONSTANTS; k++) {
    if (!(x[k] >= CONSTANTS[k].least && x[k] <= CONSTANTS[k].most))
      return FAR;
    *(double *)((char *)&c + CONSTANTS[k].at) = x[k];
  }
  for (size_t i = 0; i < f->data->n; i++) {
    const struct sample *s = &f->data->samples[i];
    if (SETS[s->set].role != ROLE_FITTED || s->fold == f->left_out)
      continue;
    double off = log1p(error_of(&c, s)) / SCALE;
    sum[s->set] += sqrt(1 + off * off) - 1;
    n[s->set]++;
  }
  for (int k = 0; k < N_SETS; k++)
    all += n[k] > 0 ? SETS[k].weight * sum[k] / n[k] : 0;
  return all;
}

/* The same with the constants of the fold that a result is in. */
static double loss_by_fold(const struct data *d, const struct model_constants by_fold[]) {
  static const double SCALE = 0.05;
  double sum[N_SETS] = {0}, n[N_SETS] = {0}, all = 0;
  for (size_t i = 0; i < d->n; i++) {
    const struct sample *s = &d->samples[i];
    double off = log1p(error_of(&by_fold[s->fold], s)) / SCALE;
    sum[s->set] += sqrt(1 + off * off) - 1;
    n[s->set]++;
  }
  for (int k = 0; k < N_SETS; k++)
    all += n[k] > 0 ? SETS[k].weight * sum[k] / n[k] : 0;
  return all;
}

static void toward(double out[N_CONSTANTS], const double from[N_CONSTANTS], const double to[N_CONSTANTS], double part) {
  for (int k = 0; k < N_CONSTANTS; k++)
    out[k] = from[k] + part * (to[k] - from[k]);
}

/* Nelder and Mead, The Computer Journal 7 (1965) 308: the simplex is reflected, stretched, contracted or shrunk. */
static double simplex_fit(const struct fit *f, double x[N_CONSTANTS], int steps) {
  enum { CORNERS = N_CONSTANTS + 1 };
  double at[CORNERS][N_CONSTANTS], value[CORNERS], centre[N_CONSTANTS], tried[N_CONSTANTS], more[N_CONSTANTS];
  for (int i = 0; i < CORNERS; i++) {
    memcpy(at[i], x, sizeof at[i]);
    if (i)
      at[i][i - 1] = fmin(x[i - 1] * 1.2 + 0.02, CONSTANTS[i - 1].most);
    value[i] = loss(f, at[i]);
  }
  for (int step = 0; step < steps; step++) {
    int best = 0, worst = 0, second = 0;
    for (int i = 1; i < CORNERS; i++) {
      best = value[i] < value[best] ? i : best;
      worst = value[i] > value[worst] ? i : worst;
    }
    second = best;
    for (int i = 0; i < CORNERS; i++)
      second = i != worst && value[i] > value[second] ? i : second;
    memset(centre, 0, sizeof centre);
    for (int i = 0; i < CORNERS; i++)
      for (int k = 0; k < N_CONSTANTS && i != worst; k++)
        centre[k] += at[i][k] / N_CONSTANTS;
    toward(tried, centre, at[worst], -1);
    double got = loss(f, tried);
    if (got < value[best]) {
      toward(more, centre, at[worst], -2);
      double further = loss(f, more);
      memcpy(at[worst], further < got ? more : tried, sizeof tried);
      value[worst] = fmin(further, got);
    } else if (got < value[second]) {
      memcpy(at[worst], tried, sizeof tried);
      value[worst] = got;
    } else {
      toward(more, centre, got < value[worst] ? tried : at[worst], 0.5);
      double nearer = loss(f, more);
      if (nearer < fmin(got, value[worst])) {
        memcpy(at[worst], more, sizeof more);
        value[worst] = nearer;
        continue;
      }
      for (int i = 0; i < CORNERS; i++)
        if (i != best) {
          toward(at[i], at[best], at[i], 0.5);
          value[i] = loss(f, at[i]);
        }
    }
  }
  int best = 0;
  for (int i = 1; i < CORNERS; i++)
    best = value[i] < value[best] ? i : best;
  memcpy(x, at[best], sizeof at[best]);
  return value[best];
}

/* Restarts give a simplex that has collapsed its extent again. */
static struct model_constants fitted(const struct data *d, int left_out, double *least) {
  enum { RESTARTS = 4, STEPS = 250 };
  struct fit f = {d, left_out};
  struct model_constants c = model_fitted;
  double x[N_CONSTANTS];
  for (int k = 0; k < N_CONSTANTS; k++)
    x[k] = *(const double *)((const char *)&model_fitted + CONSTANTS[k].at);
  for (int i = 0; i < RESTARTS; i++)
    *least = simplex_fit(&f, x, STEPS);
  for (int k = 0; k < N_CONSTANTS; k++)
    *(double *)((char *)&c + CONSTANTS[k].at) = x[k];
  return c;
}

/* --- the table --- */

static void row_print(const char *title, double *errors, size_t n) {
  double within10 = 0, within15 = 0;
  qsort(errors, n, sizeof *errors, stats_by_value);
  double low = stats_percentile(errors, n, 5), bias = stats_percentile(errors, n, 50),
         high = stats_percentile(errors, n, 95);
  for (size_t i = 0; i < n; i++) {
    errors[i] = fabs(errors[i]);
    within10 += errors[i] <= 0.10;
    within15 += errors[i] <= 0.15;
  }
  qsort(errors, n, sizeof *errors, stats_by_value);
  printf("| %s | %zu | %.0f %% | %.0f %% | %.1f %% | %.0f %% | %+.1f %% | %+.0f to %+.0f %% |\n", title, n,
         100 * within10 / n, 100 * within15 / n, 100 * stats_percentile(errors, n, 50),
         100 * stats_percentile(errors, n, 90), 100 * bias, 100 * low, 100 * high);
}

_Static_assert(N_SETS <= FOLDS_MAX, "a fold each");

static const char HEAD[] =
    "| results | n | within 10 % | within 15 % | median | 90 % below | bias | 5th to 95th percentile |\n"
    "|---|--:|--:|--:|--:|--:|--:|--:|\n";

/* Of each set and of all together, with the constants of the fold that a result is in. */
static void table_print(const struct data *d, enum role role, const struct model_constants by_fold[]) {
  static double errors[SAMPLES_MAX], all[SAMPLES_MAX];
  size_t n_all = 0;
  fputs(HEAD, stdout);
  for (int set = 0; set < N_SETS; set++) {
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
      if (d->samples[i].set == set && SETS[set].role == role)
        errors[n++] = all[n_all++] = error_of(&by_fold[d->samples[i].fold], &d->samples[i]);
    if (n)
      row_print(SETS[set].title, errors, n);
  }
  if (n_all)
    row_print("all of these", all, n_all);
}

static void list_print(const struct data *d, const struct model_constants *c) {
  for (size_t i = 0; i < d->n; i++) {
    const struct sample *s = &d->samples[i];
    const struct bounds *b = &s->f->bounds;
    char shape[SHAPE_TEXT_MAX];
    if (SETS[s->set].role != ROLE_FITTED)
      continue;
    printf("%+.3f\t%s\t%s\t%s\t%.1f us\t%s", error_of(c, s), SETS[s->set].title, s->f->variant->id,
           shape_text(s->f->result->shape, shape), s->f->time.middle * 1e6, bound_name(b->binding));
    for (int k = 0; k < RESOURCES; k++)
      if (b->model.seconds[k].present && b->model.seconds[k].v > 0.02 * s->f->time.middle)
        printf("  %s %.1f", resource_rows[k].name, b->model.seconds[k].v * 1e6);
    printf("\n");
  }
}

static int labels_read(struct data *d, struct err *e) {
  char path[1024];
  path_of(path, d, "tests/corpus/labels.tsv");
  FILE *f = fopen(path, "rb");
  d->labels = calloc(1, 1 << 16);
  if (!f || !d->labels || fread(d->labels, 1, (1 << 16) - 1, f) == 0) {
    if (f)
      fclose(f);
    return err_set(e, ERR_IO, "%s: not read", path);
  }
  fclose(f);
  return 0;
}

static void data_release(struct data *d) {
  for (size_t i = 0; i < d->n_runs; i++) {
    findings_release(&d->runs[i].findings);
    device_release(&d->runs[i].device);
    run_release(&d->runs[i].run);
  }
  free(d->labels);
}

static void report(const struct data *d, const char *mode) {
  struct model_constants all[FOLDS_MAX], by_fold[FOLDS_MAX];
  double least = 0, once = 0;
  for (int k = 0; k < FOLDS_MAX; k++)
    all[k] = model_fitted;
  if (strcmp(mode, "--score") == 0 || strcmp(mode, "--rows") == 0) {
    table_print(d, strcmp(mode, "--rows") == 0 ? ROLE_FITTED : ROLE_UNSEEN, all);
    return;
  }
  struct model_constants c = fitted(d, -1, &least);
  printf("loss %.4f\n", least);
  for (int k = 0; k < N_CONSTANTS; k++)
    printf(".%s = %.3f, ", CONSTANTS[k].name, *(const double *)((const char *)&c + CONSTANTS[k].at));
  puts("\n\nfitted:\n");
  for (int k = 0; k < FOLDS_MAX; k++)
    all[k] = c;
  table_print(d, ROLE_FITTED, all);
  if (strcmp(mode, "--list") == 0)
    list_print(d, &c);
  if (*mode)
    return;
  puts("\ncross-validated: a ladder, or a fifth of the corpus' pairs, is left out of the fit and scored:\n");
  for (int k = 0; k < FOLDS_MAX; k++)
    by_fold[k] = fitted(d, k, &once);
  printf("cross-validated loss %.4f\n", loss_by_fold(d, by_fold));
  table_print(d, ROLE_FITTED, by_fold);
}

int main(int argc, char **argv) {
  static struct data d;
  struct err e = {0};
  const char *mode = argc > 2 ? argv[2] : "";
  int rc = 0;
  if (argc < 2) {
    fprintf(stderr, "usage: fit_model TREE [--score | --rows | --list]\n");
    return 2;
  }
  snprintf(d.tree, sizeof d.tree, "%s", argv[1]);
  rc = labels_read(&d, &e);
  bool score = strcmp(mode, "--score") == 0;
  for (int set = 0; set < N_SETS && !rc; set++)
    if ((SETS[set].role == ROLE_UNSEEN) == score)
      rc = set_read(&d, set, &e);
  if (!rc)
    report(&d, mode);
  else
    fprintf(stderr, "fit_model: %s\n", e.text);
  data_release(&d);
  return rc ? 1 : 0;
}
