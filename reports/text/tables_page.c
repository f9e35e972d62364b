#include "reports/text/tables.h"

#include <string.h>

/* Tables of the pages: a rung at every shape, a ladder's climb, bounds, and the rungs that must be refused. */

static void cell_scaled(struct table *t, struct value x, double scale, int digits) {
  char number[VIEW_NUMBER_MAX];

  table_cell(t, x.present ? view_number(number, x.v * scale, digits) : "", NULL);
}

static void cell_time(struct table *t, const struct finding *item) {
  char number[VIEW_NUMBER_MAX];

  table_cell(t, item && item->timed ? view_time(number, &item->time) : "", NULL);
}

static void cell_speedup(struct table *t, const struct finding *item) {
  char number[VIEW_NUMBER_MAX];

  if (item->parent_same && item->speedup_parent.present)
    table_cellf(t, "%s (no measurable change)", view_number(number, item->speedup_parent.v, 3));
  else
    cell_scaled(t, item->speedup_parent, 1, 3);
}

static void rung_row(struct table *t, const struct findings *f, const struct finding *item, bool climb) {
  const struct finding *parent =
      item->variant->parent ? findings_at(f, item->variant->parent, item->result->shape) : NULL;
  char text[SHAPE_TEXT_MAX + 8];
  int registers = view_registers(f, item->result);

  table_row(t);
  table_cell(t, view_shape(text, item->result->shape), NULL);
  if (climb)
    cell_time(t, parent);
  cell_time(t, item);
  if (climb)
    cell_speedup(t, item);
  cell_scaled(t, item->of_sol, 100, 3);
  cell_scaled(t, item->dram_bytes, 1e-6, 4);
  cell_scaled(t, item->dram_over_minimal, 1, 3);
  table_cell(t, item->bounds.binding == BOUND_KINDS ? "" : bound_name(item->bounds.binding), NULL);
  if (item->top_stall && item->top_stall_share.present)
    table_cellf(t, "%s %.0f%%", item->top_stall, item->top_stall_share.v * 100);
  else
    table_cell(t, item->top_stall ? item->top_stall : "", NULL);
  if (registers < 0)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%d", registers);
}

struct table *tables_rung(const struct view *v, const struct view_item *item) {
  struct table *t = table_new();
  bool climb = view_words(v->f, item->ladder).climb;

  table_column(t, "shape", "", "shape", TABLE_LEFT);
  if (climb)
    table_column(t, "before", "µs", "before_us", TABLE_RIGHT);
  table_column(t, climb ? "after" : "time", "µs", climb ? "after_us" : "time_us", TABLE_RIGHT);
  if (climb)
    table_column(t, "speed-up", "×", "speedup", TABLE_RIGHT);
  table_column(t, "SOL", "%", "of_sol_percent", TABLE_RIGHT);
  table_column(t, "DRAM", "MB", "dram_mb", TABLE_RIGHT);
  table_column(t, "over minimal", "×", "dram_over_minimal", TABLE_RIGHT);
  table_column(t, "bound", "", "bound", TABLE_LEFT);
  table_column(t, "top stall", "of cycles", "top_stall", TABLE_LEFT);
  table_column(t, "registers", "", "registers", TABLE_RIGHT);
  for (size_t i = 0; i < v->f->n; i++) {
    if (v->f->items[i].variant == item->variant)
      rung_row(t, v->f, &v->f->items[i], climb);
  }
  return t;
}

struct table *tables_refused(const struct view *v) {
  struct table *t = table_new();

  table_column(t, "rung", "", "variant", TABLE_LEFT);
  table_column(t, "shape", "", "shape", TABLE_LEFT);
  table_column(t, "fault built in", "", "change", TABLE_LEFT);
  table_column(t, "verdict", "", "verdict", TABLE_LEFT);
  table_column(t, "what the check saw", "", "reason", TABLE_LEFT);
  for (size_t i = 0; i < v->n; i++) {
    for (size_t j = 0; j < v->f->n && v->items[i].group == VIEW_WRONG; j++) {
      const struct finding *f = &v->f->items[j];
      char shape[SHAPE_TEXT_MAX + 8];
      struct text verdict = {0};

      if (f->variant != v->items[i].variant)
        continue;
      view_verdict(f, &verdict);
      table_row(t);
      table_cell(t, f->variant->id, NULL);
      table_cell(t, view_shape(shape, f->result->shape), NULL);
      table_cell(t, f->variant->change ? f->variant->change : "", NULL);
      table_cell(t, text_str(&verdict), NULL);
      table_cell(t, view_fault(f) ? view_fault(f) : "", NULL);
      text_release(&verdict);
    }
  }
  return t;
}

/* "dram" where it binds at every shape, else "dram, latency, dram" in the order of the shapes. */
static void cell_bounds_of(struct table *t, const struct view *v, const struct run_variant *variant) {
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
  table_cell(t, one ? (first && strcmp(first, "–") != 0 ? first : "") : text_str(&all), NULL);
  text_release(&all);
}

static void cell_outcome(struct table *t, const struct climb *c, const struct run_variant *variant) {
  struct text line = {0};

  text_add(&line, c->outcome == CLIMB_SLOWER ? "✗ " : "");
  text_add(&line, climb_outcome_name(c->outcome));
  if (variant->side)
    text_add(&line, line.n ? "; side step" : "side step");
  table_cell(t, text_str(&line), NULL);
  table_style(t, c->outcome == CLIMB_FASTER ? 'g' : c->outcome == CLIMB_SLOWER ? 'b' : 'd');
  text_release(&line);
}

/* Which columns a ladder has. */
struct climb_columns {
  bool steps, published;
};

static void climb_row(struct table *t, const struct view *v, const struct story_rung *rung, struct climb_columns has) {
  const struct run_variant *variant = rung->variant;
  const struct climb *c = &rung->climb;

  table_row(t);
  table_cellf(t, "%s%s", variant->side ? "  ↳ " : "", variant->id);
  for (size_t i = 0; i < v->f->n_shapes && i < TABLES_SHAPES_MAX; i++)
    cell_time(t, findings_at(v->f, variant->id, v->f->shapes[i]));
  cell_scaled(t, c->time_s, 1e6, 4);
  table_style(t, 'B');
  if (has.steps) {
    cell_scaled(t, c->over_parent, 1, 3);
    cell_scaled(t, c->over_first, 1, 3);
  }
  cell_scaled(t, c->of_sol, 100, 3);
  cell_scaled(t, c->of_read, 100, 3);
  cell_bounds_of(t, v, variant);
  if (has.steps)
    cell_outcome(t, c, variant);
  if (has.published)
    tables_published_cells(t, variant);
  table_cell(t, variant->change ? variant->change : "", NULL);
}

static bool on_ladder(const struct view_item *item, const char *ladder) {
  return item->group == VIEW_LADDER && strcmp(item->ladder, ladder) == 0;
}

bool tables_has_published(const struct view *v, const char *ladder) {
  for (size_t i = 0; i < v->n; i++) {
    if (on_ladder(&v->items[i], ladder) && v->items[i].variant->n_published > 0)
      return true;
  }
  return false;
}

struct table *tables_climb(const struct view *v, const struct story *s, const char *ladder) {
  struct table *t = table_new();
  struct view_words words = view_words(v->f, ladder);
  struct climb_columns has = {words.climb, tables_has_published(v, ladder)};

  table_column(t, words.one, "", "variant", TABLE_LEFT);
  for (size_t i = 0; i < v->f->n_shapes && i < TABLES_SHAPES_MAX; i++) {
    char shape[SHAPE_TEXT_MAX + 8], key[SHAPE_TEXT_MAX];

    table_column(t, view_shape(shape, v->f->shapes[i]), "µs", shape_text(v->f->shapes[i], key), TABLE_RIGHT);
  }
  table_column(t, "mean", "µs", "geomean_us", TABLE_RIGHT);
  if (has.steps) {
    table_column(t, "× last", "", "over_parent", TABLE_RIGHT);
    table_column(t, "× first", "", "over_first", TABLE_RIGHT);
  }
  table_column(t, "SOL", "%", "of_sol_percent", TABLE_RIGHT);
  table_column(t, "read", "%", "of_read_percent", TABLE_RIGHT);
  table_column(t, "bound", "", "bound", TABLE_LEFT);
  if (has.steps)
    table_column(t, "against its parent", "", "outcome", TABLE_LEFT);
  if (has.published) {
    table_column(t, "published", "µs", "published_us", TABLE_RIGHT);
    table_column(t, "on", "", "published_device", TABLE_LEFT);
    table_column(t, "source", "", "published_source", TABLE_LEFT);
  }
  table_column(t, has.steps ? "the one change" : "what it is", "", "change", TABLE_LEFT);
  for (size_t i = 0; i < v->n; i++) {
    if (on_ladder(&v->items[i], ladder))
      climb_row(t, v, story_rung_of(s, v->items[i].variant), has);
  }
  return t;
}

struct table *tables_bounds(const struct view *v, struct shape s) {
  struct table *t = table_new();
  char number[VIEW_NUMBER_MAX];

  table_column(t, "variant", "", "variant", TABLE_LEFT);
  table_column(t, "time", "µs", "time_us", TABLE_RIGHT);
  for (int k = 0; k < BOUND_KINDS; k++)
    table_column(t, bound_name((enum bound_kind)k), "µs", bound_name((enum bound_kind)k), TABLE_RIGHT);
  table_column(t, "largest", "", "bound", TABLE_LEFT);
  table_column(t, "explains", "%", "explained_percent", TABLE_RIGHT);
  table_column(t, "clock", "MHz", "clock_mhz", TABLE_RIGHT);
  for (size_t i = 0; i < v->n; i++) {
    const struct finding *f = findings_at(v->f, v->items[i].variant->id, s);

    if (!f || !f->timed || v->items[i].group == VIEW_WRONG)
      continue;
    table_row(t);
    table_cell(t, f->variant->id, NULL);
    table_cell(t, view_time(number, &f->time), NULL);
    for (int k = 0; k < BOUND_KINDS; k++)
      cell_scaled(t, f->bounds.seconds[k], 1e6, 3);
    table_cell(t, f->bounds.binding == BOUND_KINDS ? "" : bound_name(f->bounds.binding), NULL);
    cell_scaled(t, f->bounds.explained, 100, 3);
    cell_scaled(t, f->bounds.clock_hz, 1e-6, 4);
  }
  return t;
}
