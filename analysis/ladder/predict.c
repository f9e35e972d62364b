#include "analysis/ladder/predict.h"

#include "analysis/metrics/formulas.h"
#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char BOUND_PREFIX[] = "bound:";

static const char *const VERDICTS[] = {
    [JUDGED_CONFIRMED] = "CONFIRMED",
    [JUDGED_REFUTED] = "REFUTED",
    [JUDGED_UNCLEAR] = "UNCLEAR",
    [JUDGED_UNKNOWN] = "UNKNOWN",
};

const char *judgement_name(enum judgement_verdict v) {
  return VERDICTS[v];
}

const char *step_bound(const struct finding *f) {
  return f->bounds.binding == BOUND_KINDS ? NULL : bound_name(f->bounds.binding);
}

/* --- parsing --- */

/* BOUND_KINDS: there is none of that name. */
static enum bound_kind bound_find(const char *name) {
  int k = 0;
  while (k < BOUND_KINDS && strcmp(bound_name((enum bound_kind)k), name) != 0)
    k++;
  return (enum bound_kind)k;
}

static int unknown_bound(const char *name, struct err *e) {
  char known[128] = "";
  for (int k = 0; k < BOUND_KINDS; k++) {
    size_t n = strlen(known);
    snprintf(known + n, sizeof known - n, "%s%s", k > 0 ? ", " : "", bound_name((enum bound_kind)k));
  }
  return err_set(e, ERR_DATA, "'%s' is not a bound; the bounds are %s", name, known);
}

/* pair: what stands behind "bound:"; it is cut. */
static int parse_bound(struct prediction *p, char *pair, struct err *e) {
  char *arrow = strstr(pair, "->");
  if (!arrow)
    return err_set(e, ERR_DATA, "expected bound: X -> Y");
  *arrow = '\0';
  const char *before = str_trim(pair), *after = str_trim(arrow + strlen("->"));
  p->kind = PREDICTION_BOUND;
  p->before = bound_name(bound_find(before));
  p->after = bound_name(bound_find(after));
  if (bound_find(before) == BOUND_KINDS)
    return unknown_bound(before, e);
  return bound_find(after) == BOUND_KINDS ? unknown_bound(after, e) : 0;
}

static bool name_good(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
  return *name && strchr(letters, *name) && strspn(name, more) == strlen(name);
}

/* A number above 0 with its suffix and nothing behind it. */
static int parse_number(double *out, const char *text, char suffix, struct err *e) {
  char *end = NULL;
  double v = strtod(text, &end);
  if (end == text || !isfinite(v) || v <= 0)
    return err_set(e, ERR_DATA, "expected a number above 0 and '%c', not '%s'", suffix, text);
  if (*end != suffix || end[1])
    return err_set(e, ERR_DATA, "expected '%c' behind the number, not '%s'", suffix, end);
  *out = v;
  return 0;
}

/* item is cut. */
static int parse_value(struct prediction *p, char *item, struct err *e) {
  static const char within[] = "within";
  size_t n = strcspn(item, " \t<>=");
  char *rest = item + n + strspn(item + n, " \t");
  int rc = 0;
  if (strncmp(rest, within, strlen(within)) == 0) {
    p->kind = PREDICTION_WITHIN;
    rest += strlen(within);
    rc = parse_number(&p->threshold, rest + strspn(rest, " \t"), '%', e);
    p->threshold /= 100;
  } else if (*rest == '<' || *rest == '>') {
    bool equal = rest[1] == '=';
    p->kind = PREDICTION_RATIO;
    p->compare =
        *rest == '<' ? (equal ? COMPARE_LESS_EQUAL : COMPARE_LESS) : (equal ? COMPARE_GREATER_EQUAL : COMPARE_GREATER);
    rest += equal ? 2 : 1;
    rc = parse_number(&p->threshold, rest + strspn(rest, " \t"), 'x', e);
  } else {
    return err_set(e, ERR_DATA, "expected NAME < NUMBERx (or > <= >=), NAME within P%%, or bound: X -> Y");
  }
  item[n] = '\0';
  if (!rc && !name_good(item))
    rc = err_set(e, ERR_DATA, "expected the name of a value in front, not '%s'", item);
  p->name = str_copy(item);
  return rc;
}

static int parse_item(struct predictions *out, char *item, struct err *e) {
  struct prediction *p = array_add(&out->items, &out->n, sizeof *p);
  *p = (struct prediction){.item = str_copy(item)};
  int rc = strncmp(item, BOUND_PREFIX, strlen(BOUND_PREFIX)) == 0 ? parse_bound(p, item + strlen(BOUND_PREFIX), e)
                                                                  : parse_value(p, item, e);
  return rc ? err_context(e, "'%s'", p->item) : 0;
}

int predictions_parse(struct predictions *out, const char *rung_id, const char *text, struct err *e) {
  *out = (struct predictions){0};
  if (!text)
    return 0;
  char *copy = str_copy(text), *rest = copy;
  int rc = 0;
  for (char *item; !rc && (item = strsep(&rest, ";"));) {
    item = str_trim(item);
    if (*item)
      rc = parse_item(out, item, e);
    else if (rest || out->n == 0) /* one ';' at the end is none too many */
      rc = err_set(e, ERR_DATA, "an item is empty");
  }
  free(copy);
  return rc ? err_context(e, "%s: predicts", rung_id) : 0;
}

void predictions_release(struct predictions *p) {
  for (size_t i = 0; i < p->n; i++) {
    free(p->items[i].item);
    free(p->items[i].name);
  }
  free(p->items);
  *p = (struct predictions){0};
}

/* --- values --- */

/* Of the launches or, where none was observed, of the compiled kernels. */
static struct value registers_of(const struct findings *f, const struct run_result *r) {
  int most = -1;
  for (size_t i = 0; i < r->n_launches; i++)
    most = r->launches[i].registers > most ? r->launches[i].registers : most;
  if (most < 0 && r->module >= 0)
    for (size_t i = 0; i < f->run->modules[r->module].n_kernels; i++) {
      int n = f->run->modules[r->module].kernels[i].registers;
      most = n > most ? n : most;
    }
  return most < 0 ? value_absent("neither a launch nor a compiled kernel says") : value_of(most);
}

/* A thread's, the most of the launches'. */
static struct value local_bytes_of(const struct run_result *r) {
  long most = -1;
  for (size_t i = 0; i < r->n_launches; i++)
    most = r->launches[i].local_bytes > most ? r->launches[i].local_bytes : most;
  return most < 0 ? value_absent("no launch was observed") : value_of((double)most);
}

static bool stall_counter(char out[128], const struct finding *item, const char *name) {
  snprintf(out, 128, "stall_%s", name);
  return run_metric_find(item->result, out) != NULL;
}

bool prediction_is_stall(const struct finding *item, const char *name) {
  char counter[128];
  return stall_counter(counter, item, name);
}

/* NAME without "bound_"; BOUND_KINDS: it is no bound. */
static enum bound_kind bound_named(const char *name) {
  static const char prefix[] = "bound_";
  return strncmp(name, prefix, strlen(prefix)) == 0 ? bound_find(name + strlen(prefix)) : BOUND_KINDS;
}

static const struct {
  const char *name, *stands_for;
} ALIASES[] = {{"inst", "inst_executed"}, {"occupancy", "achieved_occupancy"}};
static const enum fact LAUNCH_FACTS[] = {FACT_BLOCKS, FACT_THREADS, FACT_BLOCKS_PER_SM};
enum { N_ALIASES = sizeof ALIASES / sizeof ALIASES[0], N_FACTS = sizeof LAUNCH_FACTS / sizeof LAUNCH_FACTS[0] };

static bool is_known(const char *name, const struct metric_table *t) {
  char stall[128];
  snprintf(stall, sizeof stall, "stall_%s", name);
  bool known = strcmp(name, "time") == 0 || strcmp(name, fact_name(FACT_REGISTERS)) == 0 ||
               strcmp(name, "local_bytes") == 0 || bound_named(name) != BOUND_KINDS || metric_table_find(t, name) ||
               metric_table_find(t, stall);
  for (size_t i = 0; i < N_FACTS; i++)
    known = known || strcmp(name, fact_name(LAUNCH_FACTS[i])) == 0;
  for (size_t i = 0; i < N_ALIASES; i++)
    known = known || strcmp(name, ALIASES[i].name) == 0;
  for (size_t i = 0; i < t->n_formulas; i++)
    known = known || strcmp(name, t->formulas[i].name) == 0;
  return known;
}

int predictions_verify(const struct predictions *p, const struct metric_table *t, struct err *e) {
  for (size_t i = 0; i < p->n; i++)
    if (p->items[i].kind != PREDICTION_BOUND && !is_known(p->items[i].name, t))
      return err_set(e, ERR_DATA, "'%s': there is no metric, stall or bound '%s'; time, inst, dram_bytes are some",
                     p->items[i].item, p->items[i].name);
  return 0;
}

struct value prediction_value(const struct findings *f, const struct finding *item, const char *name) {
  if (strcmp(name, "time") == 0)
    return finding_time(item);
  if (strcmp(name, fact_name(FACT_REGISTERS)) == 0)
    return registers_of(f, item->result);
  if (strcmp(name, "local_bytes") == 0)
    return local_bytes_of(item->result);
  for (size_t i = 0; i < N_FACTS; i++)
    if (strcmp(name, fact_name(LAUNCH_FACTS[i])) == 0) {
      struct value facts[FACTS];
      facts_of(facts, item->result, f->device, finding_time(item));
      return facts[LAUNCH_FACTS[i]];
    }
  for (size_t i = 0; i < N_ALIASES; i++)
    if (strcmp(name, ALIASES[i].name) == 0)
      return finding_value(item, ALIASES[i].stands_for);
  enum bound_kind bound = bound_named(name);
  if (bound != BOUND_KINDS)
    return value_ratio(item->bounds.seconds[bound], finding_time(item), "the measured time is 0");
  char stall[128];
  return finding_value(item, stall_counter(stall, item, name) ? stall : name);
}

/* --- judging --- */

/* The ratios that the interval of a value allows: one point for a counter, a range for a time. */
struct range {
  double low, high;
};

static bool holds(const struct prediction *p, double ratio) {
  if (p->kind == PREDICTION_WITHIN)
    return fabs(ratio - 1) <= p->threshold;
  switch (p->compare) {
  case COMPARE_LESS:
    return ratio < p->threshold;
  case COMPARE_LESS_EQUAL:
    return ratio <= p->threshold;
  case COMPARE_GREATER:
    return ratio > p->threshold;
  case COMPARE_GREATER_EQUAL:
    return ratio >= p->threshold;
  }
  return false;
}

static enum judgement_verdict verdict_of(const struct prediction *p, struct range r) {
  bool low = holds(p, r.low), high = holds(p, r.high);
  /* Both ends can miss a band that lies between them. */
  bool around = p->kind == PREDICTION_WITHIN && !low && !high && r.low < 1 && r.high > 1;
  if (low != high || around)
    return JUDGED_UNCLEAR;
  return low ? JUDGED_CONFIRMED : JUDGED_REFUTED;
}

static void judge_absent(struct judgement *out, const struct finding *whose, const char *reason) {
  out->verdict = JUDGED_UNKNOWN;
  out->reason = reason;
  out->absent = whose->variant->id;
}

static void judge_bound(struct judgement *out, const struct prediction *p, const struct finding *parent,
                        const struct finding *child) {
  out->bound_before = step_bound(parent);
  out->bound_after = step_bound(child);
  const struct finding *unknown = out->bound_before ? (out->bound_after ? NULL : child) : parent;
  if (unknown)
    judge_absent(out, unknown, unknown->bounds.share.reason ? unknown->bounds.share.reason : "no bound is known");
  else
    out->verdict = strcmp(out->bound_before, p->before) == 0 && strcmp(out->bound_after, p->after) == 0
                       ? JUDGED_CONFIRMED
                       : JUDGED_REFUTED;
}

void prediction_judge(struct judgement *out, const struct prediction *p, const struct findings *f,
                      const struct finding *parent, const struct finding *child) {
  *out = (struct judgement){0};
  if (p->kind == PREDICTION_BOUND) {
    judge_bound(out, p, parent, child);
    return;
  }
  out->before = prediction_value(f, parent, p->name);
  out->after = prediction_value(f, child, p->name);
  out->ratio = value_ratio(out->after, out->before, "the parent's value is 0");
  if (!out->before.present || !out->after.present) {
    const struct finding *whose = out->before.present ? child : parent;
    judge_absent(out, whose, out->before.present ? out->after.reason : out->before.reason);
    return;
  }
  if (!out->ratio.present) {
    /* Nothing is within any part of nothing, and of nothing else; a multiple of it says nothing. */
    out->verdict = JUDGED_UNKNOWN;
    if (p->kind == PREDICTION_WITHIN)
      out->verdict = out->after.v == 0 ? JUDGED_CONFIRMED : JUDGED_REFUTED;
    else
      out->reason = out->ratio.reason;
    return;
  }
  struct range range = {out->ratio.v, out->ratio.v};
  if (strcmp(p->name, "time") == 0) {
    range.low = child->time.ci_low / parent->time.ci_high;
    range.high = parent->time.ci_low > 0 ? child->time.ci_high / parent->time.ci_low : INFINITY;
  }
  out->verdict = verdict_of(p, range);
}
