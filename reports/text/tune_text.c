#include "reports/text/tune_text.h"

#include "base/table.h"
#include "reports/text/view.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 };

/* "WARPS=4 UNROLL=2" */
static void add_params(struct text *out, const struct run_result *r) {
  for (size_t i = 0; i < r->n_params; i++)
    text_printf(out, "%s%s=%s", i ? " " : "", r->params[i].key, r->params[i].value);
}

/* --- terminal --- */

static void add_row(struct table *t, const struct tune_report *r, const struct tune_rank *rank, size_t place) {
  const struct finding *f = place < rank->n ? rank->ranked[place] : rank->standard, *standard = rank->standard;
  char time[VIEW_NUMBER_MAX];
  struct text params = {0};
  int registers = view_registers(r->findings, f->result);

  table_row(t);
  if (place < rank->n)
    table_cellf(t, "%zu", place + 1);
  else
    table_cell(t, "", NULL);
  add_params(&params, f->result);
  table_cell(t, text_str(&params), NULL);
  table_cell(t, f == standard ? "as written" : "", NULL);
  table_cell(t, f->timed ? view_time(time, &f->time) : "", NULL);
  if (f->timed && standard && standard->timed)
    table_cellf(t, "%.3f", standard->time.middle / f->time.middle);
  else
    table_cell(t, "", NULL);
  if (f->of_sol.present)
    table_cellf(t, "%.1f", f->of_sol.v * 100);
  else
    table_cell(t, "", NULL);
  if (registers >= 0)
    table_cellf(t, "%d", registers);
  else
    table_cell(t, "", NULL);
  table_style(t, place == 0 ? 'g' : f == standard ? 'd' : ' ');
  text_release(&params);
}

static void add_shape(const struct tune_report *r, const struct tune_rank *rank, struct text *out, int width,
                      bool colour) {
  struct table *t = table_new();
  char shape[SHAPE_TEXT_MAX + 8];
  bool shown = false;

  text_printf(out, "\n%s: ", view_shape(shape, rank->shape));
  view_sol(r->findings, rank->shape, out);
  text_add(out, "\n");
  table_column(t, "rank", "", "rank", TABLE_RIGHT);
  table_column(t, "parameters", "", "params", TABLE_LEFT);
  table_column(t, "", "", "standard", TABLE_LEFT);
  table_column(t, "time", "µs", "time", TABLE_RIGHT);
  table_column(t, "× written", "", "speedup", TABLE_RIGHT);
  table_column(t, "SOL", "%", "of_sol", TABLE_RIGHT);
  table_column(t, "regs", "", "registers", TABLE_RIGHT);
  table_drop(t, 1);
  for (size_t i = 0; i < rank->n && i < SHOWN; i++) {
    add_row(t, r, rank, i);
    shown |= rank->ranked[i] == rank->standard;
  }
  for (size_t i = SHOWN; rank->standard && !shown && i < rank->n; i++)
    if (rank->ranked[i] == rank->standard) {
      add_row(t, r, rank, i);
      shown = true;
    }
  if (rank->standard && !shown)
    add_row(t, r, rank, rank->n);
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
  json_t *o = json_pack("{s:s, s:o, s:s}", "variant", f->variant->id, "params", params_json(f->result), "verdict",
                        run_verdict_name(f->result->check.verdict));
  json_object_set_new(o, "time_s", f->timed ? json_real(f->time.middle) : json_null());
  json_object_set_new(o, "time_low_s", f->timed ? json_real(f->time.ci_low) : json_null());
  json_object_set_new(o, "time_high_s", f->timed ? json_real(f->time.ci_high) : json_null());
  if (!f->timed)
    json_object_set_new(o, "reason", json_string(f->time_reason));
  json_object_set_new(o, "of_sol", f->of_sol.present ? json_real(f->of_sol.v) : json_null());
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
    json_t *o = json_pack("{s:s, s:o, s:o, s:b}", "shape", shape_text(rank->shape, shape), "ranked", ranked, "untimed",
                          untimed, "best_is_standard", rank->best_is_standard);
    json_object_set_new(o, "standard", rank->standard ? finding_json(rank->standard) : json_null());
    json_array_append_new(shapes, o);
  }
  char *dump = json_dumps(shapes, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
  text_printf(out, "\"schema\": \"nvfp4-prof/tune/1\", \"variant\": \"%s\", \"shapes\": %s", t->rung,
              dump ? dump : "[]");
  free(dump);
  json_decref(shapes);
}
