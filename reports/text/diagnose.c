#include "reports/text/diagnose.h"

#include "analysis/story/of_launch.h"
#include "analysis/story/program.h"
#include "base/cxx_name.h"
#include "base/table.h"
#include "reports/text/static_text.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"
#include "reports/words/place_text.h"
#include "reports/words/program_text.h"
#include "reports/words/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the head --- */

/* Of the kernel's shapes, why this one is shown. */
static void add_why_this(const struct finding *f, size_t shapes, struct text *out) {
  if (shapes < 2)
    return;
  if (f->of_sol.present)
    text_printf(out, "most to gain of %zu shapes: %.0f %% of its time is above the speed of light\n", shapes,
                100 * fmax(1 - f->of_sol.v, 0));
  else
    text_printf(out, "the longest of %zu shapes, as no speed of light is known\n", shapes);
}

enum { HEAD_NAME_CHARS = 120, HEAD_NAME_MAX = 4 * HEAD_NAME_CHARS };

/* further: what is said of the whole run has been said. */
static void add_head(const struct report_diagnosis *d, size_t shapes, bool further, struct text *out) {
  const struct finding *f = d->finding;
  struct program_kernel k;
  char name[HEAD_NAME_MAX];

  text_add(out, cxx_fit(name, sizeof name, f->variant->id, HEAD_NAME_CHARS));
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
  if (bound_far(d->findings->run, f, out))
    text_add(out, "\n");
  add_why_this(f, shapes, out);
  if (!further) {
    view_origin(d->findings, out);
    text_add(out, "\n");
    process_cautions(d->findings->run, out);
  }
  if (process_replayed(f->variant, out))
    text_add(out, "\n");
  if (f->timed && f->bounds.binding != BOUND_KINDS && !bound_of_unlike(f, d->diagnosis->n)) {
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
  table_number(t, time_s > 0 ? 100 * s.v / time_s : NAN, 2);
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

/* Writes, and requests for part of a line, take the L2 longer than the loads of whole lines that its ceiling is of. */
static void add_l2_mix(const struct bounds *b, struct text *out) {
  static const double alike = 0.99;
  struct value least = bound_least(b, BOUND_L2);
  const struct value *read = &b->work.l2_read, *written = &b->work.l2_write;
  double rate = ((read->present ? read->v : 0) + (written->present ? written->v : 0)) / least.v;
  if (least.present && least.v > 0 && b->ceiling[BOUND_L2] && rate < alike * b->ceiling[BOUND_L2]->value)
    text_printf(out, "; %s for its mix of requests", VIEW_NUMBER(rate * 1e-12, 3));
}

/* Of one slice a sector has lanes of eight words. */
static void add_slice(const struct bounds *b, struct text *out) {
  struct value least = bound_least(b, BOUND_ATOMICS);
  const struct ceiling *c = b->ceiling[BOUND_ATOMICS];
  if (c && strcmp(c->name, "red_32_addresses") == 0 && b->work.atomic_cycles_max.present && least.present &&
      least.v > 0)
    text_printf(out, "; the busiest slice's %s G sectors/s",
                VIEW_NUMBER(b->work.atomic_cycles_max.v / least.v * 1e-9, 3));
}

static void add_rests_on(const struct finding *f, enum bound_kind k, struct text *out) {
  const struct bounds *b = &f->bounds;
  bool none = b->seconds[k].present && b->seconds[k].v <= 0;
  if (none)
    text_add(out, "none of it");
  else if (k == BOUND_LATENCY)
    text_add(out, "loads, waits and instructions of one warp");
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
  if (!none && k == BOUND_L2)
    add_l2_mix(b, out);
  if (!none && k == BOUND_ATOMICS)
    add_slice(b, out);
  if (!none && k == BOUND_TENSOR && b->tensor_times > 0 && fabs(b->tensor_times - 1) > 0.01)
    text_printf(out, "; %s times that for its types and shapes", VIEW_NUMBER(b->tensor_times, 2));
}

/* A row that neither binds nor needs a tenth of the time, which is as far as the model is right in nine of ten of the ladders' results (docs/model.md); unknown is not
 * little. */
static bool is_little(const struct bounds *b, enum bound_kind k) {
  static const double part = 0.1;
  struct value least = bound_least(b, k);
  return k != b->binding && least.present && b->whole.present && least.v < part * b->whole.v;
}

/* Of several that were not counted, where what binds is known all the same. */
static bool is_uncounted(const struct bounds *b, enum bound_kind k) {
  return b->binding != BOUND_KINDS && !bound_least(b, k).present;
}

static void add_name(struct text *list, const char *before, enum bound_kind k) {
  text_printf(list, "%s%s", list->n ? ", " : before, bound_name(k));
}

/* "below 10 %: lsu 5.6 %, adu 0.61 %; none: atomics, xu; unknown: tex" */
static void add_left_out(const struct bounds *b, struct text *out) {
  struct text little = {0}, none = {0}, uncounted = {0};
  for (int i = 0; i < BOUND_KINDS; i++) {
    enum bound_kind k = (enum bound_kind)i;
    struct value least = bound_least(b, k);
    if (is_uncounted(b, k)) {
      add_name(&uncounted, "unknown: ", k);
    } else if (is_little(b, k) && least.v <= 0) {
      add_name(&none, "none: ", k);
    } else if (is_little(b, k)) {
      add_name(&little, "below 10 %: ", k);
      text_printf(&little, " %s %%", VIEW_NUMBER(100 * least.v / b->whole.v, 2));
    }
  }
  struct text *lists[] = {&little, &none, &uncounted};
  const char *between = "";
  for (size_t i = 0; i < 3; i++) {
    if (lists[i]->n) {
      text_printf(out, "%s%s", between, text_str(lists[i]));
      between = "; ";
    }
    text_end(lists[i], out);
  }
  text_add(out, *between ? "\n" : "");
}

/* Of a result without counters what is known without them. */
static struct table *report_bounds(const struct report_diagnosis *d, bool whole, size_t *rows) {
  const struct bounds *b = &d->finding->bounds;
  bool counted = d->finding->result->n_metrics > 0;
  double time_s = b->whole.present ? b->whole.v : 0;
  struct table *t = table_of("bound | >minimum [µs] =least_us | >of the time [%] =share | rests on =rests_on");
  const char *common = common_reason(b);

  *rows = 0;
  for (int k = 0; k < BOUND_KINDS; k++) {
    struct text words = {0};
    if ((!counted && !b->seconds[k].present) ||
        (!whole && (is_little(b, (enum bound_kind)k) || is_uncounted(b, (enum bound_kind)k))))
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
  if (b->work.balance > 0 && b->work.balance < even)
    text_printf(out, "issue, alu, l1 ... are of the busiest SM; the average SM is %.0f %% as busy\n",
                100 * b->work.balance);
  if (over && f->n_doubts == 0)
    text_add(out, "above 100 %: the rate, or an idle chip's latency, is off by that much for this kernel\n");
}

static void add_bounds(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  const char *common = common_reason(&d->finding->bounds);
  bool whole = o->all || d->finding->result->n_metrics == 0;
  size_t rows = 0;
  if (bound_of_unlike(d->finding, d->diagnosis->n))
    return;
  struct table *t = report_bounds(d, whole, &rows);

  text_add(out, rows ? "\n" : "");
  if (rows)
    table_print(t, out, o->width, o->colour);
  else
    table_free(t);
  if (!whole)
    add_left_out(&d->finding->bounds, out);
  if (common && d->finding->result->n_metrics > 0)
    text_printf(out, "not counted: %s\n", common);
  if (d->finding->result->n_metrics > 0)
    add_bounds_notes(d->finding, out);
}

/* --- advice --- */

enum { ADVICE_WITH_REMEDY = 3 }; /* the first so many; of the others cause and saving */

const struct run_line *report_advice_line(const struct report_diagnosis *d, const struct advice *a) {
  struct code_place place = {0};
  if (!a->told.at || advice_of_launch(a, d->finding, d->findings->device))
    return NULL;
  code_place_of(&place, d->findings->run, a->told.at);
  return place.line && place.line->source >= 0 ? place.line : NULL;
}

static void add_advice_line(const struct report_diagnosis *d, const struct advice *a, bool full, struct text *out) {
  const struct run_line *line = report_advice_line(d, a);
  if (!line)
    return;
  text_add(out, "   line: ");
  (full ? report_line_in_full : report_line_of)(d->findings->run, line, a->told.at, false, out);
  text_add(out, "\n");
}

/* Not full: without the evidence, the saving's interval and the line's text. */
static void add_one_advice(const struct report_diagnosis *d, const struct advice *a, bool full, struct text *out) {
  const struct finding *f = d->finding;
  text_printf(out, "%s [%s]: ", a->rule->title, a->rule->name);
  (full ? report_saving : report_saving_short)(a, f, out);
  text_printf(out, "\n   %s", a->told.sentence);
  if (full && a->told.n_evidence) {
    text_add(out, "\n   evidence: ");
    report_evidences(a->told.evidence, a->told.n_evidence, out);
  }
  text_printf(out, "\n   remedy: %s\n", a->told.remedy);
  if (a->then)
    text_printf(out, "   then: %s\n", a->then);
  add_advice_line(d, a, full, out);
}

static int most_first(const void *a, const void *b) {
  const struct advice *x = *(const struct advice *const *)a, *y = *(const struct advice *const *)b;
  if (x->price.saves_s != y->price.saves_s)
    return x->price.saves_s > y->price.saves_s ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* "also may save, the most first (in full: --all): [tail] 19 % of the time, [occupancy] 12 %"; of what saves more than advice above also why it stands behind that. */
static void add_rest(const struct report_diagnosis *d, size_t from, struct text *out) {
  const struct diagnosis *x = d->diagnosis;
  size_t n = x->n - from;
  const struct advice **rest = calloc(n, sizeof *rest);
  double least_s = INFINITY; /* of those above */
  for (size_t i = 0; i < from; i++)
    least_s = x->items[i].price.saves_s > 0 ? fmin(least_s, x->items[i].price.saves_s) : least_s;
  for (size_t i = 0; i < n; i++)
    rest[i] = &x->items[from + i];
  qsort(rest, n, sizeof *rest, most_first);
  text_add(out, "also may save, the most first (in full: --all): ");
  for (size_t i = 0; i < n; i++) {
    text_printf(out, "%s[%s] ", i ? ", " : "", rest[i]->rule->name);
    report_saving_part(rest[i], d->finding, out);
    text_add(out, i == 0 && rest[i]->price.saves_s > 0 ? " of the time" : "");
    const char *why = rest[i]->price.saves_s > least_s ? rest[i]->behind : NULL;
    const char *next = i + 1 < n && rest[i + 1]->price.saves_s > least_s ? rest[i + 1]->behind : NULL;
    if (why && !(next && strcmp(next, why) == 0))
      text_printf(out, " (%.*s)", (int)strcspn(why, ","), why);
  }
  text_add(out, "\n");
  free(rest);
}

/* Where several save the same, what all of it can save is less than its sum; where each alone leaves another bound, it is more.  Beside what says stop it is
 * less than the model can tell. */
static void add_together(const struct diagnosis *x, const struct finding *f, struct text *out) {
  static const double rounded = 1.05;
  double sum_s = 0, whole_s = f->time.middle; /* as of each alone */
  for (size_t i = 0; i < x->n; i++)
    sum_s += x->items[i].price.saves_s;
  bool stops = x->n > 0 && x->items[0].told.stop;
  bool less = sum_s > rounded * x->together_s, more = sum_s > 0 && x->together_s > rounded * sum_s;
  if (!stops && whole_s > 0 && (less || more) && x->together_s > 0)
    text_printf(out, "together these may save about %.0f %% of the time: %s\n", 100 * fmin(x->together_s / whole_s, 1),
                less ? "their savings overlap" : "each alone leaves what the others shorten");
  if (!stops && whole_s > 0 && x->at_best_s > 0)
    text_printf(out, "tiles as large as fit may save up to %.0f %% of the time\n",
                100 * fmin(x->at_best_s / whole_s, 1));
}

static void add_advice(const struct report_diagnosis *d, bool all, struct text *out) {
  const struct diagnosis *x = d->diagnosis;

  text_add(out, "\nadvice\n");
  if (x->n == 0)
    text_printf(out, "  none: %s", report_no_advice(x->reason));
  const struct bounds *b = &d->finding->bounds;
  if (x->n == 0 && !x->reason && b->binding != BOUND_KINDS) {
    text_printf(out, "; bound by %s, ", bound_rows[b->binding].noun);
    bound_part(b->share.v, out);
    text_add(out, " of the time");
  }
  text_add(out, x->n == 0 ? "\n" : "");
  if (x->code && x->code->n_advice) {
    text_add(out, "from the code and the launch alone, modelled (" CODE_NOT_SEEN "):\n");
    report_code_advice(x->code, out);
  }
  size_t told = all || x->n < ADVICE_WITH_REMEDY ? x->n : ADVICE_WITH_REMEDY;
  for (size_t i = 0; i < told; i++) {
    text_printf(out, "%zu. ", i + 1);
    add_one_advice(d, &x->items[i], all || i == 0, out);
  }
  if (told < x->n)
    add_rest(d, told, out);
  add_together(x, d->finding, out);
}

/* What was neither timed nor counted has a head, and its code. */
static bool add_code_alone(const struct report_diagnosis *d, struct text *out) {
  const struct finding *f = d->finding;
  const struct run_result *r = f->result;

  if (f->timed || f->bounds.binding != BOUND_KINDS || r->n_metrics > 0 || r->module < 0)
    return false;
  const struct run *run = d->findings->run;
  const char *file = f->variant->file, *arch = run->modules[r->module].arch;
  if (file && run->command && strstr(run->command, file)) /* --kernel: no built-in rung */
    text_printf(out, "\nnext      nvfp4-prof diagnose %s --variant %s --target %s\n", file, f->variant->id, arch);
  else
    text_printf(out, "\nnext      nvfp4-prof diagnose --static --variant %s --target %s\n", f->variant->id, arch);
  return true;
}

/* A kernel of a program that nothing was counted of. */
static void add_next(const struct report_diagnosis *d, struct text *out) {
  struct text command = {0};
  if (program_again_for(d->findings, d->finding, &command))
    text_printf(out, "\nnext      %s\n", text_str(&command));
  text_release(&command);
}

static void add_whole(const struct report_diagnosis *d, size_t shapes, bool further,
                      const struct report_diagnose_options *o, struct text *out) {
  add_head(d, shapes, further, out);
  if (add_code_alone(d, out))
    return;
  add_advice(d, o->all, out);
  add_bounds(d, o, out);
  text_add(out, d->finding->n_stalls ? "\n" : "");
  report_stalls(d->finding, out);
  text_add(out, d->finding->n_stalls ? "\n" : "");
  report_hot(d, o, out);
  add_next(d, out);
}

/* --- shapes --- */

/* "bound: l1, 76 % of the time; ": one line has room for the advice, too. */
static void add_other_bound(const struct report_diagnosis *d, struct text *out) {
  struct bound_told told;
  bound_told_of(&told, d->finding);
  if (told.binding == BOUND_KINDS || bound_of_unlike(d->finding, d->diagnosis->n))
    return;
  text_add(out, "bound: ");
  if (!bound_fits(&told) || !told.share.present) {
    bound_brief(&told, out);
  } else {
    text_printf(out, "%s%s, ", bound_name(told.binding), d->finding->bounds.partial ? "?" : "");
    bound_part(told.share.v, out);
    text_add(out, " of the time");
  }
  text_add(out, "; ");
}

/* "4096×7168×8: 48.59 µs, 57 % of the speed of light", and below it what binds and what the first advice saves. */
static void add_other(const struct report_diagnosis *d, struct text *out) {
  const struct finding *f = d->finding;
  const struct diagnosis *x = d->diagnosis;
  text_printf(out, "%s: ", VIEW_SHAPE(f->result->shape));
  report_time(f, out);
  if (f->of_sol.present) {
    text_add(out, ", ");
    view_of_roof(f, f->of_sol.v, out);
  }
  text_add(out, "\n  ");
  add_other_bound(d, out);
  if (x->n) {
    text_printf(out, "[%s]: ", x->items[0].rule->name);
    report_saving_short(&x->items[0], f, out);
  } else {
    text_add(out, report_no_advice(x->reason));
  }
  text_add(out, "\n");
}

/* Of the n diagnoses from d on those of the same kernel as the first. */
static size_t of_kernel(const struct report_diagnosis *d, size_t n, size_t *indices) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++)
    if (d[i].finding->variant == d->finding->variant)
      indices[found++] = i;
  return found;
}

static void add_others(const struct report_diagnosis *d, const size_t *indices, size_t n, size_t shown,
                       struct text *out) {
  const struct finding *first = d[indices[shown == 0]].finding;
  char shape[SHAPE_TEXT_MAX];
  text_printf(out, "\n%s (whole: --shape %s, or --all)\n", n == 2 ? "the other shape" : "other shapes",
              shape_text(first->result->shape, shape));
  for (size_t i = 0; i < n; i++)
    if (i != shown)
      add_other(&d[indices[i]], out);
}

static bool is_first_of_kernel(const struct report_diagnosis *d, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (d[k].finding->variant == d[i].finding->variant)
      return false;
  return true;
}

/* The kernel's shape with the most to gain, and its others. */
static void add_kernel(const struct report_diagnosis *d, size_t n, bool further,
                       const struct report_diagnose_options *o, struct text *out) {
  size_t *indices = calloc(n, sizeof *indices);
  const struct finding **items = calloc(n, sizeof *items);
  size_t shapes = of_kernel(d, n, indices);
  for (size_t i = 0; i < shapes; i++)
    items[i] = d[indices[i]].finding;
  size_t shown = most_to_gain(items, shapes);
  add_whole(&d[indices[shown]], shapes, further, o, out);
  if (shapes > 1)
    add_others(d, indices, shapes, shown, out);
  free(indices);
  free(items);
}

void report_diagnose_term(const struct report_diagnosis *d, size_t n, const struct report_diagnose_options *o,
                          struct text *out) {
  bool each = o->all || o->shapes_whole;
  for (size_t i = 0; i < n; i++) {
    if (!each && !is_first_of_kernel(d, i))
      continue;
    text_add(out, i ? "\n\n" : "");
    if (each)
      add_whole(&d[i], 1, i > 0, o, out);
    else
      add_kernel(d + i, n - i, i > 0, o, out);
  }
}
