#include "reports/text/score_text.h"

#include "base/table.h"

#include "reports/text/put_json.h"
#include "reports/text/view.h"

/* --- text --- */

static void entry_row(struct table *t, const struct score_entry *x) {
  char shape[SHAPE_TEXT_MAX + 8];
  table_row(t);
  table_cell(t, x->label->child, NULL);
  table_cell(t, view_shape(shape, x->parent->result->shape), NULL);
  table_cell(t, x->label->causes[0], NULL);
  table_cell(t, x->first ? x->first->name : "none", NULL);
  if (x->place)
    table_number(t, (double)x->place, 2);
  else
    table_cell(t, "", NULL);
  if (x->promised.present)
    table_number(t, 100 * x->promised.v, 2);
  else
    table_cell(t, "", NULL);
  table_number(t, 100 * x->gained, 2);
}

static void totals_add(const struct score *s, struct text *out) {
  text_printf(out, "%zu labelled steps: cause named first %.0f %%, in the first three %.0f %%\n", s->n, 100 * s->first,
              100 * s->three);
  text_printf(out, "for comparison: always issue-slots %.0f %%, always %s %.0f %%, random %.0f %%\n",
              100 * s->null_issue, s->most ? s->most : "none", 100 * s->null_most, 100 * s->null_random);
  if (s->median_abs_error.present)
    text_printf(
        out,
        "|promised - gained|: median %.1f points of the time, over the %zu steps whose right advice gave a number\n",
        100 * s->median_abs_error.v, s->n_promised);
  if (s->model_within_10.present)
    text_printf(out, "model within 10 %% of the measured time: %.0f %% of the steps\n", 100 * s->model_within_10.v);
}

void report_score_term(const struct score *s, struct text *out, int width, bool colour) {
  struct table *t = table_new();
  table_column(t, "step to", "", "child", TABLE_LEFT);
  table_column(t, "shape", "", "shape", TABLE_LEFT);
  table_column(t, "cause", "", "cause", TABLE_LEFT);
  table_column(t, "first advice", "", "first", TABLE_LEFT);
  table_column(t, "place", "", "place", TABLE_RIGHT);
  table_drop(t, 1);
  table_column(t, "promised", "%", "promised", TABLE_RIGHT);
  table_column(t, "gained", "%", "gained", TABLE_RIGHT);
  for (size_t i = 0; i < s->n; i++)
    entry_row(t, &s->entries[i]);
  totals_add(s, out);
  text_add(out, "\n");
  table_term(t, out, width, colour);
  table_free(t);
}

/* --- JSON --- */

static json_t *value_json(struct value v) {
  return v.present ? json_real(v.v) : json_null();
}

static json_t *entry_json(const struct score_entry *x) {
  char shape[SHAPE_TEXT_MAX];
  json_t *causes = json_array(), *o = json_object();
  for (size_t i = 0; i < x->label->n_causes; i++)
    json_array_append_new(causes, json_string(x->label->causes[i]));
  json_object_set_new(o, "parent", json_string(x->label->parent));
  json_object_set_new(o, "child", json_string(x->label->child));
  json_object_set_new(o, "shape", json_string(shape_text(x->parent->result->shape, shape)));
  json_object_set_new(o, "causes", causes);
  json_object_set_new(o, "first", x->first ? json_string(x->first->name) : json_null());
  json_object_set_new(o, "place", json_integer((json_int_t)x->place));
  json_object_set_new(o, "promised", value_json(x->promised));
  json_object_set_new(o, "gained", json_real(x->gained));
  return o;
}

void report_score_json(const struct score *s, struct text *out) {
  json_t *entries = json_array(), *o = json_object();
  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(entries, entry_json(&s->entries[i]));
  json_object_set_new(o, "schema", json_string("nvfp4-prof/score/1"));
  json_object_set_new(o, "steps", json_integer((json_int_t)s->n));
  json_object_set_new(o, "first", json_real(s->first));
  json_object_set_new(o, "first_three", json_real(s->three));
  json_object_set_new(o, "null_issue_slots", json_real(s->null_issue));
  json_object_set_new(o, "null_most_frequent", json_real(s->null_most));
  json_object_set_new(o, "null_random", json_real(s->null_random));
  json_object_set_new(o, "median_abs_error", value_json(s->median_abs_error));
  json_object_set_new(o, "model_within_10", value_json(s->model_within_10));
  json_object_set_new(o, "entries", entries);
  put_json(o, out);
}
