#include "reports/text/tune_text.h"
#include "reports/words/put_json.h"

#include "base/table.h"
#include "reports/words/view.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 };

/* --- terminal --- */

static void add_row(struct table *t, const struct tune_report *r, const struct tune_rank *rank, size_t place) {
  const struct finding *f = place < rank->n ? rank->ranked[place] : rank->standard, *standard = rank->standard;
  struct text params = {0};
  int registers = view_registers(r->findings, f->result);
  table_row(t);
  table_format(t, "%.0f", place < rank->n ? (double)(place + 1) : NAN);
  view_params(f->result, &params);
  table_cell(t, text_str(&params), NULL);
  table_cell(t, f == standard ? "as written" : "", NULL);
  view_cell_time(t, f);
  table_format(t, "%.3f", f->timed && standard && standard->timed ? standard->time.middle / f->time.middle : NAN);
  table_format(t, "%.1f", f->of_sol.present ? f->of_sol.v * 100 : NAN);
  table_format(t, "%.0f", registers >= 0 ? (double)registers : NAN);
  table_style(t, place == 0 ? 'g' : f == standard ? 'd' : ' ');
  text_release(&params);
}

static void add_shape(const struct tune_report *r, const struct tune_rank *rank, struct text *out, int width,
                      bool colour) {
  struct table *t = table_new();
  size_t standard = rank->n; /* its place; of one without a time the end */
  text_printf(out, "\n%s: ", VIEW_SHAPE(rank->shape));
  view_sol(r->findings, rank->shape, out);
  text_add(out, "\n");
  table_head(t, ">rank | parameters =params |  =standard | >time [µs] | >× written =speedup | >SOL [%] =of_sol | "
                ">regs =registers -1");
  for (size_t i = 0; i < rank->n; i++) {
    if (rank->ranked[i] == rank->standard)
      standard = i;
    if (i < SHOWN)
      add_row(t, r, rank, i);
  }
  if (rank->standard && (standard >= SHOWN || standard == rank->n))
    add_row(t, r, rank, standard);
  table_term(t, out, width, colour);
  if (rank->best_is_standard)
    text_add(out, "No configuration is measurably faster than the kernel as it was written.\n");
  table_free(t);
}

void report_tune_term(const struct tune_report *t, struct text *out, int width, bool colour) {
  view_origin(t->findings, out);
  text_add(out, "\n");
  for (size_t i = 0; i < t->n; i++)
    add_shape(t, &t->ranks[i], out, width, colour);
}

/* --- JSON --- */

static json_t *params_json(const struct run_result *r) {
  json_t *o = json_object();
  for (size_t i = 0; i < r->n_params; i++)
    json_object_set_new(o, r->params[i].key, json_integer(strtoll(r->params[i].value, NULL, 10)));
  return o;
}

static json_t *finding_json(const struct finding *f) {
  json_t *o = json_of("variant:s params:o verdict:s", f->variant->id, params_json(f->result),
                      run_verdict_name(f->result->check.verdict));
  members_set(o, "time_s:o time_low_s:o time_high_s:o", real_json(f->timed, f->time.middle),
              real_json(f->timed, f->time.ci_low), real_json(f->timed, f->time.ci_high));
  if (!f->timed)
    json_object_set_new(o, "reason", json_string(f->time_reason));
  json_object_set_new(o, "of_sol", number_json(f->of_sol));
  return o;
}

void report_tune_json(const struct tune_report *t, struct text *out) {
  json_t *shapes = json_array();
  char shape[SHAPE_TEXT_MAX];
  for (size_t i = 0; i < t->n; i++) {
    const struct tune_rank *rank = &t->ranks[i];
    json_t *ranked = json_array(), *untimed = json_array();
    for (size_t k = 0; k < rank->n; k++)
      json_array_append_new(ranked, finding_json(rank->ranked[k]));
    for (size_t k = 0; k < t->findings->n; k++) {
      const struct finding *f = &t->findings->items[k];
      if (!f->timed && shape_equal(f->result->shape, rank->shape))
        json_array_append_new(untimed, finding_json(f));
    }
    json_t *o = json_of("shape:s ranked:o untimed:o best_is_standard:b", shape_text(rank->shape, shape), ranked,
                        untimed, rank->best_is_standard);
    json_object_set_new(o, "standard", rank->standard ? finding_json(rank->standard) : json_null());
    json_array_append_new(shapes, o);
  }
  char *dump = json_dumps(shapes, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
  text_printf(out, "\"schema\": \"nvfp4-prof/tune/1\", \"variant\": \"%s\", \"shapes\": %s", t->rung,
              dump ? dump : "[]");
  free(dump);
  json_decref(shapes);
}

/* --- front matter --- */

static void add_condition(struct text *out, struct shape s, int sm, int sms) {
  if (shape_named(&s))
    for (const char *at = s.sizes; *at; at += strspn(at, " ")) {
      size_t n = strcspn(at, " "), name = strcspn(at, "=");
      text_printf(out, "%.*s == %.*s && ", (int)name, at, (int)(n - name - 1), at + name + 1);
      at += n;
    }
  else
    text_printf(out, "M == %ld && K == %ld && L == %ld && ", s.m, s.k, s.l);
  text_printf(out, "sm == %d && sms == %d", sm, sms);
}

static bool is_searched(const struct tune_rank *rank, size_t param) {
  for (size_t i = 1; i < rank->n; i++)
    if (strcmp(rank->ranked[i]->result->params[param].value, rank->ranked[0]->result->params[param].value) != 0)
      return true;
  return false;
}

void tune_lines(struct text *out, size_t *n_lines, const struct tune_rank *ranks, size_t n, int sm, int sms) {
  *n_lines = 0;
  for (size_t i = 0; i < n; i++) {
    const struct tune_rank *rank = &ranks[i];
    if (!rank->n || !rank->standard || rank->best_is_standard)
      continue; /* without the rung itself beside it nothing is known to be faster than it */
    const struct run_result *best = rank->ranked[0]->result;
    const char *separator = ": ";
    text_add(out, "//! when:       ");
    add_condition(out, rank->shape, sm, sms);
    for (size_t p = 0; p < best->n_params; p++) {
      if (!is_searched(rank, p))
        continue;
      text_printf(out, "%s%s = %s", separator, best->params[p].key, best->params[p].value);
      separator = ", ";
    }
    text_add(out, "\n");
    ++*n_lines;
  }
}
