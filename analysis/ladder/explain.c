#include "analysis/ladder/explain.h"

#include "analysis/ladder/causes.h"
#include "analysis/ladder/moved.h"
#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const step_pipes[STEP_PIPES] = {"alu", "fma", "fp16", "lsu", "xu", "tensor", "uniform", "fp64"};

/* --- stalls --- */

static double change_size(const struct step_stall *s) {
  return fabs(s->share.after.v - s->share.before.v);
}

static bool is_larger(const void *a, const void *b) {
  return change_size(a) >= change_size(b);
}

static void set_stalls(struct step_at *at) {
  static const char prefix[] = "stall_";
  const struct run_result *r = at->child->result;
  for (size_t i = 0; i < r->n_metrics; i++) {
    const char *name = r->metrics[i].name;
    if (strncmp(name, prefix, strlen(prefix)) != 0 || strcmp(name, "stall_selected") == 0)
      continue;
    char share[128];
    snprintf(share, sizeof share, "%s_share", name);
    struct step_change c = {finding_value(at->parent, share), finding_value(at->child, share)};
    if (c.before.present && c.after.present && c.before.v != c.after.v)
      array_rank(at->stalls, &at->n_stalls, STEP_STALLS, sizeof *at->stalls,
                 &(struct step_stall){name + strlen(prefix), c}, is_larger);
  }
}

/* --- its sentence --- */

/* What is not told of one cause is named where it is this part of the change or more. */
static const double NAMED = 0.1;
enum { NAMED_MAX = 3 };

/* Microseconds with three digits, no more than a hundredth behind the point. */
static int us_digits(double us) {
  return fabs(us) >= 99.95 ? 0 : fabs(us) >= 9.995 ? 1 : 2;
}

static void us_add(struct text *out, double seconds) {
  double us = seconds * 1e6;
  text_printf(out, "%s%.*f µs", us < 0 ? "−" : "+", us_digits(us), fabs(us));
}

static void add_times(struct text *out, const struct step_at *at) {
  double a = at->time.before.v * 1e6, b = at->time.after.v * 1e6;
  text_printf(out, " (%.*f → %.*f µs)", us_digits(a), a, us_digits(b), b);
}

static void add_ratio(struct text *out, const struct step *s, const struct step_at *at) {
  double times = fmax(at->ratio.v, 1 / at->ratio.v);
  text_add(out, s->to->id);
  if (at->same)
    text_printf(out, ": no measurable change against %s", s->from->id);
  else
    text_printf(out, " is %.*f× %s than %s",
                times >= 10     ? 0
                : times >= 3    ? 1
                : times >= 1.01 ? 2
                                : 3,
                times, at->ratio.v < 1 ? "faster" : "slower", s->from->id);
  add_times(out, at);
}

static void add_causes(struct text *out, const struct step_at *at) {
  const char *separator = ": ";
  struct cause causes[STEP_GROUPS];
  double others;
  size_t n = causes_of_shape(causes, at, &others);
  for (size_t i = 0, named = 0; i < n; i++) {
    if (named == NAMED_MAX || !moved_any(at, causes[i].lead)) {
      others += causes[i].share;
      continue;
    }
    named++;
    text_add(out, separator);
    cause_title_add(out, &causes[i]);
    text_add(out, " ");
    us_add(out, causes[i].share);
    moved_add(out, at, causes[i].lead);
    separator = ", ";
  }
  if (fabs(others) >= NAMED * fabs(causes_change_s(at))) {
    text_printf(out, "%sthe others ", separator);
    us_add(out, others);
    separator = ", ";
  }
  if (fabs(at->shares.rest_s) >= NAMED * fabs(causes_change_s(at))) {
    text_printf(out, "%sunexplained ", separator);
    us_add(out, at->shares.rest_s);
    text_add(out, causes_rest_is_noise(at) ? causes_noise : "");
  }
}

/* Where the change was counted: "; counted as waits for loads −3.10 µs, issuing +1.20 µs". */
static void add_counted(struct text *out, const struct step_at *at) {
  enum cycle_use named[CYCLE_USES_NAMED];
  double part[CYCLE_USES];
  for (int k = 0; k < CYCLE_USES; k++)
    part[k] = causes_counted(at) ? at->cycles[k] / causes_change_s(at) : 0;
  size_t n = cycle_uses_named(named, part);
  for (size_t i = 0; i < n; i++) {
    text_printf(out, "%s%s ", i ? ", " : "; counted as ", cycle_use_titles[named[i]]);
    us_add(out, at->cycles[named[i]]);
  }
}

static void sentence_write(struct text *out, const struct step *s, const struct step_at *at) {
  const struct run_variant *missing = at->parent ? (at->child ? NULL : s->to) : s->from;
  if (missing) {
    text_printf(out, "nothing to explain: %s was not run at this shape.", missing->id);
    return;
  }
  if (!at->ratio.present) {
    const struct finding *f = at->time.before.present ? at->child : at->parent;
    text_printf(out, "nothing to explain: %s has no time (%s).", f->variant->id,
                f->time_reason ? f->time_reason : at->ratio.reason);
    return;
  }
  add_ratio(out, s, at);
  if (!at->same && !at->shares.known) {
    text_printf(out, ": cause unknown, %s", at->shares.reason);
  } else if (!at->same && !causes_found(at)) {
    text_add(out, ": cause not found; the counters show ");
    us_add(out, causes_change_s(at) - at->shares.rest_s);
    text_add(out, " of ");
    us_add(out, causes_change_s(at));
    add_counted(out, at);
  } else if (!at->same) {
    add_causes(out, at);
  }
  moved_code_add(out, at);
  text_add(out, ".");
}

/* --- one shape --- */

static struct step_change change_of(const struct findings *f, const struct step_at *at, const char *name) {
  return (struct step_change){prediction_value(f, at->parent, name), prediction_value(f, at->child, name)};
}

static struct step_change change_absent(void) {
  static const char not_run[] = "not run at this shape";
  return (struct step_change){value_absent(not_run), value_absent(not_run)};
}

static void set_cycles(struct step_at *at, double sms) {
  struct cycle_account before, after;
  cycle_account_of(&before, at->parent, sms);
  cycle_account_of(&after, at->child, sms);
  at->cycles_known = before.known && after.known;
  for (int k = 0; k < CYCLE_USES && at->cycles_known; k++)
    at->cycles[k] = after.seconds[k] - before.seconds[k];
}

static void at_fill(struct step_at *at, const struct findings *f, const struct step *s) {
  at->time = at->dram_bytes = at->inst_per_element = at->registers = at->occupancy = change_absent();
  at->ratio = at->time.after;
  at->shares.reason = "one of the two has no time";
  for (int k = 0; k < BOUND_KINDS; k++)
    at->bounds[k] = change_absent();
  for (size_t i = 0; i < STEP_PIPES; i++)
    at->pipes[i] = change_absent();
  if (!at->parent || !at->child)
    return;
  const struct stats *before = &at->parent->time, *after = &at->child->time;
  at->time = change_of(f, at, "time");
  at->ratio = value_ratio(at->time.after, at->time.before, "the measured time is 0");
  at->same = at->ratio.present && after->ci_low <= before->ci_high && before->ci_low <= after->ci_high;
  at->bound_before = step_bound(at->parent);
  at->bound_after = step_bound(at->child);
  at->dram_bytes = change_of(f, at, "dram_bytes");
  at->inst_per_element = change_of(f, at, "inst_per_element");
  at->registers = change_of(f, at, "registers");
  at->occupancy = change_of(f, at, "occupancy");
  for (int k = 0; k < BOUND_KINDS; k++)
    at->bounds[k] = (struct step_change){at->parent->bounds.seconds[k], at->child->bounds.seconds[k]};
  for (size_t i = 0; i < STEP_PIPES; i++) {
    char counter[32];
    snprintf(counter, sizeof counter, "pipe_%s", step_pipes[i]);
    at->pipes[i] = (struct step_change){finding_value(at->parent, counter), finding_value(at->child, counter)};
  }
  set_stalls(at);
  set_cycles(at, f->rates.sms);
  if (at->ratio.present)
    shares_of(&at->shares, &at->parent->bounds.work, &at->child->bounds.work, &f->rates,
              at->time.after.v - at->time.before.v);
  for (size_t i = 0; i < s->predictions.n; i++)
    prediction_judge(&at->judgements[i], &s->predictions.items[i], f, at->parent, at->child);
  if (!at->same && causes_found(at) && fabs(at->ratio.v - 1) >= causes_error)
    at->causes = causes_list(at);
  for (size_t i = 0; i < s->claims.n; i++)
    claim_judge(&at->claimed[i], &s->claims.items[i], f, at->parent, at->child);
}

static void at_make(struct step_at *at, const struct findings *f, const struct step *s, struct shape shape) {
  *at = (struct step_at){.shape = shape,
                         .parent = findings_at(f, s->from->id, shape),
                         .child = findings_at(f, s->to->id, shape),
                         .rates = &f->rates};
  at->judgements = calloc(s->predictions.n + 1, sizeof *at->judgements);
  at->claimed = calloc(s->claims.n + 1, sizeof *at->claimed);
  for (size_t i = 0; i < s->predictions.n; i++)
    at->judgements[i] = (struct judgement){
        .verdict = JUDGED_UNKNOWN, .reason = "not run at this shape", .absent = at->parent ? s->to->id : s->from->id};
  for (size_t i = 0; i < s->claims.n; i++)
    at->claimed[i].verdict = JUDGED_UNKNOWN;
  at_fill(at, f, s);
  struct text sentence = {0};
  sentence_write(&sentence, s, at);
  at->sentence = text_take(&sentence);
}

static const char *published_on(const struct findings *f, const struct run_variant *v) {
  const char *here = f->run->device.name;
  for (size_t i = 0; i < v->n_published; i++)
    if (!here || !strstr(here, v->published[i].device))
      return v->published[i].device;
  return NULL;
}

int step_make(struct step *out, const struct findings *f, const struct run_variant *from, const struct run_variant *to,
              const struct shape *shapes, size_t n, struct err *e) {
  *out = (struct step){.from = from, .to = to};
  bool own = to->parent && strcmp(to->parent, from->id) == 0;
  int rc = predictions_parse(&out->predictions, to->id, own ? to->predicts : NULL, e);
  if (!rc && own)
    rc = claims_parse(&out->claims, to, e);
  if (rc)
    return rc;
  if (own)
    out->published = claims_published(f, from, to), out->published_on = published_on(f, to);
  out->at = calloc(n + 1, sizeof *out->at);
  while (out->n < n) {
    at_make(&out->at[out->n], f, out, shapes[out->n]);
    out->n++;
  }
  causes_rows(out);
  causes_why(out);
  return 0;
}

void step_release(struct step *s) {
  for (size_t i = 0; i < s->n; i++) {
    free(s->at[i].judgements);
    for (size_t k = 0; k < s->claims.n && s->at[i].claimed; k++)
      free(s->at[i].claimed[k].found);
    free(s->at[i].claimed);
    free(s->at[i].causes);
    free(s->at[i].sentence);
  }
  free(s->at);
  free(s->published);
  free(s->why);
  free(s->cause);
  claims_release(&s->claims);
  predictions_release(&s->predictions);
  *s = (struct step){0};
}
