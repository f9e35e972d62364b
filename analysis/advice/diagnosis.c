#include "analysis/advice/diagnosis.h"
#include "analysis/rules/rules.h"

#include "analysis/advice/advice_order.h"
#include "analysis/advice/baseline.h"
#include "analysis/advice/triton_words.h"
#include "analysis/model/code_place.h"
#include "analysis/model/makers.h"
#include "analysis/rules/more_elements.h"
#include "analysis/rules/remedies.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/saving.h"
#include "analysis/rules/static.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rule that speaks for a bound where no rule finds a cause. */
static const char *const GENERAL[] = {[BOUND_DRAM] = "dram-saturated",
                                      [BOUND_L2] = "l2-rereads",
                                      [BOUND_L1] = "shared-memory",
                                      [BOUND_ATOMICS] = "atomics",
                                      [BOUND_ISSUE] = "issue-slots",
                                      [BOUND_ALU] = "pipe",
                                      [BOUND_FMA] = "pipe",
                                      [BOUND_LSU] = "pipe",
                                      [BOUND_XU] = "pipe",
                                      [BOUND_TENSOR] = "pipe",
                                      [BOUND_FP64] = "fp64",
                                      [BOUND_ADU] = "pipe",
                                      [BOUND_TEX] = "pipe",
                                      [BOUND_LATENCY] = "latency",
                                      [BOUND_LAUNCH] = "launch-bound"};
static_assert(sizeof GENERAL / sizeof GENERAL[0] == BOUND_KINDS, "a bound needs the rule that speaks for it");

static const char *const GENERAL_REMEDY[BOUND_KINDS] = {
    [BOUND_DRAM] = "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them",
    [BOUND_L2] = "larger tiles, so that each byte crosses the L2 fewer times",
    [BOUND_L1] = "keep values in registers; wider shared accesses",
    [BOUND_ATOMICS] = "reduce within the block first, then one atomic per block",
    [BOUND_ISSUE] = "fewer instructions per byte: hoist, unroll, 16-byte loads",
    [BOUND_LATENCY] = "more warps, or more independent work in each: unroll, split sums, load ahead",
    [BOUND_LAUNCH] =
        "fuse launches, or do more per launch; a CUDA graph shortens the gaps between them, not the kernels"};

/* No cause was found: the largest share of the model and the hottest line are named. */
static void fallback(struct diagnosis *d, const struct rule_input *in) {
  enum bound_kind k = in->f->bounds.binding;
  struct advice *a = &d->items[0];
  static const double whole = 0.995; /* rounds to 100 %: a row may be longer than the time */
  double needs = bound_needs(in, k);
  *a = (struct advice){.rule = rule_find(GENERAL[k])};
  a->told.sentence =
      pool_printf(in->pool, "no single cause found; bound by %s, %s of the time%s", bound_rows[k].noun,
                  needs >= whole ? "all" : pool_printf(in->pool, "%.0f %%", 100 * needs), hottest_place(in));
  a->told.remedy =
      GENERAL_REMEDY[k] ? GENERAL_REMEDY[k] : "move work to another pipe, or do it once for several elements";
  evidence_needs(&a->told, in, "share of the time", k);
  evidence_add(&a->told, "modelled over measured time", "ratio", in->f->bounds.explained);
  saving_fill(a, in);
  d->n = 1;
}

/* A kernel that is this near to its floor needs no advice. */
static bool is_near_floor(const struct rule_input *in) {
  return in->time_s - in->floor_s < ADVICE_LEAST_SHARE * in->time_s;
}

static bool is_callers(const struct run *r, int source) {
  return !source_is_toolkits(r, source) && ((size_t)source >= r->n_sources || !file_is_makers(r->sources[source].name));
}

/* Part of the samples, or of the instructions where there are none, whose lines the kernel's caller wrote: a functor, or all of it. */
static double callers_share(const struct rule_input *in) {
  double own = 0, all = 0;
  for (size_t k = 0; k < in->hot->n_kernels; k++) {
    const struct hot_kernel *x = &in->hot->kernels[k];
    for (size_t i = 0; i < x->kernel->n_sass; i++) {
      const struct run_instruction *at = &x->kernel->sass[i];
      double weight = in->hot->samples == 0      ? 1
                      : x->insts[i] == SASS_NONE ? 0
                                                 : (double)in->hot->insts[x->insts[i]].samples;
      bool named = at->n_lines > 0 && at->lines[0].source >= 0;
      own += named && is_callers(in->all->run, at->lines[0].source) ? weight : 0;
      all += weight;
    }
  }
  return all > 0 ? own / all : 0;
}

/* Who wrote the code that the advice is on; NULL: nobody known but its caller. */
static const struct maker *maker_told(const struct rule_input *in) {
  static const double callers = 1.0 / 3; /* of its code: then that is what the advice is on */
  const struct maker *m = maker_of(in->f->variant->id);
  return m && !m->writes && callers_share(in) >= callers ? NULL : m;
}

static const char *lever_words(const struct rule_input *in, const struct maker *m, const char *rule) {
  return pool_printf(in->pool, "the code is %s's: %s", m->name, maker_answer(m, in->f->variant->id, rule));
}

/* Nobody changes a library's code: what its caller can do stands in place of the remedy, once; what answers one advice alone stands with that. */
static void tell_the_caller(struct diagnosis *d, const struct rule_input *in) {
  const struct maker *m = maker_told(in);
  size_t told = 0; /* its number in the list */
  for (size_t i = 0; i < d->n && m; i++) {
    struct advice *a = &d->items[i];
    if (a->told.stop && (a->rule->flags & RULE_FULL_DRAM) && m->fuses)
      a->told.remedy = pool_printf(in->pool, "only fewer bytes help (a narrower type); %s", m->fuses);
    if (a->told.by_caller || a->told.stop)
      continue;
    bool own = maker_answer(m, in->f->variant->id, a->rule->name) != m->lever;
    a->told.remedy = told && !own
                         ? pool_printf(in->pool, "the code is %s's: what you can do stands under %zu", m->name, told)
                         : lever_words(in, m, a->rule->name);
    told = told || own ? told : i + 1;
  }
}

static struct sass *hot_sass(struct hot *h) {
  struct hot_kernel *most = h->n_kernels ? &h->kernels[0] : NULL;
  for (size_t i = 1; i < h->n_kernels; i++)
    if (h->kernels[i].samples > most->samples)
      most = &h->kernels[i];
  return most ? &most->sass : NULL;
}

/* What is nought, as it would be printed, is no evidence. */
static bool is_nought(const struct evidence *x) {
  static const double rounded = 0.005;
  return x->value.v == 0 || (x->unit && strcmp(x->unit, "ratio") == 0 && fabs(x->value.v) < rounded);
}

static void evidence_judge(struct advice *a, const struct finding *f) {
  size_t n = 0;
  for (size_t i = 0; i < a->told.n_evidence; i++) {
    struct evidence x = a->told.evidence[i];
    x.doubted = finding_doubts_title(f, x.title);
    a->doubted |= x.doubted;
    if (!is_nought(&x))
      a->told.evidence[n++] = x;
  }
  a->told.n_evidence = n > 0 ? n : a->told.n_evidence > 0; /* one stands for advice that rests on the code */
}

static const char UNLIKE_COUNTED[] = "its counters are of launches that do unlike work, so no cause is told";

/* Where all that is left rests on values that cannot be, none is given. */
static void doubted_goes(struct diagnosis *d) {
  if (d->n == 0 || !d->items[0].doubted)
    return;
  d->n = 0;
  d->reason = UNLIKE_COUNTED;
}

/* It stands where its rule has it, else where the model's answer would. */
static void rank_fill(struct advice *a, const struct rule_input *in) {
  struct advice priced = *a;
  saving_fill(&priced, in);
  a->rank_s = a->told.rank_s > 0 ? a->told.rank_s : priced.rank_s;
}

/* Several rules ask for the same change: the first of them has all that it spares.  It stands where its own cause puts it. */
static void same_change_once(struct diagnosis *d, const struct rule_input *in) {
  double least_s = INFINITY;
  for (size_t i = 0; i < d->n; i++) {
    struct advice *a = &d->items[i];
    double own_s = a->price.saves_s;
    if (a->told.more_elements) {
      saving_of_elements(a, in);
      if (a->price.saves_s > least_s && a->price.saves_s > own_s)
        a->behind = pool_printf(in->pool, "%.0f %% if the advice above is done first", 100 * own_s / in->time_s);
      return;
    }
    least_s = a->price.saves_s > 0 ? fmin(least_s, a->price.saves_s) : least_s;
  }
}

/* The work with all advice followed; what several rules ask for is done once. */
static void change_all(const struct diagnosis *d, const struct rule_input *in, struct workload *w) {
  bool done = false;
  for (size_t i = 0; i < d->n; i++)
    if (!d->items[i].told.more_elements)
      d->items[i].rule->change(in, w);
    else if (!done) {
      change_more_elements(in, w);
      done = true;
    }
}

/* The rule whose remedy shortens the bound and saves most of what is left, a tenth of that or more; NULL. */
static const struct rule *next_cause(const struct diagnosis *d, const struct rule_input *left, enum bound_kind next,
                                     double needs_s) {
  static const double TOLD = 0.1;
  const struct rule *most = NULL;
  double most_s = TOLD * left->time_s;
  for (size_t i = 0; i < n_rules; i++) {
    struct told told = told_of(&rules[i]);
    struct workload changed = left->work;
    if (&rules[i] == d->items[0].rule || !rules[i].judge(left, &told) || told.general || told.unpriced || told.stop)
      continue;
    rules[i].change(left, &changed);
    struct value least[BOUND_KINDS];
    model_least(least, &changed, &left->all->rates);
    double saves_s = least[next].v < needs_s ? saving_of(left, &changed) : 0;
    most = saves_s > most_s ? &rules[i] : most;
    most_s = fmax(most_s, saves_s);
  }
  return most;
}

/* Where starting blocks hides all else, what comes to light behind it: rules priced the work as it is, and hardly saw it. */
static void tell_the_next(struct diagnosis *d, const struct rule_input *in) {
  static const double MOST = 0.5, US = 1e6;
  struct advice *a = &d->items[0];
  if (d->n == 0 || in->f->bounds.binding != BOUND_LAUNCH || !(a->price.saves_s > 0) || a->told.stop ||
      (a->rule->flags & RULE_LAUNCHING))
    return;
  struct rule_input left = *in;
  struct value least[BOUND_KINDS];
  enum bound_kind next = BOUND_LAUNCH;
  a->rule->change(in, &left.work);
  left.time_s = in->time_s - a->price.saves_s;
  model_least(least, &left.work, &in->all->rates);
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LAUNCH && k != BOUND_LATENCY && least[k].present &&
        (next == BOUND_LAUNCH || least[k].v > least[next].v))
      next = (enum bound_kind)k;
  if (next == BOUND_LAUNCH || least[next].v < MOST * left.time_s)
    return;
  const struct rule *cause = next_cause(d, &left, next, least[next].v);
  if (cause ? diagnosis_find(d, cause->name) != NULL : d->n > 1) /* the list tells it */
    return;
  a->then = pool_printf(in->pool, "%s, %.3g µs%s", bound_rows[next].noun, least[next].v * US,
                        cause ? pool_printf(in->pool, ": %s [%s]", cause->title, cause->name) : "");
}

/* What rests on a value that cannot be promises nothing.  Where the model, which takes all values
 * together, is a hundred times off the time besides, no advice does. */
static void doubted_unpriced(struct diagnosis *d, const struct finding *f) {
  static const double far = 100;
  struct value fit = f->bounds.explained;
  bool all = f->n_doubts && fit.present && (fit.v > far || fit.v < 1 / far);
  for (size_t i = 0; i < d->n; i++)
    if (all || d->items[i].doubted)
      d->items[i].price = (struct price){0};
  if (all)
    d->together_s = d->at_best_s = 0;
}

static void rules_ask(struct diagnosis *out, const struct rule_input *in) {
  for (size_t i = 0; i < n_rules; i++) {
    struct advice a = {.rule = &rules[i], .told = told_of(&rules[i])};
    if (!rules[i].judge(in, &a.told))
      continue;
    evidence_judge(&a, in->f);
    if (a.told.unpriced)
      rank_fill(&a, in);
    else
      saving_fill(&a, in);
    if (a.told.stop || a.told.unpriced || a.price.saves_s >= ADVICE_LEAST_SHARE * in->time_s)
      out->items[out->n++] = a;
  }
  if (out->n == 0 && !is_near_floor(in) && !in->f->bounds.partial)
    fallback(out, in);
  advice_order(out, in);
  doubted_goes(out);
  tell_the_caller(out, in);
  triton_tell(out, in);
  same_change_once(out, in);
  struct workload changed = in->work;
  change_all(out, in, &changed);
  out->together_s = saving_together(in, &changed);
  for (size_t i = 0; i < out->n; i++)
    if (out->items[i].told.roof_s > 0 && out->items[i].price.high_s > fmax(out->together_s, out->at_best_s))
      out->at_best_s = out->items[i].price.high_s;
  doubted_unpriced(out, in->f);
  tell_the_next(out, in);
}

/* Part of the samples with one of the reasons. */
static double sampled_share(const struct run_result *r, const char *const *reasons) {
  uint64_t of = 0, all = 0;
  for (size_t i = 0; i < r->n_samples; i++) {
    all += r->samples[i].samples;
    for (const char *const *x = reasons; *x; x++)
      of += strcmp(r->samples[i].reason, *x) == 0 ? r->samples[i].samples : 0;
  }
  return all ? (double)of / (double)all : 1;
}

/* What samples speak against goes: hardly a warp waits for it. */
static void sampled_goes(struct static_code *c) {
  static const double hardly = 0.1;
  static const char *const of_loads[] = {"long_scoreboard", "lg_throttle", NULL}, *const of_shared[] = {
                                                                                      "short_scoreboard",
                                                                                      "mio_throttle", NULL};
  size_t n = 0;
  for (size_t i = 0; i < c->n_advice; i++) {
    unsigned flags = c->advice[i].rule->flags;
    const char *const *stalls = flags & RULE_LOAD_WAITS ? of_loads : flags & RULE_SHORT_WAITS ? of_shared : NULL;
    if (!stalls || sampled_share(c->result, stalls) >= hardly)
      c->advice[n++] = c->advice[i];
  }
  c->n_advice = n;
}

/* Nothing was counted, or nothing that can be: what the code and the launch show, if the run holds the code. */
static void code_alone(struct diagnosis *out, const struct rule_input *in) {
  const struct findings *all = in->all;
  const struct run_result *r = in->f->result;
  const struct maker *m = maker_told(in);
  if ((r->n_metrics > 0 && out->reason != UNLIKE_COUNTED) || r->module < 0)
    return;
  out->code = calloc(1, sizeof *out->code);
  int rc = static_code_make(out->code, all->run, r, r->n_launches ? &r->launches[0] : NULL, all->device, NULL);
  if (rc == 0 && !out->code->reason) {
    sampled_goes(out->code);
    for (size_t i = 0; i < out->code->n_advice && m; i++)
      out->code->advice[i].told.remedy = lever_words(in, m, out->code->advice[i].rule->name);
    return;
  }
  static_code_release(out->code);
  free(out->code);
  out->code = NULL;
}

/* Why nothing of it was counted, as far as the run says; NULL: it does not. */
static const char *why_uncounted(const struct rule_input *in) {
  static const char ended[] = "the program ended before its hot kernels were counted", attach[] = "nvfp4-prof attach ",
                    first[] = "the second of two runs counts, and there was none";
  const struct run *run = in->all->run;
  const struct run_metric *insts = run_metric_find(in->f->result, "inst_executed");
  if (insts && !insts->present && insts->reason)
    return insts->reason;
  for (size_t i = 0; i < run->n_notes; i++)
    if (strncmp(run->notes[i], ended, sizeof ended - 1) == 0)
      return ended;
    else if (strncmp(run->notes[i], first, sizeof first - 1) == 0)
      return run->notes[i];
  bool ranked = run->command && strncmp(run->command, attach, sizeof attach - 1) == 0;
  ranked =
      ranked && !strstr(run->command, "--kernel") && !strstr(run->command, " -k ") && !strstr(run->command, "--nvtx");
  for (size_t i = 0; i < run->n_results && ranked; i++)
    if (run->results[i].n_metrics > 0)
      return "kernels of more GPU time were counted first";
  return NULL;
}

static bool made_by(const struct run *run, const char *command) {
  return run->command && strncmp(run->command, command, strlen(command)) == 0;
}

/* Counters are added where they were collected: attach counts nothing of what ncu measured. */
static const char *no_cause_words(const struct run *run) {
  return made_by(run, "nvfp4-prof import ncu ")
             ? "what was counted names no cause, and a part of the counters is missing (ncu --set full has all)"
         : made_by(run, "nvfp4-prof attach ") && !strstr(run->command, "--two-runs")
             ? "what was counted names no cause, and a part of the counters is missing (attach --two-runs has all)"
             : "what was counted names no cause, and a part of the counters is missing";
}

static const char *uncounted_words(const struct rule_input *in) {
  const char *why = why_uncounted(in), *what = "no counters were collected, so no bound is known";
  if (why && in->f->result->n_metrics > 0)
    what = "no bound is known"; /* some were collected */
  if (elements_aligned(in))
    return pool_printf(in->pool, "%s; by its name: " NARROW_ROWS_REMEDY, what);
  return why ? pool_printf(in->pool, "%s: %s", what, why) : what;
}

void diagnosis_make(struct diagnosis *out, const struct findings *all, const struct finding *f) {
  *out = (struct diagnosis){.finding = f};
  out->items = calloc(n_rules, sizeof *out->items);
  hot_make(&out->hot, all->run, f->result);
  if (!f->timed) {
    out->reason = f->time_reason;
    return;
  }
  struct rule_input in = {.all = all,
                          .f = f,
                          .pool = &out->pool,
                          .hot = &out->hot,
                          .sass = hot_sass(&out->hot),
                          .time_s = f->time.middle,
                          .floor_s = saving_floor_s(f, all->device, &all->rates)};
  if (f->bounds.binding == BOUND_KINDS) {
    out->reason = uncounted_words(&in);
    code_alone(out, &in);
    return;
  }
  rule_baseline(&in);
  rules_ask(out, &in);
  hot_by_issue(&out->hot, f->bounds.binding);
  if (out->n == 0 && !out->reason && f->bounds.partial)
    out->reason = no_cause_words(all->run);
  if (out->reason == UNLIKE_COUNTED)
    code_alone(out, &in);
}

void diagnosis_release(struct diagnosis *d) {
  free(d->items);
  hot_release(&d->hot);
  if (d->code)
    static_code_release(d->code);
  free(d->code);
  pool_release(&d->pool);
  *d = (struct diagnosis){0};
}
