#include "reports/text/tables.h"

#include "analysis/story/program.h"
#include "reports/words/columns.h"

#include <string.h>

/* Only in a run that asked for it: its times are of another kind. */
static bool contest_measured(const struct view *v) {
  bool any = false;
  for (size_t i = 0; i < v->f->n; i++)
    any = any || run_metric_find(v->f->items[i].result, "contest_ns");
  return any;
}

static const struct shown_column shown[] = {
    {"variant"},
    {"time_us"},
    {"contest_us"},
    {"speedup_parent", 11},
    {"speedup_first", 6},
    {"of_sol_ratio"},
    {"of_read_ratio", 7},
    {"dram_moved_bytes", 5},
    {"dram_over_minimal_ratio", 9},
    {"bound", 13},
    {"inst_per_element", 8},
    {"issue_slot_utilisation", 3},
    {"achieved_occupancy", 2},
    {"top_stall", 12},
    {"registers", 4},
    {"path", 1},
    {"verdict", 10},
};
enum { N_SHOWN = sizeof shown / sizeof *shown };

void tables_shape_caption(const struct view *v, struct shape s, struct text *out) {
  const struct finding *control = view_read_control(v->f, s);
  text_printf(out, "%s: %s; ", shape_none(s) ? "All kernels" : VIEW_SHAPE(s), run_origin_name(v->f->run->origin));
  view_sol(v->f, s, out);
  if (control && control->timed)
    text_printf(out, "; read control %s µs", VIEW_NUMBER(control->time.middle * 1e6, 4));
  else if (!shape_none(s))
    text_add(out, "; no read control");
  text_printf(out, "; %s", view_tier(v->f));
}

/* What a program's kernels do not have: a declared problem, a check, a path. */
static const char *const not_of_programs[] = {"of_read_ratio", "dram_over_minimal_ratio", "inst_per_element", "path",
                                              "verdict"};

static bool is_shown(const struct view *v, const struct shown_column *s) {
  if (strcmp(s->key, "contest_us") == 0)
    return contest_measured(v);
  for (size_t i = 0; i < sizeof not_of_programs / sizeof *not_of_programs && program_is(v->f->run); i++)
    if (strcmp(s->key, not_of_programs[i]) == 0)
      return false;
  return strncmp(s->key, "speedup_", strlen("speedup_")) != 0 || view_words(v->f, NULL).climb;
}

struct table *tables_shape(const struct view *v, struct shape s, enum tables_use use) {
  struct table *t = table_new();
  const struct view_item *last = NULL;
  bool has[N_SHOWN];
  for (size_t i = 0; i < N_SHOWN; i++) {
    has[i] = is_shown(v, &shown[i]);
    struct shown_column column = shown[i];
    if (strcmp(column.key, "variant") == 0 && program_is(v->f->run))
      column.title = "kernel";
    if (strcmp(column.key, "time_us") == 0 && program_is(v->f->run))
      column.title = "median";
    if (has[i])
      shown_column_head(t, &column);
  }
  for (size_t i = 0; i < v->n; i++) {
    const struct view_item *item = &v->items[i];
    struct column_row row = {v->f, findings_at(v->f, item->variant->id, s), NULL, true, use == TABLES_TERM};
    if (!row.finding)
      continue;
    if (last && (last->group != item->group || (item->group == VIEW_LADDER && strcmp(last->ladder, item->ladder) != 0)))
      table_rule(t);
    last = item;
    table_row(t);
    for (size_t k = 0; k < N_SHOWN; k++)
      if (has[k])
        shown_column_cell(t, &shown[k], &row);
  }
  return t;
}

static const struct run_published *published_mean(const struct run_variant *v) {
  for (size_t i = 0; i < v->n_published; i++)
    if (v->published[i].what && strcmp(v->published[i].what, "geomean") == 0)
      return &v->published[i];
  return NULL;
}

static void tables_published_cells(struct table *t, const struct run_variant *v) {
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

struct table *tables_geomean(const struct view *v) {
  struct table *t = table_new();
  const struct view_item *last = NULL;
  table_head(t, "variant | >time [µs] =geomean_us | origin -3 | >published [µs] =published_us | "
                "on =published_device -4 | source =published_source -1 | origin =published_origin -2");
  for (size_t i = 0; i < v->n; i++) {
    const struct view_item *item = &v->items[i];
    struct value mean = findings_geomean(v->f, item->variant->id);
    if (item->group == VIEW_WRONG)
      continue;
    if (last && strcmp(last->ladder, item->ladder) != 0)
      table_rule(t);
    last = item;
    table_row(t);
    table_cellf(t, "%s%s", item->variant->side ? "  ↳ " : "", item->variant->id);
    view_cell(t, mean, 1e6, 4);
    table_cell(t, mean.present ? run_origin_name(v->f->run->origin) : "", NULL);
    tables_published_cells(t, item->variant);
    table_cell(t, published_mean(item->variant) ? run_origin_name(ORIGIN_PUBLISHED) : "", NULL);
  }
  return t;
}
