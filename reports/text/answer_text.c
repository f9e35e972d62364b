#include "reports/text/answer_text.h"

#include "base/shell.h"
#include "base/table.h"
#include "reports/text/diagnose.h"
#include "reports/text/program_text.h"
#include "reports/text/view.h"
#include "reports/text/wrap.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 80, LABEL = 10, NOTES_MAX = 8 };

static int prose_width(const struct report_answer_options *o) {
  return o->width > 0 && o->width < LINE ? o->width : LINE;
}

static void line_add(struct text *out, const struct report_answer_options *o, const char *label, struct text *line) {
  struct text whole = {0};

  text_printf(&whole, "%s%*s%s", label, LABEL - (int)strlen(label), "", text_str(line));
  wrap_add(out, text_str(&whole), prose_width(o), LABEL);
  out->failed |= !text_ok(line) || !text_ok(&whole);
  text_release(&whole);
  text_release(line);
}

void report_answer_origin(const struct run *r, struct text *out, int width) {
  struct text line = {0};

  view_origin(&(struct findings){.run = r}, &line);
  wrap_add(out, text_str(&line), width > 0 && width < LINE ? width : LINE, 4);
  out->failed |= !text_ok(&line);
  text_release(&line);
}

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
    [READ] = {"read", "%", TABLE_RIGHT, 2},     [BINDS] = {"bound", "of the model", TABLE_LEFT, 0},
    [STALL] = {"top stall", "", TABLE_LEFT, 0}, [MARK] = {"", "", TABLE_LEFT, 0},
};
enum { DROPPABLE = 3 };

static void cell_percent(struct table *t, struct value x, int digits) {
  if (x.present)
    table_number(t, 100 * x.v, digits);
  else
    table_cell(t, "", NULL);
}

static void cell_binds(struct table *t, const struct answer_row *r) {
  if (r->binding == BOUND_KINDS)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%s %.0f %%", bound_name(r->binding), 100 * r->bound_share);
}

static void cell_stall(struct table *t, const struct answer_row *r) {
  if (!r->at || !r->at->top_stall)
    table_cell(t, "", NULL);
  else if (r->at->top_stall_share.present)
    table_cellf(t, "%s %.0f %%", r->at->top_stall, 100 * r->at->top_stall_share.v);
  else
    table_cell(t, r->at->top_stall, NULL);
}

static void cell_name(struct table *t, const struct answer_row *r, bool only) {
  char shape[SHAPE_TEXT_MAX + 8], name[VIEW_NAME_MAX];

  table_cell(t, only ? view_shape(shape, r->at->result->shape) : view_name(name, r->variant), r->variant->id);
}

static void cell_mark(struct table *t, const struct answer_row *r) {
  const char *side = r->variant->side ? "side step" : "", *tied = r->tied ? "tied" : "";

  if (!*side && !*tied)
    table_cell(t, " ", NULL);
  else
    table_cellf(t, "%s%s%s", tied, *side && *tied ? ", " : "", side);
}

static void cell_of(struct table *t, const struct answer *a, const struct answer_row *r, enum column c) {
  char number[VIEW_NUMBER_MAX];

  switch (c) {
  case VARIANT:
    cell_name(t, r, a->only != NULL);
    break;
  case TIME:
    table_cell(t, r->time_s.present ? view_number(number, r->time_s.v * 1e6, 4) : "", NULL);
    break;
  case HALF:
    cell_percent(t, r->half, 2);
    break;
  case SOL:
    cell_percent(t, r->of_sol, 3);
    break;
  case READ:
    cell_percent(t, r->of_read, 3);
    break;
  case BINDS:
    cell_binds(t, r);
    break;
  case STALL:
    cell_stall(t, r);
    break;
  default:
    cell_mark(t, r);
  }
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

static struct table *rows_table(const struct answer *a, int dropped) {
  struct table *t = table_new();
  bool has[COLUMNS];

  for (int c = 0; c < COLUMNS; c++) {
    has[c] = column_used(a, (enum column)c) && !(columns[c].drop && columns[c].drop <= dropped);
    if (has[c])
      table_column(t, c == VARIANT && a->only ? "shape" : columns[c].title, columns[c].unit, "", columns[c].align);
  }
  for (size_t i = 0; i < a->n_rows; i++) {
    table_row(t);
    for (int c = 0; c < COLUMNS; c++) {
      if (has[c])
        cell_of(t, a, &a->rows[i], (enum column)c);
    }
  }
  return t;
}

static void say_dropped(const struct answer *a, int dropped, struct text *out) {
  bool any = false;

  for (int c = 0; c < COLUMNS; c++) {
    if (!columns[c].drop || columns[c].drop > dropped || !column_used(a, (enum column)c))
      continue;
    text_printf(out, "%s %s", any ? "," : "left out at this width:", columns[c].title);
    any = true;
  }
  text_add(out, any ? "\n" : "");
}

static void add_program(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  struct program_shown s = {.items = calloc(a->n_rows + 1, sizeof *s.items)};

  out->failed |= !s.items;
  for (size_t i = 0; i < a->n_rows && s.items; i++)
    s.items[s.n++] = findings_at(a->findings, a->rows[i].variant->id, a->findings->shapes[0]);
  if (s.items)
    program_term(&s, o->full_names, o->width, o->colour, out);
  program_shown_release(&s);
}

static void add_rows(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  if (a->program && !a->only) {
    add_program(a, o, out);
    return;
  }
  for (int dropped = 0;; dropped++) {
    struct table *t = rows_table(a, dropped);
    struct text plain = {0};
    bool fits;

    table_term(t, &plain, 0, false);
    fits = o->width <= 0 || wrap_widest(text_str(&plain)) <= (size_t)o->width || dropped == DROPPABLE;
    if (fits) {
      table_term(t, out, o->width, o->colour);
      say_dropped(a, dropped, out);
    }
    out->failed |= !table_ok(t) || !text_ok(&plain);
    text_release(&plain);
    table_free(t);
    if (fits)
      return;
  }
}

static void over_shapes(const struct findings *f, struct text *out) {
  char shape[SHAPE_TEXT_MAX + 8];

  if (f->n_shapes == 1)
    text_printf(out, "at %s", view_shape(shape, f->shapes[0]));
  else
    text_printf(out, "geometric mean of %zu shapes", f->n_shapes);
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

static void add_caption(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct findings *f = a->findings;
  struct text line = {0};
  const char *parent = a->only ? a->only->parent : NULL;

  if (a->program && !a->only)
    program_caption(a, &line);
  else if (a->only)
    text_printf(&line, "%s%s%s%s%s", a->only->id, parent ? ", a step from " : "", parent ? parent : "",
                a->only->change ? ": " : "", a->only->change ? a->only->change : "");
  else if (a->per_ladder)
    text_printf(&line, "The best of each ladder (%zu variants timed), ", a->n_variants);
  else
    text_printf(&line, "%zu %s, ", a->n_variants, a->n_variants == 1 ? "variant" : "variants");
  if (!a->only && !a->program)
    over_shapes(f, &line);
  text_add(out, "\n");
  wrap_add(out, text_str(&line), prose_width(o), 4);
  text_release(&line);
}

/* --- the answer --- */

static void fastest_line(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  enum { NAMED = 2 };
  struct text line = {0};
  char number[VIEW_NUMBER_MAX], name[VIEW_NAME_MAX];

  if (a->program && !a->only && a->best->share.present) {
    text_printf(&line, "%s: %.0f %% of the GPU time, %.0f call%s", view_name(name, a->best->variant),
                100 * a->best->share.v, a->best->calls, a->best->calls == 1 ? "" : "s");
    line_add(out, o, "most time", &line);
    return;
  }
  text_printf(&line, "%s, %s µs", view_name(name, a->best->variant), view_number(number, a->best->time_s.v * 1e6, 4));
  text_add(&line, a->findings->n_shapes == 1 ? " " : ", ");
  over_shapes(a->findings, &line);
  if (a->only) {
    text_add(&line, "; check: ");
    view_verdict(a->rows[0].at, &line);
  }
  for (size_t i = 0; i < a->n_ties && i < NAMED; i++)
    text_printf(&line, "%s%s", i ? ", " : "; tied with ", view_name(name, a->ties[i]));
  if (a->n_ties > NAMED)
    text_printf(&line, " and %zu more", a->n_ties - NAMED);
  line_add(out, o, a->only ? "time" : a->rivals ? "fastest" : "longest", &line);
}

static void close_line(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct answer_row *r = a->best;
  const struct finding *at = findings_at(a->findings, r->variant->id, a->findings->shapes[0]);
  const char *roof = at ? at->sol_roof : NULL;
  struct text line = {0};

  if (r->of_sol.present)
    text_printf(&line, "%.0f %% of the speed of light%s%s", 100 * r->of_sol.v, roof ? ", by its nearest roof: " : "",
                roof ? roof : "");
  else
    text_add(&line, a->program ? "unknown: there are no counters of this kernel"
                               : "speed of light unknown: the kernel declares no bytes");
  if (r->of_read.present)
    text_printf(&line, ", %.0f %% of a pure read of the same bytes", 100 * r->of_read.v);
  line_add(out, o, "how close", &line);
}

static void binds_line(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct answer_row *r = a->best;
  struct text line = {0};

  if (r->binding == BOUND_KINDS)
    text_add(&line, "unknown: no counters, or no rates of this device");
  else if (r->explained.present && (r->explained.v > 2 || r->explained.v < 0.5))
    text_printf(&line, "%s by the model, which does not fit this kernel: it gives %.2g times the measured time",
                bound_rows[r->binding].noun, r->explained.v);
  else
    text_printf(&line, "%s, %.0f %% of the modelled time; the model gives %.0f %% of the measured time",
                bound_rows[r->binding].noun, 100 * r->bound_share, 100 * r->explained.v);
  line_add(out, o, "bound", &line);
}

static void do_line(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  struct text line = {0};
  char shape[SHAPE_TEXT_MAX + 8];

  if (!a->first) {
    text_add(&line, a->no_advice ? a->no_advice : "no remaining cause worth 2 % or more");
  } else {
    text_printf(&line, "%s: may save %.0f %% of the time", a->first->items[0].rule->title, 100 * a->first_share);
    if (a->findings->n_shapes > 1)
      text_printf(&line, " at %s", view_shape(shape, a->first->finding->result->shape));
    text_printf(&line, "; %s", a->first->items[0].remedy);
  }
  line_add(out, o, "do", &line);
}

static void next_line(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct run_variant *v = a->best->variant;
  struct text line = {0};
  bool climb = !a->only && !a->first && v->parent && v->ladder;

  text_printf(&line, "nvfp4-prof %s ", climb ? "explain" : "diagnose");
  if (o->run_file)
    shell_word(&line, o->run_file);
  text_add(&line, o->run_file ? " " : "");
  text_add(&line, climb ? "--ladder " : "--variant ");
  shell_word(&line, climb ? v->ladder : v->id);
  line_add(out, o, "next", &line);
}

/* --- one variant's step and diagnosis --- */

static void step_lines(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  struct text line = {0};
  char shape[SHAPE_TEXT_MAX + 8];

  if (a->untold && a->only->parent) {
    text_printf(&line, "unknown: %s %s", a->only->parent, a->untold);
    line_add(out, o, "step", &line);
  }
  for (size_t i = 0; i < a->step.n; i++) {
    const struct step_at *at = &a->step.at[i];

    if (!at->parent || !at->child)
      continue;
    text_printf(&line, "%s: %s", view_shape(shape, at->shape), at->sentence);
    line_add(out, o, "step", &line);
  }
}

static void evidence_lines(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct advice *x = &a->first->items[0];
  const struct hot *h = &a->first->hot;
  struct text line = {0};

  for (size_t i = 0; i < x->n_evidence; i++) {
    text_add(&line, i ? "; " : "");
    report_evidence(&x->evidence[i], &line);
  }
  if (x->n_evidence)
    line_add(out, o, "evidence", &line);
  text_release(&line);
  if (h->n_lines == 0 || h->samples == 0)
    return;
  text_printf(&line, "%s:%d, %.0f %% of the samples: ", h->run->sources[h->lines[0].source].name, h->lines[0].line,
              100.0 * (double)h->lines[0].samples / (double)h->samples);
  report_source_line(h->run, h->lines[0].source, h->lines[0].line, &line);
  line_add(out, o, "hottest", &line);
}

/* --- what must not be missed --- */

struct bulleted {
  struct text *out;
  int width;
  size_t n;
};

static void add_note(void *context, const char *s) {
  struct bulleted *b = context;
  struct text line = {0};

  if (b->n++ >= NOTES_MAX)
    return;
  text_printf(&line, "- %s", s);
  wrap_add(b->out, text_str(&line), b->width, 2);
  text_release(&line);
}

static void add_troubles(const struct answer *a, struct bulleted *b) {
  for (size_t i = 0; i < a->n_troubles && i < ANSWER_TROUBLES; i++) {
    const struct answer_trouble *u = &a->troubles[i];
    const char *fault = view_fault(u->finding);
    struct text line = {0};

    text_printf(&line, "%s: ", u->finding->variant->id);
    view_verdict(u->finding, &line);
    text_printf(&line, " at %zu shape%s: %s", u->shapes, u->shapes == 1 ? "" : "s",
                fault ? fault : u->finding->time_reason);
    add_note(b, text_str(&line));
    text_release(&line);
  }
  if (a->n_troubles > ANSWER_TROUBLES) {
    struct text line = {0};

    text_printf(&line, "%zu more variants with a note of their own", a->n_troubles - ANSWER_TROUBLES);
    add_note(b, text_str(&line));
    text_release(&line);
  }
}

static void add_notes(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  const struct run *r = a->findings->run;
  struct text list = {0};
  struct bulleted b = {&list, prose_width(o), 0};

  if (r->partial) {
    struct text line = {0};

    text_printf(&line, "the run is partial: %s", r->partial_reason ? r->partial_reason : "it was interrupted");
    add_note(&b, text_str(&line));
    text_release(&line);
  }
  add_troubles(a, &b);
  view_doubts(a->findings, add_note, &b);
  for (size_t i = 0; i < r->n_notes; i++)
    add_note(&b, r->notes[i]);
  if (b.n)
    text_printf(out, "\nNotes\n%s", text_str(&list));
  if (b.n > NOTES_MAX)
    text_printf(out, "- %zu more: --table shows them\n", b.n - NOTES_MAX);
  out->failed |= !text_ok(&list);
  text_release(&list);
}

void report_answer_term(const struct answer *a, const struct report_answer_options *o, struct text *out) {
  if (!o->quiet) {
    add_caption(a, o, out);
    if (a->n_rows)
      add_rows(a, o, out);
    if (a->n_more)
      text_printf(out, "%zu more: --table\n", a->n_more);
    text_add(out, "\n");
  }
  if (a->only && !o->quiet)
    step_lines(a, o, out);
  if (a->best) {
    fastest_line(a, o, out);
    close_line(a, o, out);
    binds_line(a, o, out);
    do_line(a, o, out);
    if (a->only && a->first)
      evidence_lines(a, o, out);
    next_line(a, o, out);
  } else {
    text_add(out, "No variant has a time at every shape.\n");
  }
  if (!o->quiet)
    add_notes(a, o, out);
}
