/* The advice of a recorded run, scored: by the labels of the corpus, or by what the steps of its ladders cured. */
#ifndef TESTS_UNIT_SCORED_RUN_H
#define TESTS_UNIT_SCORED_RUN_H

#include "analysis/ladder/cured.h"
#include "analysis/ladder/score.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scored_run {
  struct run run;
  struct device device;
  struct findings findings;
  char *text; /* of the labels */
  struct label *labels;
  struct score score;
};

/* What is left of a run: all; what attach would have of the same kernels, without counts of
 * single instructions, empty kernels and declared bytes; and of those that came once sampling
 * was over. */
enum scored_as { AS_MEASURED, AS_ATTACHED, AS_UNSAMPLED };

static inline void as_attached(struct run *run, enum scored_as as) {
  for (size_t i = 0; i < run->n_results; i++) {
    struct run_result *r = &run->results[i];
    r->n_counts = 0; /* the run keeps the array, and releases it by its pointer */
    for (; as == AS_UNSAMPLED && r->n_samples; r->n_samples--)
      free(r->samples[r->n_samples - 1].reason);
    r->bytes_declared = r->bytes_minimal = r->bytes_contest = r->flops = 0;
    for (size_t k = 0; k < r->n_metrics; k++)
      r->metrics[k].present = r->metrics[k].present && strcmp(r->metrics[k].name, "fixed_ns") != 0;
  }
}

/* path from the tree's root; half of the corpus, NULL: the run's own steps. */
static inline void scored_make(struct scored_run *x, const char *path, const char *half, enum scored_as as) {
  enum { LABELS_BYTES_MAX = 1 << 20, PATH_ROOM = 512 };
  char full[PATH_ROOM];
  struct err e = {0};
  size_t n = 0, bytes = 0;
  *x = (struct scored_run){0};
  snprintf(full, sizeof full, "%s/%s", TEST_SOURCE_DIR, path);
  if (run_load(&x->run, full, &e) || device_from_run(&x->device, &x->run.device, &e))
    fail_msg("%s", e.text);
  if (as != AS_MEASURED)
    as_attached(&x->run, as);
  if (findings_make(&x->findings, &x->run, &x->device, &e))
    fail_msg("%s", e.text);
  snprintf(full, sizeof full, "%s/tests/corpus/labels.tsv", TEST_SOURCE_DIR);
  if (!half)
    labels_of_steps(&x->labels, &n, &x->findings);
  else if (file_read(full, LABELS_BYTES_MAX, &x->text, &bytes, &e) ||
           labels_parse(&x->labels, &n, x->text, half, &x->run, &e))
    fail_msg("%s", e.text);
  score_make(&x->score, &x->findings, x->labels, n);
}

static inline void scored_release(struct scored_run *x) {
  score_release(&x->score);
  free(x->labels);
  free(x->text);
  findings_release(&x->findings);
  device_release(&x->device);
  run_release(&x->run);
}

/* What advice reached, so that it cannot fall: at least, at least, at most; as `diagnose --score` prints them. */
struct score_floor {
  const char *path, *half; /* NULL: the steps of its ladders */
  double first, three, error;
  enum scored_as as;
};

static inline void score_holds(const struct score_floor *r, const struct score *s) {
  double null = s->null_most > s->null_random ? s->null_most : s->null_random;
  if (s->first < r->first - 0.005 || s->three < r->three - 0.005 || 100 * s->all.median_abs_error.v > r->error ||
      s->first <= null)
    fail_msg("%s, %s%s: first %.3f, three %.3f, error %.2f points, always %s %.3f", r->path,
             r->half ? r->half : "steps", (const char *[]){"", ", as attached", ", unsampled"}[r->as], s->first,
             s->three, 100 * s->all.median_abs_error.v, s->most, s->null_most);
}

/* Under half of the speed of light a diagnosis names a bound, advises, and says where warps wait if samples know it. */
static inline size_t slow_are_told_why(const struct findings *all) {
  size_t slow = 0;
  for (size_t i = 0; i < all->n; i++) {
    const struct finding *f = &all->items[i];
    struct diagnosis d;
    if (!f->timed || !f->of_sol.present || f->of_sol.v >= 0.5)
      continue;
    slow++;
    diagnosis_make(&d, all, f);
    if (d.n == 0 || f->bounds.binding == BOUND_KINDS || (d.hot.samples > 0 && d.hot.n_lines + d.hot.n_insts == 0))
      fail_msg("%s: %zu advice, %zu hot lines", f->variant->id, d.n, d.hot.n_lines);
    double least_s = INFINITY;
    for (size_t k = 0; k < d.n; k++) {
      if (d.items[k].price.saves_s > least_s && !d.items[k].behind)
        fail_msg("%s: [%s] stands behind what saves less", f->variant->id, d.items[k].rule->name);
      least_s = d.items[k].price.saves_s > 0 ? fmin(least_s, d.items[k].price.saves_s) : least_s;
    }
    diagnosis_release(&d);
  }
  return slow;
}

#endif
