/* The static tier's model against what an H200 counted; apart from its rules, which mutants
 * meet, since the run takes long to read. */
#include "analysis/rules/static.h"

#include "analysis/metrics/formulas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Modelled over counted warp instructions, for every rung and shape whose loop names its bytes. */
static void against_what_was_counted(void **state) {
  (void)state;
  enum { PAIRS_MAX = 512 };
  static double ratios[PAIRS_MAX];
  size_t n = 0, near = 0, absent = 0;
  struct run r = {0};
  struct device d = {0};
  struct err e = {0};
  if (run_load(&r, TEST_SOURCE_DIR "/recorded/h200.json.gz", &e) || device_from_run(&d, &r.device, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < r.n_results && n < PAIRS_MAX; i++) {
    const struct run_result *x = &r.results[i];
    const struct run_metric *counted = run_metric_find(x, "inst_executed");
    const char *ladder = r.variants[x->variant].ladder;
    struct static_code c;
    if (x->module < 0 || !counted || !counted->present || !ladder || strcmp(ladder, "control") == 0)
      continue; /* controls are not a GEMV, and some are a library's */
    if (static_code_make(&c, &r, x, launch_main(x), &d, &e))
      fail_msg("%s", e.text);
    absent += !c.warp_insts.present;
    if (c.warp_insts.present)
      ratios[n++] = c.warp_insts.v / counted->value;
    static_code_release(&c);
  }
  qsort(ratios, n, sizeof *ratios, ascending);
  for (size_t i = 0; i < n; i++)
    near += ratios[i] > 0.8 && ratios[i] < 1.1;
  print_message(
      "modelled over counted instructions, %zu pairs (%zu absent): least %.3f, quartiles %.3f %.3f %.3f, most %.3f; "
      "%zu within 0.8 to 1.1\n",
      n, absent, ratios[0], ratios[n / 4], ratios[n / 2], ratios[3 * n / 4], ratios[n - 1], near);
  assert_true(n >= 150);
  assert_true(ratios[n / 2] > 0.93 && ratios[n / 2] < 1.02);
  assert_true(4 * near >= 3 * n);
  run_release(&r);
  device_release(&d);
}

enum { LANES = 32, SECTOR = 32 };

struct steps_judged {
  size_t all, known, strided, banks, conflicts;
};

static bool near_to(double x, double low, double high) {
  return x >= low - 0.05 && x <= high + 0.05;
}

/* Sectors that a warp asked for, and turns at the banks, of one access in whose executions all lanes took part.  A warp may begin within a sector: one more. */
static void judge_step(const struct sass_inst *x, const struct sass_step *step, const struct run_count *c,
                       struct steps_judged *out) {
  bool global = x->class == SASS_LOAD_GLOBAL || x->class == SASS_STORE_GLOBAL;
  bool shared = x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED;
  double span = (LANES - 1.0) * (double)labs(step->bytes) + x->bytes,
         own = x->bytes > SECTOR ? (double)x->bytes / SECTOR : 1;
  if (global && c->global_sectors > 0) {
    double sectors = c->global_sectors / c->executed, most = LANES * own,
           least = step->kind == STEP_TIMES ? x->bytes : 1;
    if (step->kind == STEP_BYTES)
      least = most = fmin(ceil(span / SECTOR), LANES * own);
    out->all++;
    if (step->kind != STEP_UNKNOWN && !near_to(sectors, least, most + 1))
      fail_msg("%s, %ld bytes apart: %.2f sectors", x->text, step->bytes, sectors);
    out->known += step->kind != STEP_UNKNOWN;
    out->strided += step->kind == STEP_TIMES || (step->kind == STEP_BYTES && labs(step->bytes) >= 2L * x->bytes);
  } else if (shared && c->shared_wavefronts > 0 && step->kind == STEP_BYTES && step->bytes != 0) {
    int turns = sass_step_turns(step->bytes, x->bytes), groups = x->bytes > 4 ? x->bytes / 4 : 1;
    double counted = c->shared_wavefronts / c->executed;
    out->banks++;
    out->conflicts += turns > 1;
    if (turns > 1 && !near_to(counted / (turns * groups), 0.9, 1.1))
      fail_msg("%s, %ld bytes apart: %.2f wavefronts, not %d", x->text, step->bytes, counted, turns * groups);
    if (turns == 1 && counted > 1.1 * groups)
      fail_msg("%s, %ld bytes apart: %.2f wavefronts", x->text, step->bytes, counted);
  }
}

static void judge_result(const struct run *r, const struct run_result *x, struct steps_judged *out) {
  const struct run_launch *l = launch_main(x);
  const struct run_module *m = &r->modules[x->module];
  for (size_t k = 0; k < m->n_kernels; k++) {
    struct sass s;
    struct sass_step *steps = NULL;
    if (strcmp(m->kernels[k].name, l->kernel) != 0 || sass_make(&s, &m->kernels[k], NULL))
      continue;
    steps = sass_steps_make(&s, l->block[0]);
    for (size_t i = 0; i < x->n_counts; i++) {
      const struct run_count *c = &x->counts[i];
      size_t at = c->module == x->module && c->kernel == (int)k ? sass_find(&s, c->offset) : SASS_NONE;
      if (at != SASS_NONE && c->executed > 0 && c->threads > (LANES - 0.5) * c->executed && s.insts[at].bytes > 0)
        judge_step(&s.insts[at], &steps[at], c, out);
    }
    free(steps);
    sass_release(&s);
  }
}

/* How far apart neighbouring lanes lie, by the code, against the sectors and wavefronts that were counted of each access: wherever it is known it is right. */
static void lanes_against_what_was_counted(void **state) {
  (void)state;
  struct steps_judged n = {0};
  struct run r = {0};
  struct err e = {0};
  if (run_load(&r, TEST_SOURCE_DIR "/tests/corpus/h200.json.gz", &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < r.n_results; i++)
    if (r.results[i].n_counts && r.results[i].n_launches && r.results[i].module >= 0)
      judge_result(&r, &r.results[i], &n);
  print_message(
      "%zu accesses of global memory, %zu known, %zu of them strided; %zu of shared memory known, %zu with conflicts\n",
      n.all, n.known, n.strided, n.banks, n.conflicts);
  assert_true(n.known > n.all / 2);
  assert_true(n.strided > 50 && n.conflicts > 5);
  run_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_what_was_counted),
                                     cmocka_unit_test(lanes_against_what_was_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
