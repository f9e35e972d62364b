#include "profiler/ceilings/ceilings.h"

#include "base/text.h"
#include "profiler/ceilings/measures.h"
#include "profiler/cuda/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHILD_LIMIT_S = 60 };

struct board { /* shared with the measuring process */
  struct child_board measures;
  struct ceilings result;
};

struct ceilings_measuring {
  struct board *board;
  progress_told *progress;
  const struct gpu_probe *gpu;
  struct bench_code code;
  struct bench *bench; /* in the measuring process */
};

static void rows_announce(struct ceilings *c) {
  memset(c, 0, sizeof *c);
  for (size_t m = 0; m < n_measures; m++)
    for (size_t i = 0; i < 3 && measures[m].rows[i].name && c->n < CEILINGS_ROWS_MAX; i++) {
      struct ceilings_row *r = &c->rows[c->n++];
      snprintf(r->name, sizeof r->name, "%s", measures[m].rows[i].name);
      snprintf(r->unit, sizeof r->unit, "%s", measures[m].rows[i].unit);
    }
}

/* What a measure did not fill says why. */
static void measure_fail(struct ceilings *c, const struct measure *m, const char *why) {
  int first_line = (int)strcspn(why, "\n");
  for (size_t r = 0; r < c->n; r++)
    for (size_t i = 0; i < 3 && m->rows[i].name; i++)
      if (strcmp(c->rows[r].name, m->rows[i].name) == 0 && !c->rows[r].present)
        snprintf(c->rows[r].reason, sizeof c->rows[r].reason, "%.*s", first_line < 300 ? first_line : 300, why);
  struct ceilings_curve *curve = m->curve ? &c->curves[m->curve - 1] : NULL;
  if (curve && curve->n == 0)
    snprintf(curve->reason, sizeof curve->reason, "%.*s", first_line < 300 ? first_line : 300, why);
}

static int measuring_open(void *context, struct err *e) {
  struct ceilings_measuring *w = context;
  w->bench = calloc(1, sizeof *w->bench);
  int rc = bench_open(w->bench, &w->code, w->gpu, e);
  if (!rc && !w->bench->activity)
    snprintf(w->board->result.notes, sizeof w->board->result.notes,
             "times are from event pairs, which include the launch (slopes do not): %.900s", w->bench->why_not.text);
  return rc;
}

static int measuring_run(void *context, size_t m, struct err *e) {
  struct ceilings_measuring *w = context;
  if (w->progress)
    w->progress("measure", m, n_measures, measures[m].label);
  return measures[m].run(w->bench, &measures[m], &w->board->result, e);
}

static void measuring_fail(void *context, size_t m, const char *why) {
  struct ceilings_measuring *w = context;
  measure_fail(&w->board->result, &measures[m], why);
}

/* A file that did not compile costs its rows; where none did, nothing is left to measure. */
static int compile(struct ceilings_measuring *w, struct err *e) {
  char arch[16];
  struct compile_tools tools;
  if (w->progress)
    w->progress("compile", 0, BENCH_UNITS, "");
  int rc = bench_compile(&w->code, compile_arch(w->gpu->sm, arch), NULL, &tools, e);
  bool any = false;
  for (int i = 0; i < BENCH_UNITS && !rc; i++)
    any |= w->code.units[i].ok;
  if (!rc && !any)
    rc = err_set(e, ERR_MACHINE, "%s", w->code.units[0].error ? w->code.units[0].error : "nothing was compiled");
  return rc;
}

int ceilings_compile(const char *arch, char keys[CEILINGS_UNITS][33], struct err *e) {
  struct bench_code code;
  struct compile_tools tools;
  int rc = bench_compile(&code, arch, NULL, &tools, e);
  for (int i = 0; i < BENCH_UNITS && !rc; i++)
    if (!code.units[i].ok)
      rc = err_set(e, ERR_COMPILE, "%s", code.units[i].error ? code.units[i].error : "a ceiling did not compile");
    else
      snprintf(keys[i], sizeof keys[i], "%s", code.units[i].module.key);
  bench_code_release(&code);
  return rc;
}

int ceilings_measure(struct ceilings *out, progress_told *progress, const struct gpu_probe *gpu, struct err *e) {
  struct ceilings_measuring w = {.board = child_share(sizeof *w.board), .progress = progress, .gpu = gpu};
  memset(out, 0, sizeof *out);
  if (!w.board)
    return err_nomem(e, "the ceilings' shared memory");
  rows_announce(&w.board->result);
  int rc = compile(&w, e);
  if (!rc)
    rc = child_each(&(struct child_items){.who = "ceilings",
                                          .board = &w.board->measures,
                                          .n = n_measures,
                                          .limit_s = CHILD_LIMIT_S,
                                          .open = measuring_open,
                                          .run = measuring_run,
                                          .fail = measuring_fail,
                                          .context = &w},
                    e);
  if (!rc)
    *out = w.board->result;
  bench_code_release(&w.code);
  child_unshare(w.board, sizeof *w.board);
  return rc;
}

/* --- the device file --- */

/* Its measured ceilings and its curves become another's, which is released. */
static void measured_drop(struct device *d) {
  struct device dropped = {
      .ceilings = calloc(d->n_ceilings + 1, sizeof *d->ceilings), .curves = d->curves, .n_curves = d->n_curves};
  size_t kept = 0;
  for (size_t i = 0; i < d->n_ceilings; i++)
    if (d->ceilings[i].kind == CEILING_MEASURED)
      dropped.ceilings[dropped.n_ceilings++] = d->ceilings[i];
    else
      d->ceilings[kept++] = d->ceilings[i];
  d->n_ceilings = kept;
  d->curves = NULL;
  d->n_curves = 0;
  device_release(&dropped);
}

static char *source_of(const char *gpu, const char *when, const char *detail, double clock_hz) {
  char clock[32] = "";
  if (clock_hz > 0)
    snprintf(clock, sizeof clock, "; SM at %.0f MHz", clock_hz / 1e6);
  return str_printf("nvfp4-prof ceilings on one %s, %s: %s%s", gpu, when, detail, clock);
}

static void rows_add(struct device *d, const struct ceilings *c, const char *gpu, const char *when) {
  d->ceilings = realloc(d->ceilings, (d->n_ceilings + c->n + 1) * sizeof *d->ceilings);
  for (size_t i = 0; i < c->n; i++) {
    const struct ceilings_row *r = &c->rows[i];
    if (!r->present)
      continue;
    struct ceiling *to = &d->ceilings[d->n_ceilings++];
    *to = (struct ceiling){.name = str_copy(r->name),
                           .unit = str_copy(r->unit),
                           .value = r->value,
                           .kind = CEILING_MEASURED,
                           .source = source_of(gpu, when, r->detail, r->clock_hz)};
  }
}

static double *copy_numbers(const double *from, size_t n) {
  double *to = malloc(n * sizeof *to);
  return memcpy(to, from, n * sizeof *to);
}

static void curves_add(struct device *d, const struct ceilings *c, const char *gpu, const char *when) {
  d->curves = calloc(CEILINGS_CURVES, sizeof *d->curves);
  for (size_t i = 0; i < CEILINGS_CURVES; i++) {
    const struct ceilings_curve *from = &c->curves[i];
    if (!from->n)
      continue;
    struct ceiling_curve *to = &d->curves[d->n_curves++];
    *to = (struct ceiling_curve){.name = str_copy(from->name),
                                 .x_unit = str_copy(from->x_unit),
                                 .y_unit = str_copy(from->y_unit),
                                 .source = source_of(gpu, when, from->detail, 0),
                                 .x = copy_numbers(from->x, from->n),
                                 .y = copy_numbers(from->y, from->n),
                                 .n_x = from->n,
                                 .n_y = from->n};
  }
}

int ceilings_device(struct device *out, const struct ceilings *c, const struct gpu_probe *gpu, const char *when,
                    struct err *e) {
  struct run card = {0};
  gpu_probe_device(&card.device, gpu);
  int rc = device_from_run(out, &card.device, e);
  run_release(&card);
  if (rc)
    return rc;
  measured_drop(out);
  rows_add(out, c, gpu->name, when);
  curves_add(out, c, gpu->name, when);
  return 0;
}
