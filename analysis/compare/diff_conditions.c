#include "analysis/compare/diff_conditions.h"

#include "analysis/metrics/value.h"
#include "base/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SM clocks of two runs that are nearer than this are called the same. */
static const double CLOCK_SAME = 0.005;

enum { CONDITION_CHARS = 128 };

/* Each writes the condition as text; "" where the run does not say. */
static void sms(char out[CONDITION_CHARS], const struct run *r) {
  snprintf(out, CONDITION_CHARS, "%d", r->device.sms);
}

static void clock_max(char out[CONDITION_CHARS], const struct run *r) {
  snprintf(out, CONDITION_CHARS, "%.0f MHz", r->device.clock_max_hz / 1e6);
}

static void memory_clock(char out[CONDITION_CHARS], const struct run *r) {
  snprintf(out, CONDITION_CHARS, "%.0f MHz", r->device.memory_clock_hz / 1e6);
}

static void flush(char out[CONDITION_CHARS], const struct run *r) {
  snprintf(out, CONDITION_CHARS, "%.0f MB", r->flush_bytes / 1e6);
}

static void seed(char out[CONDITION_CHARS], const struct run *r) {
  snprintf(out, CONDITION_CHARS, "%" PRIu64, r->seed);
}

static void partial(char out[CONDITION_CHARS], const struct run *r) {
  snprintf(out, CONDITION_CHARS, "%s", r->partial ? "partial: results are missing" : "whole");
}

static const struct {
  const char *what;
  bool excuses;
  void (*text)(char out[CONDITION_CHARS], const struct run *r); /* NULL: it is a string of the run */
  size_t member;
} rows[] = {
    {"device", true, .member = offsetof(struct run, device.name)},
    {"card (hash of its UUID)", false,
     .member = offsetof(struct run, device.uuid_hash)}, /* cards of one type differ as runs do */
    {"SMs", true, sms},
    {"maximum SM clock", true, clock_max},
    {"memory clock", true, memory_clock},
    {"driver", true, .member = offsetof(struct run, device.driver)},
    {"NVRTC", false, .member = offsetof(struct run, device.nvrtc)}, /* what it compiled is compared itself */
    {"CUPTI", false, .member = offsetof(struct run, device.cupti)},
    {"L2 policy", true, .member = offsetof(struct run, l2)},
    {"L2 flush", true, flush},
    {"inputs", true, .member = offsetof(struct run, inputs)},
    {"seed", true, seed},
    {"tool version", false, .member = offsetof(struct run, tool)},
    {"run", false, partial},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void condition(char out[CONDITION_CHARS], size_t row, const struct run *r) {
  if (rows[row].text) {
    rows[row].text(out, r);
  } else {
    const char *s = *(char *const *)((const char *)r + rows[row].member);
    snprintf(out, CONDITION_CHARS, "%s", s ? s : "");
  }
}

/* What the runs of one side say, each thing once, " and " between. */
static const char *side_text(struct diff_side s, size_t row, struct pool *pool) {
  const char *all = "";
  for (size_t i = 0; i < s.n; i++) {
    char text[CONDITION_CHARS];
    bool said = false;
    condition(text, row, s.runs[i].run);
    for (size_t k = 0; k < i && !said; k++) {
      char earlier[CONDITION_CHARS];
      condition(earlier, row, s.runs[k].run);
      said = strcmp(earlier, text) == 0;
    }
    if (!said)
      all = pool_printf(pool, "%s%s%s", all, *all ? " and " : "", *text ? text : "unknown");
  }
  return all;
}

static void add(struct diff *d, const char *what, const char *a, const char *b, bool excuses) {
  d->conditions[d->n_conditions++] = (struct diff_condition){what, a, b, excuses};
  d->same_conditions &= !excuses;
}

static double median_clock(const struct diff *d, bool of_b, double *work) {
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++) {
    const struct diff_pair *p = &d->pairs[i];
    struct value a = p->a && p->b ? finding_value(p->a, "clock_hz") : value_absent(NULL);
    struct value b = p->a && p->b ? finding_value(p->b, "clock_hz") : value_absent(NULL);
    if (a.present && b.present)
      work[n++] = of_b ? b.v : a.v;
  }
  return stats_median(work, n);
}

static void add_clock(struct diff *d) {
  double *work = calloc(d->n + 1, sizeof *work);
  double a = median_clock(d, false, work), b = median_clock(d, true, work);
  free(work);
  if (a > 0 && b > 0 && fabs(b / a - 1) > CLOCK_SAME)
    add(d, "SM clock while counted (median)", pool_printf(d->pool, "%.0f MHz", a / 1e6),
        pool_printf(d->pool, "%.0f MHz", b / 1e6), false);
}

void diff_conditions_set(struct diff *d, struct diff_side a, struct diff_side b) {
  d->same_conditions = true;
  d->conditions = calloc(N_ROWS + 1, sizeof *d->conditions);
  for (size_t i = 0; i < N_ROWS; i++) {
    const char *x = side_text(a, i, d->pool), *y = side_text(b, i, d->pool);
    if (strcmp(x, y) != 0)
      add(d, rows[i].what, x, y, rows[i].excuses);
  }
  add_clock(d);
}

static bool same_text(const char *a, const char *b) {
  return a && b && strcmp(a, b) == 0;
}

bool diff_one_chip(struct diff_side a, struct diff_side b) {
  const char *first = a.runs[0].run->device.name;
  for (size_t i = 0; i < a.n + b.n; i++) {
    const struct run *r = i < a.n ? a.runs[i].run : b.runs[i - a.n].run;
    if (first && r->device.name && strcmp(first, r->device.name) != 0)
      return false;
  }
  return true;
}

/* Imports have no time of their making: where each has the samples of the other, one is a copy. */
static bool same_samples(const struct run *a, const struct run *b) {
  bool same = !a->created && !b->created && a->n_results == b->n_results, any = false;
  for (size_t i = 0; i < a->n_results && same; i++) {
    const struct run_timing *x = &a->results[i].timing, *y = &b->results[i].timing;
    same = x->n == y->n && (x->n == 0 || memcmp(x->samples_ns, y->samples_ns, x->n * sizeof *x->samples_ns) == 0);
    any = any || x->n > 0;
  }
  return same && any;
}

bool diff_same_run(struct diff_side a, struct diff_side b) {
  const struct run *x = a.runs[0].run, *y = b.runs[0].run;
  if (a.n != 1 || b.n != 1)
    return false;
  return same_samples(x, y) || (same_text(x->created, y->created) && same_text(x->command, y->command) &&
                                same_text(x->device.uuid_hash, y->device.uuid_hash));
}
