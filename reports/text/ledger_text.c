#include "base/table.h"
#include "reports/text/diagnose.h"
#include "reports/text/view.h"

static void percent(struct table *t, struct value x) {
  if (x.present)
    table_cellf(t, "%+.0f", 100 * x.v);
  else
    table_cell(t, "", NULL);
}

struct table *ledger_scores(const struct ledger *l) {
  struct table *t = table_new();

  table_column(t, "rule", "", "rule", TABLE_LEFT);
  table_column(t, "steps", "", "steps", TABLE_RIGHT);
  table_column(t, "fired", "", "spoke", TABLE_RIGHT);
  table_column(t, "first", "", "first", TABLE_RIGHT);
  table_drop(t, 3);
  table_column(t, "in three", "", "first_three", TABLE_RIGHT);
  table_drop(t, 2);
  table_column(t, "rank correlation", "", "rank_correlation", TABLE_RIGHT);
  table_drop(t, 1);
  table_column(t, "median error", "% of time", "median_error_percent", TABLE_RIGHT);
  table_column(t, "median |error|", "% of time", "median_abs_error_percent", TABLE_RIGHT);
  for (size_t i = 0; i < l->n_scores; i++) {
    const struct ledger_score *s = &l->scores[i];
    if (!s->rule)
      table_rule(t);
    table_row(t);
    table_cell(t, s->rule ? s->rule->name : "all", NULL);
    table_cellf(t, "%zu", s->n);
    table_cellf(t, "%zu", s->spoke);
    table_cellf(t, "%zu", s->first);
    table_cellf(t, "%zu", s->three);
    if (s->correlation.present)
      table_cellf(t, "%+.2f", s->correlation.v);
    else
      table_cell(t, "", NULL);
    percent(t, s->median_error);
    percent(t, s->median_abs_error);
  }
  return t;
}

static struct table *entries_table(const struct ledger *l) {
  struct table *t = table_new();
  char shape[SHAPE_TEXT_MAX + 8], number[VIEW_NUMBER_MAX];

  table_column(t, "step to", "", "child", TABLE_LEFT);
  table_column(t, "shape", "", "shape", TABLE_LEFT);
  table_column(t, "rule", "", "rule", TABLE_LEFT);
  table_column(t, "promised", "µs", "promised_us", TABLE_RIGHT);
  table_drop(t, 1);
  table_column(t, "gained", "µs", "gained_us", TABLE_RIGHT);
  table_drop(t, 2);
  table_column(t, "promised", "%", "promised_percent", TABLE_RIGHT);
  table_column(t, "gained", "%", "gained_percent", TABLE_RIGHT);
  for (size_t i = 0; i < l->n; i++) {
    const struct ledger_entry *x = &l->entries[i];
    table_row(t);
    table_cell(t, x->child->variant->id, NULL);
    table_cell(t, view_shape(shape, x->child->result->shape), NULL);
    table_cell(t, x->rule->name, NULL);
    table_cell(t, x->spoke ? view_number(number, x->promised_s * 1e6, 3) : "silent", NULL);
    table_cell(t, view_number(number, x->gained_s * 1e6, 3), NULL);
    table_cellf(t, "%.0f", 100 * x->promised);
    table_cellf(t, "%.0f", 100 * x->gained);
    table_style(t, x->gained > 0 ? 'g' : 'b');
  }
  return t;
}

void report_ledger_term(const struct ledger *l, struct text *out, int width, bool colour) {
  struct table *entries = entries_table(l), *scores = ledger_scores(l);

  text_add(out, "What each rule promised at a rung, and what the step that applies its remedy gained\n");
  table_term(entries, out, width, colour);
  text_add(out, "\n");
  table_term(scores, out, width, colour);
  text_add(
      out,
      "error: promised minus gained, of the parent's time, where the rule fired; first, in three: the rank of its advice\n");
  for (size_t i = 0; i < l->n_unknown; i++)
    text_printf(out, "cures: %s is not a rule: its steps are left out\n", l->unknown[i]);
  table_free(entries);
  table_free(scores);
}
