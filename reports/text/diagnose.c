#include "reports/text/diagnose.h"

#include "analysis/story/of_launch.h"
#include "analysis/story/program.h"
#include "base/table.h"
#include "reports/text/static_text.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"
#include "reports/words/place_text.h"
#include "reports/words/process_text.h"
#include "reports/words/program_text.h"
#include "reports/words/view.h"

#include <math.h>
#include <string.h>

/* Instructions with less than this part of the kernel's samples are left out of the listing, unless all are asked for. */
static const double LISTED_SHARE = 0.01;
enum { LISTED_MAX = 60 };

static double share(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* --- the head --- */

static void add_head(const struct report_diagnosis *d, bool further, struct text *out) {
  const struct finding *f = d->finding;
  struct program_kernel k;

  text_add(out, f->variant->id);
  view_at(f->result->shape, out);
  text_add(out, ": ");
  report_time(f, out);
  if (program_kernel_of(f->variant, &k) && k.share.present)
    text_printf(out, ", %.*f %% of the GPU time", k.share.v < 0.1, 100 * k.share.v);
  if (f->of_read.present)
    text_printf(out, ", %s %% of the read control's speed", VIEW_NUMBER(100 * f->of_read.v, 2));
  if (f->of_sol.present) {
    text_add(out, ", ");
    view_of_roof(f, f->of_sol.v, out);
  }
  text_add(out, "\n");
  if (!further) {
    view_origin(d->findings, out);
    text_add(out, "\n");
    process_cautions(d->findings->run, out);
  }
  if (process_replayed(f->variant, out))
    text_add(out, "\n");
  if (f->bounds.binding != BOUND_KINDS && !bound_of_unlike(f, d->diagnosis->n)) {
    struct bound_told told;
    bound_told_of(&told, f);
    text_add(out, "bound: ");
    bound_sentence(&told, out);
    text_add(out, "\n");
  }
  for (size_t i = 0; i < f->n_doubts; i++)
    text_printf(out, "IMPOSSIBLE VALUE: %s\n", f->doubts[i]);
}

/* "dram_read_bytes: its counters need 13 passes": why, without what; NULL: it has no such two parts. */
static const char *why_of(struct value s) {
  const char *colon = s.present || !s.reason ? NULL : strstr(s.reason, ": ");
  return colon ? colon + 2 : NULL;
}

/* The reason why several bounds are unknown, which stands under the table once; NULL: there is none. */
static const char *common_reason(const struct bounds *b) {
  for (int k = 0; k < BOUND_KINDS; k++)
    for (int i = 0; i < k && why_of(b->seconds[k]); i++)
      if (why_of(b->seconds[i]) && strcmp(why_of(b->seconds[i]), why_of(b->seconds[k])) == 0)
        return why_of(b->seconds[k]);
  return NULL;
}

static void bound_row(struct table *t, const char *name, struct value s, double time_s, const char *rests_on,
                      const char *common) {
  table_row(t);
  table_cell(t, name, NULL);
  if (!s.present) {
    const char *why = why_of(s);
    table_cell(t, "", NULL);
    table_cell(t, "", NULL);
    if (why && common && strcmp(why, common) == 0)
      table_cellf(t, "%.*s: not counted", (int)(why - s.reason - 2), s.reason);
    else
      table_cell(t, s.reason, NULL);
    table_style(t, 'd');
    return;
  }
  table_number(t, s.v * 1e6, 3);
  table_number(t, time_s > 0 ? 100 * s.v / time_s : 0, 2);
  table_cell(t, rests_on, NULL);
}

/* DRAM's row is of loads and stores in their mix, which are slower than the loads that the ceiling is of. */
static void add_mix(const struct finding *f, struct text *out) {
  static const double alike = 0.99;
  struct value roof = finding_dram_roof(f), written = finding_value(f, "dram_write_share");
  const struct ceiling *c = f->bounds.ceiling[BOUND_DRAM];
  if (roof.present && written.present && c && roof.v < alike * c->value)
    text_printf(out, "; %s with %.0f %% written", VIEW_NUMBER(roof.v * 1e-12, 3), 100 * written.v);
}

static void add_rests_on(const struct finding *f, enum bound_kind k, struct text *out) {
  const struct bounds *b = &f->bounds;
  bool none = b->seconds[k].present && b->seconds[k].v <= 0;
  if (none)
    text_add(out, "none of it");
  else if (k == BOUND_LATENCY)
    text_add(out, "a warp's loads, waits and instructions in sequence");
  else if (k == BOUND_L1 && !b->ceiling[k])
    text_add(out, "a wavefront per cycle and SM");
  else if (k == BOUND_ISSUE && !b->ceiling[k])
    text_add(out, "an instruction per cycle and scheduler");
  else if (k == BOUND_LAUNCH)
    text_add(out, b->ceiling[k] ? "starting blocks; ramp: " : "starting blocks");
  if (!none && k != BOUND_LATENCY)
    report_ceiling(b->ceiling[k], out);
  if (!none && k == BOUND_DRAM)
    add_mix(f, out);
  if (!none && k == BOUND_TENSOR && b->tensor_times > 0 && fabs(b->tensor_times - 1) > 0.01)
    text_printf(out, "; %s times that for its types and shapes", VIEW_NUMBER(b->tensor_times, 2));
}

/* Of a result without counters what is known without them. */
static struct table *report_bounds(const struct report_diagnosis *d, size_t *rows) {
  const struct bounds *b = &d->finding->bounds;
  bool counted = d->finding->result->n_metrics > 0;
  double time_s = b->whole.present ? b->whole.v : 0;
  struct table *t = table_of("bound | >minimum [µs] =least_us | >of the time [%] =share | rests on =rests_on");
  const char *common = common_reason(b);

  *rows = 0;
  for (int k = 0; k < BOUND_KINDS; k++) {
    struct text words = {0};
    if (!counted && !b->seconds[k].present)
      continue;
    (*rows)++;
    add_rests_on(d->finding, (enum bound_kind)k, &words);
    bound_row(t, bound_name((enum bound_kind)k), bound_least(b, (enum bound_kind)k), time_s, text_str(&words), common);
    if (k == (int)b->binding)
      table_style(t, 'B');
    text_release(&words);
  }
  if (counted)
    table_rule(t);
  if (b->fixed.present && ++*rows)
    bound_row(t, "empty kernel", b->fixed, time_s, "measured with the same launch", NULL);
  if (counted && ++*rows)
    bound_row(t, "model", b->time_s, time_s, "all resources together; docs/model.md", NULL);
  return t;
}

/* What a reader of the rows must know of them. */
static void add_bounds_notes(const struct finding *f, struct text *out) {
  static const double even = 0.95, rounded = 1.005;
  const struct bounds *b = &f->bounds;
  bool over = false;
  for (int k = 0; k < BOUND_KINDS; k++)
    over |= b->whole.present && b->seconds[k].present && b->seconds[k].v > rounded * b->whole.v;
  if (b->unlike)
    text_printf(out, "launches took %s to %s; the shares are of the %s of those that were counted\n",
                VIEW_SPAN(f->time.min, 3), VIEW_SPAN(f->time.max, 3), VIEW_SPAN(b->whole.v, 3));
  if (b->work.balance > 0 && b->work.balance < even)
    text_printf(out,
                "issue, alu, l1 and the like are given for the busiest SM; the average SM is busy %.0f %% as long\n",
                100 * b->work.balance);
  if (over && f->n_doubts == 0)
    text_add(out, "above 100 %: the rate, or an idle chip's latency, is off by that much for this kernel\n");
}

static void add_bounds(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  const char *common = common_reason(&d->finding->bounds);
  size_t rows = 0;
  if (bound_of_unlike(d->finding, d->diagnosis->n))
    return;
  struct table *t = report_bounds(d, &rows);

  text_add(out, rows ? "\n" : "");
  if (rows)
    table_print(t, out, o->width, o->colour);
  else
    table_free(t);
  if (common && d->finding->result->n_metrics > 0)
    text_printf(out, "not counted: %s\n", common);
  if (d->finding->result->n_metrics > 0)
    add_bounds_notes(d->finding, out);
}

/* --- advice --- */

enum { ADVICE_IN_FULL = 3 };

const struct run_line *report_advice_line(const struct report_diagnosis *d, const struct advice *a) {
  struct code_place place = {0};
  if (!a->told.at || advice_of_launch(a, d->finding, d->findings->device))
    return NULL;
  code_place_of(&place, d->findings->run, a->told.at);
  return place.line && place.line->source >= 0 ? place.line : NULL;
}

static void add_advice_line(const struct report_diagnosis *d, const struct advice *a, struct text *out) {
  const struct run_line *line = report_advice_line(d, a);
  if (!line)
    return;
  text_add(out, "   line: ");
  report_line_in_full(d->findings->run, line, a->told.at, false, out);
  text_add(out, "\n");
}

static void add_one_advice(const struct report_diagnosis *d, const struct advice *a, bool full, struct text *out) {
  const struct finding *f = d->finding;
  text_printf(out, "%s [%s]: ", a->rule->title, a->rule->name);
  if (!full) {
    report_saving_short(a, f, out);
    text_printf(out, "; %s\n", a->told.remedy);
    return;
  }
  report_saving(a, f, out);
  text_printf(out, "\n   %s", a->told.sentence);
  for (size_t k = 0; k < a->told.n_evidence; k++) {
    text_add(out, k ? "; " : "\n   evidence: ");
    report_evidence(&a->told.evidence[k], out);
  }
  text_printf(out, "\n   remedy: %s\n", a->told.remedy);
  add_advice_line(d, a, out);
}

/* Where several save the same, what all of it can save is less than its sum; beside what says stop it is less than the model can tell. */
static void add_together(const struct diagnosis *x, const struct finding *f, struct text *out) {
  static const double rounded = 1.05;
  double sum_s = 0, whole_s = f->bounds.whole.present ? f->bounds.whole.v : f->time.middle;
  for (size_t i = 0; i < x->n; i++)
    sum_s += x->items[i].price.saves_s;
  bool stops = x->n > 0 && x->items[0].told.stop;
  if (!stops && whole_s > 0 && sum_s > rounded * x->together_s && x->together_s > 0)
    text_printf(out, "together these may save about %.0f %% of the time: their savings overlap\n",
                100 * fmin(x->together_s / whole_s, 1));
  if (!stops && whole_s > 0 && x->at_best_s > 0)
    text_printf(out, "tiles as large as fit may save up to %.0f %% of the time\n",
                100 * fmin(x->at_best_s / whole_s, 1));
}

static void add_advice(const struct report_diagnosis *d, bool all, struct text *out) {
  const struct diagnosis *x = d->diagnosis;

  text_add(out, "\nadvice\n");
  if (bound_far(d->findings->run, d->finding, out))
    text_add(out, "\n");
  if (x->n == 0)
    text_printf(out, "  none: %s", report_no_advice(x->reason));
  if (x->n == 0 && !x->reason) {
    const struct bounds *b = &d->finding->bounds;
    text_printf(out, "; bound by %s, ", bound_rows[b->binding].noun);
    bound_part(b->share.v, out);
    text_add(out, " of the time");
  }
  text_add(out, x->n == 0 ? "\n" : "");
  if (x->code && x->code->n_advice) {
    text_add(out, "from the code and the launch alone, modelled (" CODE_NOT_SEEN "):\n");
    report_code_advice(x->code, out);
  }
  for (size_t i = 0; i < x->n; i++) {
    text_printf(out, "%zu. ", i + 1);
    add_one_advice(d, &x->items[i], all || i < ADVICE_IN_FULL, out);
  }
  add_together(x, d->finding, out);
}

/* --- where warps wait --- */

static void add_lines(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  const struct hot *h = &d->diagnosis->hot;
  struct table *t = table_of(">samples [%] =samples_share | stall | line | source …");

  for (size_t i = 0; i < h->n_lines && i < o->lines; i++) {
    const struct hot_line *l = &h->lines[i];
    struct text source = {0}, line = {0};
    report_line_shown(h->run, l->source, l->line, &source);
    report_hot_line_cell(h, l, &line);
    table_row(t);
    table_number(t, share(l->samples, h->samples), 2);
    table_cellf(t, "%s %.0f %%", l->top.reason ? l->top.reason : "", share(l->top.samples, l->samples));
    table_cell(t, text_str(&line), NULL);
    table_cell(t, text_str(&source), NULL);
    text_release(&source);
    text_release(&line);
  }
  table_print(t, out, o->width, o->colour);
}

/* What the hottest waits are for, once each. */
static void add_waits(const struct report_diagnosis *d, struct text *out) {
  enum { WAITS_SHOWN = 5 };
  const struct hot *h = &d->diagnosis->hot;
  size_t shown = 0;

  for (size_t i = 0; i < h->n_insts && shown < WAITS_SHOWN; i++) {
    const struct hot_inst *x = &h->insts[i];
    if (x->n_feeds == 0 || share(x->reasons[0].samples, h->samples) < 100 * LISTED_SHARE)
      continue;
    const struct sass *s = &h->kernels[x->kernel].sass;
    const struct sass_inst *at = &s->insts[x->feeds[0].wait == WAIT_STORES ? sass_ended_at(s, x->at) : x->at];
    text_printf(out, shown++ ? "" : "\nwhat they wait for\n");
    text_printf(out, "  %.0f %% %s at 0x%04x %s\n", share(x->reasons[0].samples, h->samples), x->reasons[0].reason,
                at->offset, at->text);
    for (size_t k = 0; k < x->n_feeds; k++) {
      text_add(out, "       for ");
      report_feed(h, x, &x->feeds[k], out);
      text_add(out, "\n");
    }
  }
}

static bool listed(const struct hot *h, const struct hot_kernel *k, size_t at, bool all) {
  if (all)
    return true;
  size_t x = k->insts[at];
  return x != SASS_NONE && share(h->insts[x].samples, h->samples) >= 100 * LISTED_SHARE;
}

/* Of single instructions, and no estimates. */
static bool has_counts(const struct hot_kernel *k) {
  return k->sass.counted && !k->sass.estimated && !k->sass.spread;
}

static void listing_row(struct table *t, const struct hot *h, const struct hot_kernel *k, size_t at) {
  const struct hot_inst *x = k->insts[at] == SASS_NONE ? NULL : &h->insts[k->insts[at]];
  struct text place = {0};

  report_place_cell(h->run, hot_shown(k, at), &place);
  table_row(t);
  if (x) {
    table_number(t, share(x->samples, h->samples), 2);
    table_cell(t, x->n_reasons ? x->reasons[0].reason : "", NULL);
  } else {
    table_cell(t, "", NULL);
    table_cell(t, "", NULL);
  }
  if (has_counts(k))
    table_format(t, "%.0f", k->sass.executed[at] >= 0 ? k->sass.executed[at] : NAN);
  table_cellf(t, "%04x", k->sass.insts[at].offset);
  table_cell(t, k->sass.insts[at].text, NULL);
  table_cell(t, text_str(&place), NULL);
  text_release(&place);
}

/* Like `perf annotate`: SASS in its order, with samples, reason, executed count and line. */
static void add_listing(const struct report_diagnosis *d, const struct report_diagnose_options *o,
                        const struct hot_kernel *k, struct text *out) {
  const struct hot *h = &d->diagnosis->hot;
  struct table *t = table_new();
  size_t rows = 0;

  table_head(t, has_counts(k) ? ">samples [%] =samples_share | stall | >executed -1 | offset -2 | SASS =sass … | line"
                              : ">samples [%] =samples_share | stall | offset -1 | SASS =sass … | line");
  for (size_t at = 0; at < k->sass.n && (o->all || rows < LISTED_MAX); at++)
    if (listed(h, k, at, o->all)) {
      listing_row(t, h, k, at);
      rows++;
    }
  text_printf(out, "\nkernel %s: %s\n", k->kernel->name,
              o->all ? "all instructions" : "instructions with 1 % of the samples or more (--all lists every one)");
  if (rows)
    table_print(t, out, o->width, o->colour);
  else
    table_free(t);
}

static void add_hot(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  const struct hot *h = &d->diagnosis->hot;
  const struct run_sampling *s = &d->finding->result->sampling;

  if (h->reason) {
    text_printf(out, "\nwhere warps wait: unknown: %s\n", h->reason);
  } else {
    text_printf(out, "\nwhere warps wait: %llu PC samples", (unsigned long long)h->samples);
    if (s->dropped)
      text_printf(out, ", %llu dropped", (unsigned long long)s->dropped);
    text_printf(out, ", %.1f %% of them at a known instruction\n", share(h->samples - h->unplaced, h->samples));
    if (h->n_lines)
      add_lines(d, o, out);
    add_waits(d, out);
  }
  for (size_t i = 0; i < h->n_kernels; i++)
    if (o->all || h->kernels[i].samples)
      add_listing(d, o, &h->kernels[i], out);
}

/* What was neither timed nor counted has a head, and its code. */
static bool add_code_alone(const struct report_diagnosis *d, struct text *out) {
  const struct finding *f = d->finding;
  const struct run_result *r = f->result;

  if (f->timed || f->bounds.binding != BOUND_KINDS || r->n_metrics > 0 || r->module < 0)
    return false;
  text_printf(out, "\nnext      nvfp4-prof diagnose --static --variant %s --target %s\n", f->variant->id,
              d->findings->run->modules[r->module].arch);
  return true;
}

/* A kernel of a program that nothing was counted of. */
static void add_next(const struct report_diagnosis *d, struct text *out) {
  struct text command = {0};
  if (program_again_for(d->findings, d->finding, &command))
    text_printf(out, "\nnext      %s\n", text_str(&command));
  text_release(&command);
}

void report_diagnose_term(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  add_head(d, o->further, out);
  if (add_code_alone(d, out))
    return;
  add_advice(d, o->all, out);
  add_bounds(d, o, out);
  text_add(out, d->finding->n_stalls ? "\n" : "");
  report_stalls(d->finding, out);
  text_add(out, d->finding->n_stalls ? "\n" : "");
  add_hot(d, o, out);
  add_next(d, out);
}
