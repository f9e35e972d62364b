#include "reports/text/tables.h"

#include <string.h>

struct cell {
  const struct view *v;
  const struct view_item *item;
  const struct finding *finding;
  enum tables_use use;
};

static void cell_variant(struct table *t, const struct cell *c) {
  table_cellf(t, "%s%s", c->item->variant->side ? "  ↳ " : "", c->item->variant->id);
}

static void cell_time(struct table *t, const struct cell *c) {
  char number[VIEW_NUMBER_MAX];

  table_cell(t, c->finding->timed ? view_time(number, &c->finding->time) : "", NULL);
  table_style(t, 'B');
}

static void scaled(struct table *t, struct value x, double scale, int digits) {
  char number[VIEW_NUMBER_MAX];

  table_cell(t, x.present ? view_number(number, x.v * scale, digits) : "", NULL);
}

static void cell_contest(struct table *t, const struct cell *c) {
  scaled(t, finding_value(c->finding, "contest_ns"), 1e-3, 4);
}

static void cell_parent(struct table *t, const struct cell *c) {
  scaled(t, c->finding->speedup_parent, 1, 3);
  if (c->finding->parent_same)
    table_style(t, 'd');
  else if (c->finding->speedup_parent.present)
    table_style(t, c->finding->speedup_parent.v > 1 ? 'g' : 'b');
}

static void cell_first(struct table *t, const struct cell *c) {
  scaled(t, c->finding->speedup_first, 1, 3);
}

static void cell_of_sol(struct table *t, const struct cell *c) {
  scaled(t, c->finding->of_sol, 100, 3);
}

static void cell_of_read(struct table *t, const struct cell *c) {
  scaled(t, c->finding->of_read, 100, 3);
}

static void cell_dram(struct table *t, const struct cell *c) {
  scaled(t, c->finding->dram_bytes, 1e-6, 4);
}

static void cell_dram_ratio(struct table *t, const struct cell *c) {
  scaled(t, c->finding->dram_over_minimal, 1, 3);
}

static void cell_bound(struct table *t, const struct cell *c) {
  const struct bounds *b = &c->finding->bounds;

  if (b->binding == BOUND_KINDS)
    table_cell(t, "", NULL);
  else if (b->share.present)
    table_cellf(t, "%s %.0f%%", bound_name(b->binding), b->share.v * 100);
  else
    table_cell(t, bound_name(b->binding), NULL);
}

static void cell_inst(struct table *t, const struct cell *c) {
  scaled(t, finding_value(c->finding, "inst_per_element"), 1, 3);
}

static void cell_issue(struct table *t, const struct cell *c) {
  scaled(t, finding_value(c->finding, "issue_slot_utilisation"), 100, 3);
}

static void cell_occupancy(struct table *t, const struct cell *c) {
  scaled(t, finding_value(c->finding, "achieved_occupancy"), 100, 3);
}

static void cell_stall(struct table *t, const struct cell *c) {
  const struct finding *f = c->finding;

  if (!f->top_stall)
    table_cell(t, "", NULL);
  else if (f->top_stall_share.present)
    table_cellf(t, "%s %.0f%%", f->top_stall, f->top_stall_share.v * 100);
  else
    table_cell(t, f->top_stall, NULL);
}

static void cell_registers(struct table *t, const struct cell *c) {
  int registers = view_registers(c->v->f, c->finding->result);

  if (registers < 0)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%d", registers);
}

enum { PATH_SHOWN_CHARS = 24 };

/* Shortened here, since a table on the terminal shortens only one column, and the variant's name is needed whole. */
static void cell_path(struct table *t, const struct cell *c) {
  const char *path = c->finding->result->path;
  size_t n = 0, chars = 0;

  while (path && path[n] && (c->use == TABLES_WORKLOG || chars < PATH_SHOWN_CHARS)) {
    n++;
    if (((unsigned char)path[n] & 0xC0) != 0x80)
      chars++;
  }
  if (n == 0)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%.*s%s", (int)n, path, path[n] ? "…" : "");
}

static void cell_verdict(struct table *t, const struct cell *c) {
  struct text text = {0};

  view_verdict(c->finding, &text);
  table_cell(t, text_str(&text), NULL);
  table_style(t, view_verdict_style(c->finding));
  text_release(&text);
}

struct column {
  const char *title, *unit, *key;
  enum table_align align;
  int drop; /* 1 is left out first; 0: never */
  void (*cell)(struct table *t, const struct cell *c);
  bool (*has)(const struct view *v); /* NULL: every run has it */
};

/* Only in a run that asked for it: its times are of another kind. */
static bool contest_measured(const struct view *v) {
  bool any = false;
  for (size_t i = 0; i < v->f->n; i++)
    any = any || run_metric_find(v->f->items[i].result, "contest_ns");
  return any;
}

static bool any_steps(const struct view *v) {
  return view_words(v->f, NULL).climb;
}

static const struct column columns[] = {
    {"variant", "", "variant", TABLE_LEFT, 0, cell_variant, NULL},
    {"time", "µs", "time_us", TABLE_RIGHT, 0, cell_time, NULL},
    {"contest", "µs", "contest_us", TABLE_RIGHT, 0, cell_contest, contest_measured},
    {"× parent", "", "speedup_parent", TABLE_RIGHT, 0, cell_parent, any_steps},
    {"× first", "", "speedup_first", TABLE_RIGHT, 6, cell_first, any_steps},
    {"SOL", "%", "of_sol_percent", TABLE_RIGHT, 0, cell_of_sol, NULL},
    {"read", "%", "of_read_percent", TABLE_RIGHT, 7, cell_of_read, NULL},
    {"DRAM", "MB", "dram_mb", TABLE_RIGHT, 5, cell_dram, NULL},
    {"× min", "", "dram_over_minimal", TABLE_RIGHT, 9, cell_dram_ratio, NULL},
    {"bound", "of time", "bound", TABLE_LEFT, 11, cell_bound, NULL},
    {"inst", "/elem", "inst_per_element", TABLE_RIGHT, 8, cell_inst, NULL},
    {"issue", "%", "issue_percent", TABLE_RIGHT, 3, cell_issue, NULL},
    {"occup", "%", "occupancy_percent", TABLE_RIGHT, 2, cell_occupancy, NULL},
    {"top stall", "of cycles", "top_stall", TABLE_LEFT, 10, cell_stall, NULL},
    {"regs", "", "registers", TABLE_RIGHT, 4, cell_registers, NULL},
    {"path", "", "path", TABLE_LEFT, 1, cell_path, NULL},
    {"verdict", "", "verdict", TABLE_LEFT, 12, cell_verdict, NULL},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, N_DROPPABLE = 12 };

size_t tables_droppable(void) {
  return N_DROPPABLE;
}

void tables_shape_caption(const struct view *v, struct shape s, struct text *out) {
  const struct finding *control = view_read_control(v->f, s);
  char shape[SHAPE_TEXT_MAX + 8], number[VIEW_NUMBER_MAX];

  text_printf(out, "%s: %s; ", view_shape(shape, s), run_origin_name(v->f->run->origin));
  view_sol(v->f, s, out);
  if (control && control->timed)
    text_printf(out, "; read control %s µs", view_number(number, control->time.middle * 1e6, 4));
  else
    text_add(out, "; no read control");
  text_printf(out, "; %s", view_tier(v->f));
}

static bool column_shown(const struct view *v, const struct column *c, size_t dropped) {
  return (c->drop == 0 || (size_t)c->drop > dropped) && (!c->has || c->has(v));
}

struct table *tables_shape(const struct view *v, struct shape s, enum tables_use use, size_t dropped) {
  struct table *t = table_new();
  const struct view_item *last = NULL;

  for (size_t i = 0; i < N_COLUMNS; i++) {
    const struct column *c = &columns[i];

    if (column_shown(v, c, dropped))
      table_column(t, c->title, c->unit, c->key, c->align);
  }
  for (size_t i = 0; i < v->n; i++) {
    const struct view_item *item = &v->items[i];
    struct cell cell = {v, item, findings_at(v->f, item->variant->id, s), use};

    if (!cell.finding)
      continue;
    if (last && (last->group != item->group || (item->group == VIEW_LADDER && strcmp(last->ladder, item->ladder) != 0)))
      table_rule(t);
    last = item;
    table_row(t);
    for (size_t j = 0; j < N_COLUMNS; j++) {
      if (column_shown(v, &columns[j], dropped))
        columns[j].cell(t, &cell);
    }
  }
  return t;
}

static const struct run_published *published_mean(const struct run_variant *v) {
  for (size_t i = 0; i < v->n_published; i++) {
    if (v->published[i].what && strcmp(v->published[i].what, "geomean") == 0)
      return &v->published[i];
  }
  return NULL;
}

void tables_published_cells(struct table *t, const struct run_variant *v) {
  const struct run_published *p = published_mean(v);

  if (!p) {
    for (int i = 0; i < 3; i++)
      table_cell(t, "", NULL);
    return;
  }
  table_cellf(t, "%s%.10g", p->approximate ? "≈" : "", p->time_ns / 1e3);
  table_cell(t, p->device ? p->device : "", NULL);
  table_cell(t, p->source ? p->source : "", NULL);
}

struct table *tables_geomean(const struct view *v, enum tables_use use) {
  struct table *t = table_new();
  const struct view_item *last = NULL;

  table_column(t, "variant", "", "variant", TABLE_LEFT);
  table_column(t, "time", "µs", "geomean_us", TABLE_RIGHT);
  table_column(t, "origin", "", "origin", TABLE_LEFT);
  table_column(t, "published", "µs", "published_us", TABLE_RIGHT);
  table_column(t, "on", "", "published_device", TABLE_LEFT);
  table_column(t, "source", "", "published_source", TABLE_LEFT);
  table_column(t, "origin", "", "published_origin", TABLE_LEFT);
  for (size_t i = 0; i < v->n; i++) {
    const struct view_item *item = &v->items[i];
    struct value mean = findings_geomean(v->f, item->variant->id);
    struct cell cell = {v, item, NULL, use};

    if (item->group == VIEW_WRONG)
      continue;
    if (last && strcmp(last->ladder, item->ladder) != 0)
      table_rule(t);
    last = item;
    table_row(t);
    cell_variant(t, &cell);
    scaled(t, mean, 1e6, 4);
    table_cell(t, mean.present ? run_origin_name(v->f->run->origin) : "", NULL);
    tables_published_cells(t, item->variant);
    table_cell(t, published_mean(item->variant) ? run_origin_name(ORIGIN_PUBLISHED) : "", NULL);
  }
  return t;
}
