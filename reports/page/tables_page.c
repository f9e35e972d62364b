#include "reports/page/page.h"

#include "analysis/story/program.h"
#include "reports/words/columns.h"
#include "reports/words/program_text.h"

#include <string.h>

/* Tables of the pages: a rung at every shape, a ladder's climb, the rungs to be refused. */

/* --- a rung at every shape --- */

static const struct shown_column rung_columns[] = {
    {"of_sol_ratio"},
    {"dram_moved_bytes"},
    {"dram_over_minimal_ratio", 0, "over minimal", "×"},
    {"bound", 0, NULL, "", true},
    {"top_stall"},
    {"registers", 0, "registers"},
};
/* Of a program's kernel, whose problem nobody declared. */
static const struct shown_column kernel_columns[] = {
    {"of_sol_ratio", 0, "nearest roof"}, {"dram_moved_bytes"}, {"bound", 0, NULL, "", true}, {"top_stall"},
    {"registers", 0, "registers"},
};
static const struct shown_column refused_columns[] = {
    {"variant", 0, "rung", NULL, true}, {"sizes"}, {"change"}, {"verdict"}, {"reason"},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static void heads_add(struct table *t, const struct shown_column *columns, size_t n) {
  for (size_t i = 0; i < n; i++)
    shown_column_head(t, &columns[i]);
}

static void cells_add(struct table *t, const struct shown_column *columns, size_t n, const struct view *v,
                      const struct finding *item) {
  for (size_t i = 0; i < n; i++)
    shown_column_cell(t, &columns[i], &(struct column_row){v->f, item, NULL, false, false});
}

static void cell_speedup(struct table *t, const struct finding *item) {
  if (item->parent_same && item->speedup_parent.present)
    table_cellf(t, "%s (no measurable change)", VIEW_NUMBER(item->speedup_parent.v, 3));
  else
    view_cell(t, item->speedup_parent, 1, 3);
}

static void rung_row(struct table *t, const struct view *v, const struct finding *item, bool climb) {
  const struct run_variant *variant = item->variant;
  table_row(t);
  table_cell(t, VIEW_SHAPE(item->result->shape), NULL);
  if (climb)
    view_cell_time(t, variant->parent ? findings_at(v->f, variant->parent, item->result->shape) : NULL);
  view_cell_time(t, item);
  if (climb)
    cell_speedup(t, item);
  cells_add(t, rung_columns, COUNT(rung_columns), v, item);
}

static struct table *kernel_table(const struct view *v, const struct view_item *item) {
  struct table *t = table_of(">median [µs] =time_us");
  heads_add(t, kernel_columns, COUNT(kernel_columns));
  for (size_t i = 0; i < v->f->n; i++)
    if (v->f->items[i].variant == item->variant) {
      table_row(t);
      view_cell_time(t, &v->f->items[i]);
      cells_add(t, kernel_columns, COUNT(kernel_columns), v, &v->f->items[i]);
    }
  return t;
}

struct table *tables_rung(const struct view *v, const struct view_item *item) {
  if (program_is(v->f->run))
    return kernel_table(v, item);
  struct table *t = table_new();
  bool climb = view_words(v->f, item->ladder).climb;
  table_head(t, "shape");
  if (climb)
    table_head(t, ">before [µs] =before_us");
  table_column(t, climb ? "after" : "time", "µs", climb ? "after_us" : "time_us", TABLE_RIGHT);
  if (climb)
    table_head(t, ">speed-up [×] =speedup");
  heads_add(t, rung_columns, COUNT(rung_columns));
  for (size_t i = 0; i < v->f->n; i++)
    if (v->f->items[i].variant == item->variant)
      rung_row(t, v, &v->f->items[i], climb);
  return t;
}

struct table *tables_refused(const struct view *v) {
  struct table *t = table_new();
  heads_add(t, refused_columns, COUNT(refused_columns));
  for (size_t i = 0; i < v->n; i++) {
    for (size_t j = 0; j < v->f->n && v->items[i].group == VIEW_WRONG; j++) {
      const struct finding *f = &v->f->items[j];
      if (f->variant != v->items[i].variant)
        continue;
      table_row(t);
      cells_add(t, refused_columns, COUNT(refused_columns), v, f);
    }
  }
  return t;
}

/* --- a ladder's climb --- */

/* "dram" where it binds at every shape, else "dram, latency, dram" in the order of the shapes. */
void tables_bounds_of(const struct view *v, const struct run_variant *variant, struct text *out) {
  struct text all = {0};
  const char *first = NULL;
  bool one = true;
  for (size_t i = 0; i < v->f->n_shapes; i++) {
    const struct finding *item = findings_at(v->f, variant->id, v->f->shapes[i]);
    const char *bound = item ? step_bound(item) : NULL;
    bound = bound ? bound : "–";
    first = first ? first : bound;
    one &= strcmp(first, bound) == 0;
    text_printf(&all, "%s%s", i ? ", " : "", bound);
  }
  text_add(out, one ? (first ? first : "–") : text_str(&all));
  text_release(&all);
}

static void outcome_add(struct text *out, const struct climb *c, const struct run_variant *variant) {
  text_add(out, c->outcome == CLIMB_SLOWER ? "✗ " : "");
  text_add(out, climb_outcome_name(c->outcome));
  if (variant->side)
    text_add(out, out->n ? "; side step" : "side step");
}

static void climb_row(struct table *t, const struct story_rung *rung, bool steps) {
  const struct run_variant *variant = rung->variant;
  const struct climb *c = &rung->climb;
  struct text outcome = {0};
  table_row(t);
  table_cellf(t, "%s%s", variant->side ? "  ↳ " : "", variant->id);
  table_cell(t, variant->change ? variant->change : "", NULL);
  view_cell(t, c->time_s, 1e6, 4);
  view_cell(t, c->of_sol, 100, 3);
  outcome_add(&outcome, c, variant);
  if (steps) {
    view_cell(t, c->over_parent, 1, 3);
    table_cell(t, text_str(&outcome), NULL);
  }
  text_release(&outcome);
}

static struct table *tables_program(const struct findings *f) {
  struct program_shown s = program_shown_of(f);
  struct table *t = program_table(&s, &(struct program_names){.full = true});
  program_shown_release(&s);
  return t;
}

struct table *tables_climb(const struct view *v, const struct story *s, const char *ladder) {
  if (program_is(v->f->run))
    return tables_program(v->f);
  struct table *t = table_new();
  struct view_words words = view_words(v->f, ladder);

  table_column(t, words.one, "", "variant", TABLE_LEFT);
  table_column(t, words.climb ? "change" : "what it is", "", "change", TABLE_LEFT);
  table_head(t, ">time [µs] =geomean_us | >SOL [%] =of_sol_percent");
  if (words.climb)
    table_head(t, ">× parent =over_parent | verdict =outcome");
  for (size_t i = 0; i < v->n; i++)
    if (v->items[i].group == VIEW_LADDER && strcmp(v->items[i].ladder, ladder) == 0)
      climb_row(t, story_rung_of(s, v->items[i].variant), words.climb);
  return t;
}
