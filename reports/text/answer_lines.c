#include "reports/text/answer_lines.h"
#include "reports/words/bound_words.h"
#include "reports/words/evidence_text.h"

#include "analysis/story/of_launch.h"
#include "analysis/story/program.h"
#include "base/shell.h"
#include "reports/text/diagnose.h"
#include "reports/text/static_text.h"
#include "reports/words/place_text.h"
#include "reports/words/program_text.h"
#include "reports/words/prose_ladder.h"
#include "reports/words/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows --- */

enum column { VARIANT, TIME, HALF, SOL, READ, BINDS, STALL, MARK, COLUMNS };
struct answer_column {
  const char *title, *unit;
  enum table_align align;
  int drop; /* 1 is left out first where the terminal is narrow; 0: never */
};
static const struct answer_column columns[COLUMNS] = {
    [VARIANT] = {"variant", "", TABLE_LEFT, 0}, [TIME] = {"time", "µs", TABLE_RIGHT, 0},
    [HALF] = {"±", "%", TABLE_RIGHT, 1},        [SOL] = {"SOL", "%", TABLE_RIGHT, 3},
    [READ] = {"read", "%", TABLE_RIGHT, 2},     [BINDS] = {"bound", "of the time", TABLE_LEFT, 0},
    [STALL] = {"top stall", "", TABLE_LEFT, 0}, [MARK] = {"note", "", TABLE_LEFT, 0},
};

static void cell_binds(struct table *t, const struct answer_row *r) {
  if (r->binding == BOUND_KINDS)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%s%s %.0f %%", bound_name(r->binding), r->at && r->at->bounds.partial ? "?" : "",
                100 * fmin(r->bound_share, 1));
}

static void cell_stall(struct table *t, const struct answer_row *r) {
  if (!r->at || !r->at->top_stall)
    table_cell(t, "", NULL);
  else if (r->at->top_stall_share.present)
    table_cellf(t, "%s %.0f %%", r->at->top_stall, 100 * r->at->top_stall_share.v);
  else
    table_cell(t, r->at->top_stall, NULL);
}

static void cell_mark(struct table *t, const struct answer_row *r) {
  const char *side = r->variant->side ? "side step" : "", *tied = r->tied ? "tied" : "";

  if (!*side && !*tied)
    table_cell(t, " ", NULL);
  else
    table_cellf(t, "%s%s%s", tied, *side && *tied ? ", " : "", side);
}

/* A column that says nothing in any row is no column. */
static bool column_used(const struct answer *a, enum column c) {
  bool used = c == VARIANT || c == TIME;

  for (size_t i = 0; i < a->n_rows && !used; i++) {
    const struct answer_row *r = &a->rows[i];

    used = (c == HALF && r->half.present) || (c == SOL && r->of_sol.present) || (c == READ && r->of_read.present) ||
           (c == BINDS && r->binding != BOUND_KINDS) || (c == STALL && a->only && r->at->top_stall) ||
           (c == MARK && !a->only && (r->tied || r->variant->side));
  }
  return used;
}

static void row_add(struct table *t, const struct answer *a, const struct answer_row *r, const bool has[COLUMNS]) {
  table_row(t);
  table_cell(t, a->only ? VIEW_SHAPE(r->at->result->shape) : VIEW_NAME(r->variant), r->variant->id);
  view_cell(t, r->time_s, 1e6, 4);
  if (has[HALF])
    view_percent(t, r->half, 2);
  if (has[SOL])
    view_percent(t, r->of_sol, 3);
  if (has[READ])
    view_percent(t, r->of_read, 3);
  if (has[BINDS])
    cell_binds(t, r);
  if (has[STALL])
    cell_stall(t, r);
  if (has[MARK])
    cell_mark(t, r);
}

struct program_shown answer_program(const struct answer *a) {
  struct program_shown s = {.items = calloc(a->n_rows + 1, sizeof *s.items)};

  for (size_t i = 0; i < a->n_rows; i++)
    s.items[s.n++] = findings_at(a->findings, a->rows[i].variant->id, a->findings->shapes[0]);
  return s;
}

static struct table *program_rows(const struct answer *a) {
  struct program_shown s = answer_program(a);
  struct table *t = program_table(&s, &(struct program_names){0});

  program_shown_release(&s);
  return t;
}

struct table *answer_rows(const struct answer *a) {
  if (a->program && !a->only)
    return program_rows(a);
  struct table *t = table_new();
  bool has[COLUMNS];

  for (int c = 0; c < COLUMNS; c++) {
    has[c] = column_used(a, (enum column)c);
    if (!has[c])
      continue;
    table_column(t,
                 c != VARIANT || (a->rivals && !a->only) ? columns[c].title
                 : a->only                               ? "shape"
                                                         : "kernel",
                 columns[c].unit, "", columns[c].align);
    table_drop(t, columns[c].drop);
  }
  for (size_t i = 0; i < a->n_rows; i++)
    row_add(t, a, &a->rows[i], has);
  return t;
}

static void over_shapes(const struct findings *f, struct text *out) {
  if (f->n_shapes == 1)
    view_at(f->shapes[0], out);
  else
    text_printf(out, ", geometric mean of %zu shapes", f->n_shapes);
}

/* How much of the program's time the rows have. */
static void program_caption(const struct answer *a, struct text *out) {
  double share = 0, total_s = 0;
  bool known = true;

  for (size_t i = 0; i < a->n_rows; i++) {
    share += a->rows[i].share.v;
    total_s += a->rows[i].total_s;
    known = known && a->rows[i].share.present;
  }
  if (a->n_more)
    text_printf(out, "%zu of %zu kernels of the program", a->n_rows, a->n_rows + a->n_more);
  else
    text_printf(out, "%zu kernel%s of the program", a->n_rows, a->n_rows == 1 ? "" : "s");
  if (known)
    text_printf(out, ", %.1f %% of its GPU time", 100 * share);
  text_printf(out, ", %.1f ms", 1e3 * total_s);
}

void answer_caption(const struct answer *a, struct text *out) {
  const char *parent = a->only ? a->only->parent : NULL;

  if (a->program && !a->only)
    program_caption(a, out);
  else if (a->only)
    text_printf(out, "%s%s%s%s%s", a->only->id, parent ? ", a step from " : "", parent ? parent : "",
                a->only->change ? ": " : "", a->only->change ? a->only->change : "");
  else if (a->per_ladder)
    text_printf(out, "The best of each ladder (%zu %ss timed)", a->n_variants, view_words(a->findings, NULL).one);
  else
    text_printf(out, "%zu %s%s", a->n_variants, a->rivals ? "variant" : "kernel", a->n_variants == 1 ? "" : "s");
  if (!a->only && !a->program)
    over_shapes(a->findings, out);
}

struct sink { /* where lines go, one after the other */
  answer_line_fn *line;
  void *context;
  const char *run_file;
};

/* Passes the line on and releases it. */
static void say(struct sink *to, const char *label, struct text *line) {
  to->line(to->context, label, text_str(line));
  text_release(line);
}

/* --- the answer --- */

static void fastest_line(const struct answer *a, struct sink *to) {
  enum { NAMED = 2 };
  struct text line = {0};

  if (a->program && !a->only && a->best->share.present) {
    struct program_others others = program_others_of(a->findings->run, a->best->variant);
    text_printf(&line, "%s: %.0f %% of the GPU time, %.0f call%s", VIEW_NAME(a->best->variant), 100 * a->best->share.v,
                a->best->calls, a->best->calls == 1 ? "" : "s");
    if (100 * others.share >= 1 && others.n == 1)
      text_printf(&line, "; %.0f %% with this kernel's other geometry", 100 * (a->best->share.v + others.share));
    else if (100 * others.share >= 1)
      text_printf(&line, "; %.0f %% with this kernel's %zu other geometries", 100 * (a->best->share.v + others.share),
                  others.n);
    say(to, "most time", &line);
    return;
  }
  text_printf(&line, "%s, %s µs", VIEW_NAME(a->best->variant), VIEW_NUMBER(a->best->time_s.v * 1e6, 4));
  over_shapes(a->findings, &line);
  if (a->only) {
    text_add(&line, "; check: ");
    view_verdict(a->rows[0].at, &line);
  }
  for (size_t i = 0; i < a->n_ties && i < NAMED; i++)
    text_printf(&line, "%s%s", i ? ", " : "; tied with ", VIEW_NAME(a->ties[i]));
  if (a->n_ties > NAMED)
    text_printf(&line, " and %zu more", a->n_ties - NAMED);
  say(to, a->only ? "time" : a->rivals ? "fastest" : "longest", &line);
}

/* Where the time is of other launches than shares and savings. */
static void launches_line(const struct answer *a, struct sink *to) {
  const struct finding *at = findings_at(a->findings, a->best->variant->id, a->findings->shapes[0]);
  struct text line = {0};
  if (at && bound_far(a->findings->run, at, &line))
    say(to, "launches", &line);
}

static void close_line(const struct answer *a, struct sink *to) {
  const struct answer_row *r = a->best;
  const struct finding *at = findings_at(a->findings, r->variant->id, a->findings->shapes[0]);
  struct text line = {0};

  if (r->of_sol.present) {
    view_of_roof(at, r->of_sol.v, &line);
  } else {
    text_add(&line, at && at->bounds.binding != BOUND_KINDS && shape_none(at->result->shape) ? at->of_sol.reason
                    : a->program ? "unknown: this kernel has no counters"
                                 : "speed of light unknown: the kernel declares no bytes");
  }
  if (r->of_read.present)
    text_printf(&line, ", %s %% of a pure read of the same bytes", VIEW_NUMBER(100 * r->of_read.v, 2));
  say(to, "how close", &line);
}

static void binds_line(const struct answer *a, struct sink *to) {
  const struct answer_row *r = a->best;
  struct bound_told told = {r->binding, value_of(r->bound_share), r->explained, NULL};
  struct text line = {0};

  if (a->findings->n_shapes == 1)
    told.at = findings_at(a->findings, r->variant->id, a->findings->shapes[0]);

  bound_sentence(&told, &line);
  say(to, "bound", &line);
}

/* A kernel that ran without being counted. */
static bool uncounted(const struct answer *a) {
  return !a->first && a->no_advice && a->best->binding == BOUND_KINDS;
}

/* The kernel is at its roof. */
static const struct advice *stop_of(const struct answer *a) {
  for (size_t i = 0; i < a->n_diagnoses; i++)
    if (a->diagnoses[i].n && a->diagnoses[i].items[0].told.stop)
      return &a->diagnoses[i].items[0];
  return NULL;
}

static const char *up_to(const struct advice *a) {
  return a->price.up_to ? "up to " : "";
}

static void do_line(const struct answer *a, struct sink *to) {
  const struct advice *stop = stop_of(a);
  struct text line = {0};

  if (a->at_read) {
    text_printf(
        &line,
        "nothing: a pure read of the same bytes takes %s %% of this time, and the rest is within the model's error",
        VIEW_NUMBER(100 * a->best->of_read.v, 2));
  } else if (!a->first && stop) {
    text_printf(&line, "%s; it is %s", stop->told.remedy, stop->rule->title);
  } else if (!a->first && a->named) {
    text_printf(&line, "%s: %s", a->named->rule->title, a->named->told.remedy);
  } else if (!a->first) {
    text_add(&line, uncounted(a) ? "collect counters: without them no bound is known" : report_no_advice(a->no_advice));
    report_code_first(a->n_diagnoses ? a->diagnoses[0].code : NULL, &line);
  } else {
    text_printf(&line, "%s: may save %s%s %% of the time", a->first->items[0].rule->title, up_to(&a->first->items[0]),
                VIEW_NUMBER(100 * a->first_share, 2));
    if (a->findings->n_shapes > 1)
      text_printf(&line, " at %s", VIEW_SHAPE(a->first->finding->result->shape));
    text_printf(&line, "; %s", a->first->items[0].told.remedy);
  }
  say(to, "do", &line);
}

/* Where the kernel of most time is not the one to begin with. */
static void gain_line(const struct answer *a, struct sink *to) {
  const struct answer_gain *g = &a->gain;
  struct text line = {0};

  if (!g->row)
    return;
  text_printf(&line, "%s: %s: may save %s%s %% of its time, ", VIEW_NAME(g->row->variant),
              g->diagnosis.items[0].rule->title, up_to(&g->diagnosis.items[0]), VIEW_NUMBER(100 * g->share, 2));
  text_printf(&line, "%s %% of the program's GPU time; %s", VIEW_NUMBER(100 * g->of_program, 2),
              g->diagnosis.items[0].told.remedy);
  say(to, "more gain", &line);
}

static void next_line(const struct answer *a, struct sink *to) {
  const struct run_variant *v = a->gain.row ? a->gain.row->variant : a->best->variant;
  struct text line = {0};
  bool climb = !a->only && !a->first && !a->gain.row && v->parent && v->ladder;
  const char *longest = program_longest(a->findings->run); /* which diagnose takes where none is named */
  bool alone = to->run_file && (a->findings->run->n_variants == 1 || (longest && strcmp(longest, v->id) == 0));

  const struct finding *at = findings_at(a->findings, a->best->variant->id, a->findings->shapes[0]);
  if (a->program && uncounted(a) && at && program_again_for(a->findings, at, &line)) {
    say(to, "next", &line);
    return;
  }
  text_printf(&line, "nvfp4-prof %s", climb ? "explain" : "diagnose");
  if (to->run_file) {
    text_add(&line, " ");
    shell_word(&line, to->run_file);
  }
  if (!alone) {
    text_add(&line, climb ? " --ladder " : " --variant ");
    shell_word(&line, climb ? v->ladder : v->id);
  }
  say(to, "next", &line);
}

/* --- one variant's step and diagnosis --- */

static void step_lines(const struct answer *a, struct sink *to) {
  struct text line = {0};

  if (a->untold && a->only->parent) {
    text_printf(&line, "unknown: %s %s", a->only->parent, a->untold);
    say(to, "step", &line);
  }
  if (a->step.n > 1 && a->step.most && a->climb.over_parent.present) {
    prose_step_over(&a->step, &a->climb, a->parent_s, &line);
    say(to, "step", &line);
    return;
  }
  for (size_t i = 0; i < a->step.n; i++) {
    const struct step_at *at = &a->step.at[i];

    if (!at->parent || !at->child)
      continue;
    text_printf(&line, "%s: %s", VIEW_SHAPE(at->shape), at->sentence);
    say(to, "step", &line);
  }
}

static void evidence_lines(const struct answer *a, struct sink *to) {
  const struct advice *x = &a->first->items[0];
  const struct hot *h = &a->first->hot;
  struct text line = {0}, source = {0};

  report_evidences(x->told.evidence, x->told.n_evidence, &line);
  if (x->told.n_evidence)
    say(to, "evidence", &line);
  text_release(&line);
  if (advice_of_launch(x, a->first->finding, a->findings->device)) {
    launch_words(a->first->finding, &line);
    say(to, "launch", &line);
    return;
  }
  const struct hot_line *l = hot_first_line(h);
  if (!l)
    return;
  report_line(h->run, l->source, l->line, PLACE_SHORT, &line);
  text_printf(&line, "%s, %.0f %% of the %s", report_text_missing(h->run, l->source) ? " (text not found)" : "",
              100 * hot_line_share(h, l), h->issued_on ? "instructions" : "samples");
  report_source_line(h->run, l->source, l->line, &source);
  if (source.n)
    text_printf(&line, ": %s", text_str(&source));
  text_release(&source);
  say(to, "hottest", &line);
}

static void idle_line(const struct answer *a, struct sink *to) {
  struct text line = {0};
  if (a->program && process_idle(a->findings->run, &line))
    say(to, "idle", &line);
}

void answer_lines(const struct answer *a, const char *run_file, bool steps, answer_line_fn *line, void *context) {
  struct sink to = {line, context, run_file};

  if (!a->best) {
    if (a->only && steps)
      step_lines(a, &to);
    return;
  }
  fastest_line(a, &to);
  launches_line(a, &to);
  close_line(a, &to);
  binds_line(a, &to);
  idle_line(a, &to);
  do_line(a, &to);
  gain_line(a, &to);
  if ((a->only || a->findings->run->n_variants == 1) && a->first)
    evidence_lines(a, &to);
  if (a->only && steps)
    step_lines(a, &to);
  next_line(a, &to);
}
