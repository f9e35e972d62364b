#include "reports/compare/history_text.h"

#include "base/table.h"
#include "reports/words/put_json.h"
#include "reports/words/view.h"

#include <string.h>

static const char *known(const char *s) {
  return s ? s : "";
}

/* Times are shown in µs. */
static double shown(const struct history *h, double v) {
  return h->time ? v * 1e6 : v;
}

/* --- the terminal --- */

static void cell_point(struct table *t, const struct history *h, const struct history_point *p) {
  table_cell(t, p->value.present ? VIEW_NUMBER(shown(h, p->value.v), 4) : "", NULL);
  if (p->step)
    table_cellf(t, "%+.1f %%%s", (p->step_ratio - 1) * 100, p->same_code ? ", same code" : "");
  else
    table_cell(t, " ", NULL); /* not a dash: nothing is missing */
}

/* Whether the run has the kernel, at one shape at least. */
static bool is_in(const struct history *h, size_t first, size_t end, size_t run) {
  for (size_t c = first; c < end; c++)
    if (h->columns[c].points[run].finding)
      return true;
  return false;
}

static struct table *variant_table(const struct history *h, size_t first, size_t end) {
  struct table *t = table_of("run [UTC] =created | git -1 | card -2");
  if (h->n_chips > 1)
    table_head(t, "GPU");
  for (size_t c = first; c < end; c++) {
    bool none = shape_none(h->columns[c].shape);
    table_column(t, none ? h->metric : VIEW_SHAPE(h->columns[c].shape), h->time ? "µs" : "", "value", TABLE_RIGHT);
    table_head(t, "step");
  }
  for (size_t i = 0; i < h->n_runs; i++) {
    if (!is_in(h, first, end, i))
      continue;
    const struct run *r = h->runs[i]->run;
    table_row(t);
    table_cellf(t, "%.16s", known(r->created));
    table_cellf(t, "%.20s", known(r->git));
    table_cellf(t, "%.6s", known(r->device.uuid_hash));
    if (h->n_chips > 1)
      table_cell(t, r->device.name, NULL);
    for (size_t c = first; c < end; c++)
      cell_point(t, h, &h->columns[c].points[i]);
  }
  return t;
}

void report_history_term(const struct history *h, struct text *out, int width, bool colour) {
  text_printf(
      out, "%s%s over %zu runs; a step lies beyond 1 %% and the noise (%.2f %% between two runs, and each run's own)\n",
      h->time ? "median " : "", h->metric, h->n_runs, h->between * 100);
  if (h->n_chips > 1)
    text_printf(out, "the runs are of %zu GPUs: each is held against earlier runs of its own GPU alone\n", h->n_chips);
  if (h->n_programs > 1)
    text_printf(out, "the runs are of %zu commands: each is held against earlier runs of its own command alone\n",
                h->n_programs);
  if (h->n_runs > 1 && !h->compared)
    text_printf(out, "no run has an earlier one to be held against: no kernel is in two runs of one GPU%s\n",
                h->n_programs > 1 ? " and command" : "");
  for (size_t first = 0, end; first < h->n_columns; first = end) {
    for (end = first + 1; end < h->n_columns && strcmp(h->columns[end].id, h->columns[first].id) == 0;)
      end++;
    text_printf(out, "\n%s\n", h->columns[first].id);
    table_print(variant_table(h, first, end), out, width, colour);
  }
  text_printf(out, "\n%zu step%s\n", h->steps, h->steps == 1 ? "" : "s");
}

/* --- for programs --- */

static json_t *point_json(size_t run, const struct history_point *p) {
  json_t *o = json_object();
  members_set(o, "run:I value:v", (json_int_t)run, p->value);
  if (!p->value.present)
    json_object_set_new(o, "reason", json_string(p->value.reason ? p->value.reason : "not known"));
  json_object_set_new(o, "step_ratio", real_json(p->step, p->step_ratio));
  if (p->step)
    json_object_set_new(o, "same_code", json_boolean(p->same_code));
  return o;
}

void report_history_json(const struct history *h, struct text *out) {
  json_t *root = json_object(), *runs = json_array(), *columns = json_array();
  for (size_t i = 0; i < h->n_runs; i++) {
    const struct run *r = h->runs[i]->run;
    json_array_append_new(runs,
                          json_of("created:s git:s device:s", known(r->created), known(r->git), known(r->device.name)));
  }
  for (size_t c = 0; c < h->n_columns; c++) {
    char shape[SHAPE_TEXT_MAX];
    json_t *points = json_array();
    for (size_t i = 0; i < h->n_runs; i++)
      json_array_append_new(points, point_json(i, &h->columns[c].points[i]));
    json_array_append_new(columns, json_of("variant:s shape:s points:o", h->columns[c].id,
                                           shape_text(h->columns[c].shape, shape), points));
  }
  members_set(root, "schema:s metric:s unit:o between_runs_stddev:f steps:I runs:o columns:o", "nvfp4-prof/history/1",
              h->metric, h->time ? json_string("s") : json_null(), h->between, (json_int_t)h->steps, runs, columns);
  put_json(root, out);
}
