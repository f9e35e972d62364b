#include "reports/text/score_text.h"

#include "base/table.h"

#include "reports/words/put_json.h"
#include "reports/words/view.h"

#include <math.h>

/* --- text --- */

static void entry_row(struct table *t, const struct score_entry *x) {
  table_line(t, "s s s s 2 2 2", x->label->child, VIEW_SHAPE(x->parent->result->shape), x->label->causes[0],
             x->first ? x->first->name : "none", x->place ? (double)x->place : NAN,
             x->promised.present ? 100 * x->promised.v : NAN, 100 * x->gained);
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
  if (s->median_model_error.present)
    text_printf(out,
                "the model's part of it, from the work that the cured kernel was counted to do: median %.1f points\n",
                100 * s->median_model_error.v);
  if (s->model_within_10.present)
    text_printf(out, "model within 10 %% of the measured time: %.0f %% of the steps\n", 100 * s->model_within_10.v);
}

void report_score_term(const struct score *s, struct text *out, int width, bool colour) {
  struct table *t = table_of("step to =child | shape | cause | first advice =first | >place -1 | >promised [%] | "
                             ">gained [%]");
  for (size_t i = 0; i < s->n; i++)
    entry_row(t, &s->entries[i]);
  totals_add(s, out);
  text_add(out, "\n");
  table_print(t, out, width, colour);
}

/* --- JSON --- */

static json_t *entry_json(const struct score_entry *x) {
  char shape[SHAPE_TEXT_MAX];
  json_t *causes = json_array(), *o = json_object();
  for (size_t i = 0; i < x->label->n_causes; i++)
    json_array_append_new(causes, json_string(x->label->causes[i]));
  members_set(o, "parent:s child:s shape:s causes:o first:o place:I promised:o gained:f", x->label->parent,
              x->label->child, shape_text(x->parent->result->shape, shape), causes,
              x->first ? json_string(x->first->name) : json_null(), (json_int_t)x->place, number_json(x->promised),
              x->gained);
  return o;
}

void report_score_json(const struct score *s, struct text *out) {
  json_t *entries = json_array(), *o = json_object();
  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(entries, entry_json(&s->entries[i]));
  members_set(o, "schema:s steps:I first:f first_three:f null_issue_slots:f", "nvfp4-prof/score/1", (json_int_t)s->n,
              s->first, s->three, s->null_issue);
  members_set(o,
              "null_most_frequent:f null_random:f median_abs_error:o median_model_error:o model_within_10:o entries:o",
              s->null_most, s->null_random, number_json(s->median_abs_error), number_json(s->median_model_error),
              number_json(s->model_within_10), entries);
  put_json(o, out);
}
