#include "reports/text/score_text.h"

#include "reports/words/put_json.h"
#include "reports/words/view.h"

#include <math.h>
#include <string.h>

static double scaled(struct value x, double by) {
  return x.present ? by * x.v : NAN;
}

/* --- text --- */

static struct table *steps_table(const struct score *s) {
  struct table *t = table_of("step to =child | shape | cause | first advice =first | >place -3 | "
                             ">promised [µs] =promised_us -1 | >gained [µs] =gained_us -2 | "
                             ">promised [%] =promised_percent | >gained [%] =gained_percent");
  for (size_t i = 0; i < s->n; i++) {
    const struct score_entry *x = &s->entries[i];
    double us = x->parent->time.middle * 1e6;
    table_line(t, "s s s s %.0f 3 3 2 2", x->child->variant->id, VIEW_SHAPE(x->parent->result->shape),
               x->label.causes[0], x->first ? x->first->name : "none", x->place ? (double)x->place : NAN,
               scaled(x->promised, us), x->gained * us, scaled(x->promised, 100), 100 * x->gained);
    table_style(t, x->gained > 0 ? 'g' : 'b');
  }
  return t;
}

static void cause_line(struct table *t, const struct score_row *r) {
  table_line(t, "s z z z z %+.2f %+.0f %+.0f", r->cause ? r->cause->name : "all", r->n, r->fired, r->first, r->three,
             scaled(r->correlation, 1), scaled(r->median_error, 100), scaled(r->median_abs_error, 100));
}

struct table *score_causes(const struct score *s) {
  struct table *t = table_of("rule | >steps | >fired =spoke | >first -3 | >in three =first_three -2 | "
                             ">rank correlation =rank_correlation -1 | "
                             ">median error [% of time] =median_error_percent | "
                             ">median |error| [% of time] =median_abs_error_percent");
  for (size_t i = 0; i < s->n_causes; i++)
    cause_line(t, &s->causes[i]);
  table_rule(t);
  cause_line(t, &s->all);
  return t;
}

/* What the causes are that advice is held against. */
static void labels_add(const char *labels, struct text *out) {
  if (!labels)
    text_add(out, "labels: what each step cured, by the counters of both kernels\n");
  else if (strcmp(labels, "cures") == 0)
    text_add(
        out,
        "labels: what each step's author meant it to cure, whether or not it did; without --labels: what it did cure\n");
  else
    text_printf(out, "labels: the causes in %s\n", labels);
}

static void nulls_add(const struct score *s, struct text *out) {
  text_add(out, "for comparison: always issue-slots");
  if (s->most && strcmp(s->most, "issue-slots") != 0)
    text_printf(out, " %.0f %%, always %s", 100 * s->null_issue, s->most);
  text_printf(out, "%s %.0f %%, random %.0f %%\n", s->most ? ", the most frequent cause," : "",
              100 * (s->most ? s->null_most : s->null_issue), 100 * s->null_random);
}

static void totals_add(const struct score *s, const char *labels, struct text *out) {
  text_printf(out, "%zu labelled steps: cause named first %.0f %%, in the first three %.0f %%\n", s->n, 100 * s->first,
              100 * s->three);
  nulls_add(s, out);
  labels_add(labels, out);
  if (s->all.median_abs_error.present)
    text_printf(
        out,
        "|promised - gained|: median %.1f points of the time, over the %zu steps whose right advice gave a number\n",
        100 * s->all.median_abs_error.v, s->all.n_promised);
  if (s->median_model_error.present)
    text_printf(out,
                "the model's part of it, from the work that the cured kernel was counted to do: median %.1f points\n",
                100 * s->median_model_error.v);
  if (s->model_within_10.present)
    text_printf(out, "model within 10 %% of the measured time: %.0f %% of the steps\n", 100 * s->model_within_10.v);
  for (size_t i = 0; i < s->n_unknown; i++)
    text_printf(out, "cures: %s is not a rule: its steps are left out\n", s->unknown[i]);
}

void report_score_term(const struct score *s, const char *labels, struct text *out, int width, bool colour) {
  totals_add(s, labels, out);
  text_add(out, "\n");
  table_print(steps_table(s), out, width, colour);
  text_add(out, "\n");
  table_print(score_causes(s), out, width, colour);
  text_add(
      out,
      "fired: the rule gave advice at the step's parent; first, in three: it stood first, or among the first three\n"
      "error: promised minus gained, of the parent's time, where the rule fired\n");
}

/* --- JSON --- */

static json_t *entry_json(const struct score_entry *x) {
  char shape[SHAPE_TEXT_MAX];
  double time_s = x->parent->time.middle;
  json_t *causes = json_array(), *o = json_object();
  for (size_t i = 0; i < x->label.n_causes; i++)
    json_array_append_new(causes, json_string(x->label.causes[i]));
  members_set(o, "parent:s child:s shape:s causes:o first:o place:I promised:o gained:f promised_s:f gained_s:f",
              x->label.parent, x->label.child, shape_text(x->parent->result->shape, shape), causes,
              x->first ? json_string(x->first->name) : json_null(), (json_int_t)x->place, number_json(x->promised),
              x->gained, scaled(x->promised, time_s), x->gained * time_s);
  return o;
}

static json_t *row_json(const struct score_row *r) {
  return json_of("rule:s steps:I spoke:I first:I first_three:I rank_correlation:V median_error:V median_abs_error:V",
                 r->cause ? r->cause->name : "all", (json_int_t)r->n, (json_int_t)r->fired, (json_int_t)r->first,
                 (json_int_t)r->three, r->correlation, r->median_error, r->median_abs_error);
}

void report_score_json(const struct score *s, struct text *out) {
  json_t *entries = json_array(), *rows = json_array(), *o = json_object();
  for (size_t i = 0; i < s->n; i++)
    json_array_append_new(entries, entry_json(&s->entries[i]));
  for (size_t i = 0; i < s->n_causes; i++)
    json_array_append_new(rows, row_json(&s->causes[i]));
  json_array_append_new(rows, row_json(&s->all));
  members_set(o, "schema:s steps:I first:f first_three:f null_issue_slots:f", "nvfp4-prof/score/1", (json_int_t)s->n,
              s->first, s->three, s->null_issue);
  members_set(
      o,
      "null_most_frequent:f null_random:f median_abs_error:v median_model_error:v model_within_10:v rules:o entries:o",
      s->null_most, s->null_random, s->all.median_abs_error, s->median_model_error, s->model_within_10, rows, entries);
  put_json(o, out);
}
