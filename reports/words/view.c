#include "reports/words/view.h"

#include "analysis/ladder/climb.h"
#include "analysis/model/resources.h"
#include "base/cxx_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum view_group group_of(const struct run_variant *v) {
  if (v->wrong || (v->ladder && strcmp(v->ladder, "wrong") == 0))
    return VIEW_WRONG;
  return run_variant_is_control(v) ? VIEW_CONTROL : VIEW_LADDER;
}

void view_init(struct view *v, const struct findings *f) {
  size_t total = 0;
  *v = (struct view){.f = f};
  for (size_t i = 0; i < f->n_ladders; i++)
    total += f->ladders[i].n;
  v->items = calloc(total ? total : 1, sizeof *v->items);
  v->ladders = calloc(f->n_ladders ? f->n_ladders : 1, sizeof *v->ladders);
  for (int group = VIEW_LADDER; group <= VIEW_WRONG; group++) {
    for (size_t i = 0; i < f->n_ladders; i++) {
      const struct ladder *l = &f->ladders[i];
      size_t before = v->n;
      for (size_t j = 0; j < l->n; j++)
        if ((int)group_of(l->rungs[j]) == group)
          v->items[v->n++] = (struct view_item){l->rungs[j], l->name, (enum view_group)group};
      if (group == VIEW_LADDER && v->n > before)
        v->ladders[v->n_ladders++] = l->name;
    }
  }
}

void view_release(struct view *v) {
  free(v->items);
  free(v->ladders);
  *v = (struct view){0};
}

bool view_on_ladder(const struct view_item *item, const char *ladder) {
  return item->group == VIEW_LADDER && strcmp(item->ladder, ladder) == 0;
}

const char *view_number(char buffer[VIEW_NUMBER_MAX], double x, int digits) {
  static const double least = 0.001;
  int decimals;
  if (x > 0 && x < least)
    return memcpy(buffer, "<0.001", sizeof "<0.001");
  /* The exponent after rounding, so that 0.9996 to three digits is 1.00 and not 1.000. */
  snprintf(buffer, VIEW_NUMBER_MAX, "%.*e", digits - 1, x);
  decimals = digits - 1 - atoi(strchr(buffer, 'e') + 1);
  if (decimals < 0)
    decimals = 0;
  if (decimals > 15)
    decimals = 15;
  snprintf(buffer, VIEW_NUMBER_MAX, "%.*f", decimals, x);
  return buffer;
}

/* A half interval is shown from this share of the time on; below, the digits say as much. */
static const double interval_shown = 0.005;
/* CUPTI's activity timestamps tick at 32 ns: no interval is narrower than half of that. */
static const double half_tick_s = 16e-9;

static const char *time_in(char buffer[VIEW_NUMBER_MAX], const struct stats *time, double per_s) {
  double half = fmax((time->ci_high - time->ci_low) / 2, half_tick_s);
  char middle[VIEW_NUMBER_MAX];
  view_number(middle, time->middle * per_s, 4);
  if (half < interval_shown * time->middle)
    return memcpy(buffer, middle, sizeof middle);
  snprintf(buffer, VIEW_NUMBER_MAX, "%.20s ±%.20s", middle, VIEW_NUMBER(half * per_s, 2));
  return buffer;
}

const char *view_time(char buffer[VIEW_NUMBER_MAX], const struct stats *time) {
  return time_in(buffer, time, 1e6);
}

void view_measured(const struct stats *time, struct text *out) {
  char buffer[VIEW_NUMBER_MAX];
  struct view_unit unit = view_unit_of(time->middle);
  text_printf(out, "%s %s", time_in(buffer, time, unit.per_s), unit.name);
}

struct view_unit view_unit_of(double seconds) {
  static const double ms_from = 10e-3, s_from = 10;
  return seconds >= s_from    ? (struct view_unit){1, "s"}
         : seconds >= ms_from ? (struct view_unit){1e3, "ms"}
                              : (struct view_unit){1e6, "µs"};
}

const char *view_span(char buffer[VIEW_NUMBER_MAX], double seconds, int digits) {
  struct view_unit unit = view_unit_of(seconds);
  snprintf(buffer, VIEW_NUMBER_MAX, "%.40s %s", VIEW_NUMBER(seconds * unit.per_s, digits), unit.name);
  return buffer;
}

/* Why the run is partial; a note of the run that says the same and more stands for it: *note, else n_notes. */
static const char *partial_of(const struct run *r, size_t *note) {
  const char *reason = r->partial_reason ? r->partial_reason : "it was interrupted";
  for (*note = 0; *note < r->n_notes; ++*note)
    if (strncmp(r->notes[*note], reason, strlen(reason)) == 0)
      return r->notes[*note];
  return reason;
}

const char *view_partial(const struct run *r) {
  size_t note;
  return r->partial ? partial_of(r, &note) : NULL;
}

void view_partial_note(const struct run *r, void (*item)(void *context, const char *s), void *context) {
  struct text line = {0};
  if (!r->partial)
    return;
  text_printf(&line, "the run is partial: %s", view_partial(r));
  item(context, text_str(&line));
  text_release(&line);
}

void view_notes(const struct run *r, void (*item)(void *context, const char *s), void *context) {
  size_t told = r->n_notes;
  if (r->partial)
    partial_of(r, &told);
  for (size_t i = 0; i < r->n_notes; i++)
    if (i != told)
      item(context, r->notes[i]);
}

void view_mean(const struct finding *f, struct text *out) {
  static const double apart = 0.05;
  if (!f->timed || !shape_none(f->result->shape))
    return;
  if (fabs(f->time.mean / f->time.middle - 1) > apart)
    text_printf(out, " in the median, %s in the mean", VIEW_SPAN(f->time.mean, 4));
  else if (strcmp(VIEW_SPAN(f->time.mean, 4), VIEW_SPAN(f->time.middle, 4)) != 0)
    text_add(out, " in the median");
}

const char *view_shape(char buffer[SHAPE_TEXT_MAX + 8], struct shape s) {
  if (shape_none(s))
    snprintf(buffer, SHAPE_TEXT_MAX + 8, "problem not declared");
  else if (shape_named(&s))
    snprintf(buffer, SHAPE_TEXT_MAX + 8, "%s", s.sizes);
  else
    snprintf(buffer, SHAPE_TEXT_MAX + 8, "%ld×%ld×%ld", s.m, s.k, s.l);
  return buffer;
}

void view_at(struct shape s, struct text *out) {
  if (!shape_none(s))
    text_printf(out, " at %s", VIEW_SHAPE(s));
}

const char *view_name(char buffer[VIEW_NAME_MAX], const struct run_variant *v) {
  return cxx_fit(buffer, VIEW_NAME_MAX, v->id, VIEW_NAME_CHARS);
}

const char *view_short(char buffer[VIEW_LABEL_MAX], const struct run_variant *v) {
  size_t n = v->ladder ? strlen(v->ladder) : 0;
  const char *name = v->id;
  char *dash, *title = cxx_title(name);
  if (title) {
    snprintf(buffer, VIEW_LABEL_MAX, "%s", title);
    free(title);
    return buffer;
  }
  if (n && strncmp(name, v->ladder, n) == 0 && name[n] == '-' && name[n + 1])
    name += n + 1;
  snprintf(buffer, VIEW_LABEL_MAX, "%s", name);
  dash = strchr(buffer, '-');
  if (dash && name[0] >= '0' && name[0] <= '9')
    *dash = ' ';
  return buffer;
}

static void short_cut(char out[VIEW_LABEL_MAX], const struct run_variant *v, size_t chars) {
  char name[VIEW_LABEL_MAX], cut[VIEW_LABEL_MAX];
  snprintf(out, VIEW_LABEL_MAX, "%s", cxx_title_cut(cut, sizeof cut, view_short(name, v), chars));
}

void view_grid(char buffer[VIEW_GRID_MAX], const struct finding *f) {
  const unsigned *g = f && f->launch ? f->launch->grid : (const unsigned[]){0, 0, 0};
  if (g[2] > 1)
    snprintf(buffer, VIEW_GRID_MAX, "%ux%ux%u", g[0], g[1], g[2]);
  else if (g[1] > 1)
    snprintf(buffer, VIEW_GRID_MAX, "%ux%u", g[0], g[1]);
  else
    snprintf(buffer, VIEW_GRID_MAX, "%u", g[0]);
}

/* Of the kernel's name where that has it, else of its launch. */
static void grid_of(char out[VIEW_GRID_MAX], const struct view *v, const struct run_variant *of) {
  const char *grid = strstr(of->id, "<<<");
  if (grid)
    snprintf(out, VIEW_GRID_MAX, "%.*s", (int)strcspn(grid + 3, ",>"), grid + 3);
  else
    view_grid(out, v->f->n_shapes ? findings_at(v->f, of->id, v->f->shapes[0]) : NULL);
}

struct twins {      /* the kernels of a ladder that share a short name */
  size_t n, number; /* the kernel asked for is the number-th from 1 */
  bool grids;       /* no other has its grid */
};

static struct twins twins_of(const struct view *v, const struct run_variant *of, size_t chars) {
  struct twins t = {0, 0, true};
  const char *ladder = NULL;
  char name[VIEW_LABEL_MAX], grid[VIEW_GRID_MAX];
  short_cut(name, of, chars);
  grid_of(grid, v, of);
  for (size_t i = 0; i < v->n && !ladder; i++)
    ladder = v->items[i].variant == of ? v->items[i].ladder : NULL;
  for (size_t i = 0; i < v->n && ladder; i++) {
    const struct run_variant *twin = v->items[i].variant;
    char other[VIEW_LABEL_MAX], its_grid[VIEW_GRID_MAX];
    short_cut(other, twin, chars);
    if (strcmp(v->items[i].ladder, ladder) != 0 || strcmp(other, name) != 0)
      continue;
    t.n++;
    grid_of(its_grid, v, twin);
    t.grids &= twin == of || strcmp(grid, its_grid) != 0;
    if (twin == of)
      t.number = t.n;
  }
  return t;
}

const char *view_short_in(char buffer[VIEW_LABEL_MAX], const struct view *v, const struct run_variant *of,
                          size_t chars) {
  struct twins t = twins_of(v, of, chars);
  char name[VIEW_LABEL_MAX], end[VIEW_GRID_MAX + 2], grid[VIEW_GRID_MAX];
  if (t.n < 2) {
    short_cut(buffer, of, chars);
    return buffer;
  }
  grid_of(grid, v, of);
  if (t.grids)
    snprintf(end, sizeof end, " %s", grid);
  else
    snprintf(end, sizeof end, " #%zu", t.number);
  short_cut(name, of, chars > strlen(end) ? chars - strlen(end) : 1);
  snprintf(buffer, VIEW_LABEL_MAX, "%.*s%s", VIEW_LABEL_MAX - VIEW_GRID_MAX - 2, name, end);
  return buffer;
}

const char *view_ceiling_kind(enum ceiling_kind k) {
  return k == CEILING_DRIVER ? "driver-derived" : ceiling_kind_name(k);
}

struct view_words view_words(const struct findings *f, const char *ladder) {
  static const struct view_words rungs = {true, "rung", "ladder", "Ladder"};
  static const struct view_words kernels = {false, "kernel", "kernels", "Kernels"};
  return climb_has_steps(f, ladder) ? rungs : kernels;
}

bool view_of_others(const struct findings *f) {
  return f->n_shapes && (shape_named(&f->shapes[0]) || shape_none(f->shapes[0]));
}

void view_title(const struct findings *f, struct text *out) {
  text_printf(out, "%s on %s", view_of_others(f) ? "Kernels" : "NVFP4 batched GEMV",
              f->run->device.name ? f->run->device.name : "an unnamed device");
}

void view_origin(const struct findings *f, struct text *out) {
  const struct run *r = f->run;
  const struct run_device *d = &r->device;
  if (d->name && strncmp(d->name, RUN_NO_DEVICE, sizeof RUN_NO_DEVICE - 1) == 0) {
    text_printf(out, "%s, not run", d->name + sizeof RUN_NO_DEVICE - 1);
    return;
  }
  text_printf(out, "%s on %s", run_origin_name(r->origin), d->name ? d->name : "an unnamed device");
  if (d->sms > 0)
    text_printf(out, " (%d SMs%s%s)", d->sms, d->driver ? ", driver " : "", d->driver ? d->driver : "");
  if (r->created)
    text_printf(out, ", %.10s", r->created);
  if (r->l2)
    text_printf(out, ", L2 %s", r->l2);
  if (r->inputs)
    text_printf(out, ", inputs %s", r->inputs);
  if (r->origin != ORIGIN_MEASURED)
    text_add(out, "; not measured here");
}

const char *view_tier(const struct findings *f) {
  bool timing = false, counters = false, samples = false;
  for (size_t i = 0; i < f->n; i++) {
    const struct run_result *r = f->items[i].result;
    timing |= f->items[i].timed;
    samples |= r->n_samples > 0;
    for (size_t j = 0; j < r->n_metrics && !counters; j++)
      counters = r->metrics[j].present && strcmp(r->metrics[j].name, "fixed_ns") != 0; /* that one is a time */
  }
  if (counters)
    return samples ? "counters + PC samples" : "counters, no PC samples";
  if (samples)
    return "timing + PC samples, no counters";
  return timing ? "timing only, no counters" : "static only: nothing was timed";
}

const struct sol *view_sol_at(const struct findings *f, struct shape s) {
  const struct sol *any = NULL;
  if (shape_none(s))
    return NULL; /* kernels without a problem have no least bytes in common */
  for (size_t i = 0; i < f->n; i++) {
    const struct finding *item = &f->items[i];
    if (!shape_equal(item->result->shape, s) || item->sol_minimal.bytes <= 0)
      continue;
    if (group_of(item->variant) == VIEW_LADDER)
      return &item->sol_minimal;
    if (!any)
      any = &item->sol_minimal;
  }
  return any;
}

/* A roof as what a kernel uses a part of: it is named beside what binds, and must not read like
 * it. */
static void add_roof(const struct finding *f, struct text *out) {
  switch (f->sol_bound) {
  case BOUND_ISSUE:
    text_add(out, "the issue slots");
    break;
  case BOUND_ATOMICS:
    text_add(out, "the rate of atomics");
    break;
  case BOUND_DRAM:
  case BOUND_L2:
  case BOUND_L1:
    text_printf(out, "the %s bandwidth", f->sol_roof);
    break;
  default:
    text_printf(out, "the %s %s", f->sol_roof, f->sol_bound == BOUND_TENSOR ? "rate" : "pipe");
  }
}

/* The roof is one of an SM, and most have no work: of the chip's it uses little. */
static bool most_sms_idle(const struct finding *f) {
  static const double half = 0.5;
  return bound_is_of_sm(f->sol_bound) && f->bounds.work.balance > 0 && f->bounds.work.balance < half;
}

bool view_over_roof(double share) {
  static const double printed_as_more = 1.005;
  return share >= printed_as_more;
}

void view_of_roof(const struct finding *f, double share, struct text *out) {
  if (!f || !f->sol_roof) { /* of declared bytes it is DRAM's; beside a read of the same bytes that is clear */
    bool of_sm = f && !f->of_read.present && f->bounds.share.present && bound_is_of_sm(f->bounds.binding);
    text_printf(out, "%s %% of the speed of light%s", VIEW_NUMBER(100 * share, 2), of_sm ? " (DRAM)" : "");
    return;
  }
  const struct derived *active = derived_find(f->derived, f->n_derived, "tensor_active"),
                       *clock = derived_find(f->derived, f->n_derived, "clock_hz");
  text_printf(out, "uses %s %% of ", VIEW_NUMBER(100 * share, 2));
  add_roof(f, out);
  text_add(out, ", its nearest roof");
  text_add(out, most_sms_idle(f) ? ", on the SMs that have work" : "");
  text_add(out, view_over_roof(share) ? " (above 100 %: its rate is off by that much for this kernel)" : "");
  if (active && active->value.present && f->sol_bound == BOUND_TENSOR) {
    text_printf(out, " (tensor pipes active %.0f %% of the cycles", 100 * active->value.v);
    if (clock && clock->value.present)
      text_printf(out, ", at %.2f GHz", 1e-9 * clock->value.v);
    text_add(out, ")");
  }
}

static bool sol_differs(const struct findings *f, struct shape s, const struct sol *sol) {
  for (size_t i = 0; i < f->n; i++)
    if (shape_equal(f->items[i].result->shape, s) && group_of(f->items[i].variant) == VIEW_LADDER &&
        f->items[i].sol_minimal.bytes > 0 && f->items[i].sol_minimal.bytes != sol->bytes)
      return true;
  return false;
}

void view_sol(const struct findings *f, struct shape s, struct text *out) {
  const struct sol *sol = view_sol_at(f, s);
  if (shape_none(s)) {
    text_add(
        out,
        "SOL: the time at each kernel's nearest roof, from what was counted of it, not the minimum of its problem");
    return;
  }
  char b[VIEW_NUMBER_MAX];

  if (!sol) {
    text_add(out, "SOL unknown: the run states no minimal bytes");
    return;
  }
  if (sol->bandwidth && sol_differs(f, s, sol)) {
    text_printf(out, "SOL: the minimal bytes of each variant's problem / %s TB/s DRAM (%s)",
                VIEW_NUMBER(sol->bandwidth->value / 1e12, 4), view_ceiling_kind(sol->bandwidth->kind));
    return;
  }
  view_number(b, sol->bytes / 1e6, 4);
  if (!sol->bandwidth || sol->seconds <= 0) {
    text_printf(out, "SOL unknown: %s MB %s, and no DRAM bandwidth is known for this device", b, sol->bytes_kind);
    return;
  }
  text_printf(out, "SOL %s µs = %s MB %s / %s TB/s DRAM (%s)", VIEW_NUMBER(sol->seconds * 1e6, 4), b, sol->bytes_kind,
              VIEW_NUMBER(sol->bandwidth->value / 1e12, 4), view_ceiling_kind(sol->bandwidth->kind));
}

const struct finding *view_read_control(const struct findings *f, struct shape s) {
  const struct finding *item = findings_at(f, "control-read", s);
  return item && group_of(item->variant) == VIEW_CONTROL ? item : NULL;
}

int view_registers(const struct findings *f, const struct run_result *r) {
  int most = -1;
  for (size_t i = 0; i < r->n_launches; i++)
    if (r->launches[i].registers > most && r->launches[i].registers > 0)
      most = r->launches[i].registers;
  if (most >= 0 || r->module < 0)
    return most;
  for (size_t i = 0; i < f->run->modules[r->module].n_kernels; i++)
    if (f->run->modules[r->module].kernels[i].registers > most)
      most = f->run->modules[r->module].kernels[i].registers;
  return most;
}

void view_verdict(const struct finding *item, struct text *out) {
  const struct run_check *c = &item->result->check;
  bool must_fail = group_of(item->variant) == VIEW_WRONG;
  if (c->verdict == VERDICT_WRONG && must_fail)
    text_add(out, "refused");
  else if (c->verdict == VERDICT_PASS && must_fail)
    text_add(out, "NOT REFUSED");
  else
    text_add(out, run_verdict_name(c->verdict));
  if (c->verdict == VERDICT_WRONG && c->cause)
    text_printf(out, ": %s", c->cause);
}

char view_verdict_style(const struct finding *item) {
  bool must_fail = group_of(item->variant) == VIEW_WRONG;
  switch (item->result->check.verdict) {
  case VERDICT_PASS:
    return must_fail ? 'b' : 'g';
  case VERDICT_WRONG:
    return must_fail ? 'g' : 'b';
  case VERDICT_FAILED:
    return 'b';
  default:
    return 'd';
  }
}

const char *view_fault(const struct finding *item) {
  const struct run_check *c = &item->result->check;
  if (c->verdict == VERDICT_PASS && group_of(item->variant) == VIEW_WRONG)
    return "the check let a wrong result pass: do not trust this run's verdicts";
  /* Without check and reason it was never to be checked: a control, another tool's kernel. */
  bool unchecked = c->verdict == VERDICT_UNCHECKED && (group_of(item->variant) == VIEW_CONTROL || !c->reason);

  if (c->verdict == VERDICT_PASS || unchecked) {
    if (item->timed)
      return NULL;
    return item->time_reason ? item->time_reason : "not timed, and the run does not say why";
  }
  if (c->reason)
    return c->reason;
  return c->cause ? c->cause : "the run gives no reason";
}

void view_published(const struct run_published *p, struct text *out) {
  text_printf(out, "%s %s%.10g µs", p->device ? p->device : "unnamed device", p->approximate ? "≈" : "",
              p->time_ns / 1e3);
  if (p->what)
    text_printf(out, " %s", p->what);
  if (p->source)
    text_printf(out, ", %s", p->source);
}

void view_doubts(const struct findings *f, void (*item)(void *context, const char *s), void *context) {
  enum { SHOWN_MAX = 12 };
  size_t shown = 0, more = 0;
  for (size_t i = 0; i < f->n; i++)
    for (size_t k = 0; k < f->items[i].n_doubts; k++) {
      struct text line = {0};
      if (shown == SHOWN_MAX) {
        more++;
        continue;
      }
      shown++;
      text_printf(&line, "IMPOSSIBLE VALUE: %s", f->items[i].variant->id);
      view_at(f->items[i].result->shape, &line);
      text_printf(&line, ": %s", f->items[i].doubts[k]);
      item(context, text_str(&line));
      text_release(&line);
    }
  if (more) {
    struct text line = {0};
    text_printf(&line, "IMPOSSIBLE VALUE: %zu more; findings.json has them all, as \"doubts\"", more);
    item(context, text_str(&line));
    text_release(&line);
  }
}

void view_params(const struct run_result *r, struct text *out) {
  for (size_t i = 0; i < r->n_params; i++)
    text_printf(out, "%s%s=%s", i ? " " : "", r->params[i].key, r->params[i].value);
}

double view_share(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

void view_cell(struct table *t, struct value x, double scale, int digits) {
  table_cell(t, x.present ? VIEW_NUMBER(x.v * scale, digits) : "", NULL);
}

void view_percent(struct table *t, struct value x, int digits) {
  table_number(t, x.present ? 100 * x.v : NAN, digits);
}

void view_cell_time(struct table *t, const struct finding *f) {
  table_cell(t, f && f->timed ? VIEW_TIME(&f->time) : "", NULL);
}
