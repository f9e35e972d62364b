#include "analysis/ladder/explain.h"

#include "analysis/ladder/causes.h"
#include "analysis/ladder/sentence.h"
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

/* Keeps the largest, in order. */
static void stalls_insert(struct step_at *at, struct step_stall s) {
  size_t place = 0;
  while (place < at->n_stalls && change_size(&at->stalls[place]) >= change_size(&s))
    place++;
  if (place == STEP_STALLS)
    return;
  size_t last = at->n_stalls < STEP_STALLS ? at->n_stalls++ : STEP_STALLS - 1;
  for (size_t i = last; i > place; i--)
    at->stalls[i] = at->stalls[i - 1];
  at->stalls[place] = s;
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
      stalls_insert(at, (struct step_stall){name + strlen(prefix), c});
  }
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
