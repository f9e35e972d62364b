#include "reports/compare/change_text.h"

#include "base/table.h"
#include "reports/text/compiled_text.h"
#include "reports/text/steps.h"
#include "reports/words/put_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- measured --- */

/* The table of steps counts instructions an element, which only the GEMV has. */
static void add_instructions(const struct step *s, struct text *out) {
  char shape[SHAPE_TEXT_MAX];
  for (size_t i = 0; i < s->n; i++) {
    const struct step_at *at = &s->at[i];
    if (!shape_named(&at->shape) || !at->parent || !at->child)
      continue;
    struct value before = finding_value(at->parent, "inst_executed"), after = finding_value(at->child, "inst_executed");
    if (before.present && after.present && before.v > 0)
      text_printf(out, "%s: %s: instructions %.4g → %.4g (%.3g×)\n", shape_text(at->shape, shape), s->to->id, before.v,
                  after.v, after.v / before.v);
  }
}

static void add_failures(const struct run *after, struct text *out) {
  char shape[SHAPE_TEXT_MAX];
  for (size_t i = 0; i < after->n_results; i++) {
    const struct run_result *r = &after->results[i];
    enum run_verdict v = r->check.verdict;
    if (v == VERDICT_PASS || v == VERDICT_UNCHECKED)
      continue;
    text_printf(out, "%s at %s: %s: %s\n", after->variants[r->variant].id, shape_text(r->shape, shape),
                run_verdict_name(v), r->check.reason ? r->check.reason : "no reason is given");
  }
}

void report_measured_change(const struct findings *f, const struct story_step *steps, size_t n, const struct run *after,
                            struct text *out, int width, bool colour) {
  report_steps_term(f, steps, n, false, out, width, colour);
  for (size_t i = 0; i < n; i++)
    add_instructions(&steps[i].step, out);
  add_failures(after, out);
}

/* --- compiled --- */

static const struct run_kernel *kernel_of(const struct run *r, const char *id) {
  for (size_t i = 0; i < r->n_results; i++)
    if (strcmp(r->variants[r->results[i].variant].id, id) == 0)
      return compiled_kernel(r, &r->results[i]);
  return NULL;
}

enum { FIGURES = 4, UNKNOWN = -1 };
static long spilled(const struct run_kernel *k) {
  return k->spill_store_bytes < 0 || k->spill_load_bytes < 0 ? UNKNOWN : k->spill_store_bytes + k->spill_load_bytes;
}

static void figures_of(long out[FIGURES], const struct run_kernel *k) {
  out[0] = k->registers;
  out[1] = k->smem_static;
  out[2] = spilled(k);
  out[3] = k->n_sass ? (long)run_kernel_instructions(k) : UNKNOWN;
}

static json_t *figure_json(long v) {
  return v == UNKNOWN ? json_null() : json_integer(v);
}

static void figure_cell(struct table *t, long was, long is) {
  if (is == UNKNOWN)
    table_cell(t, "–", NULL);
  else if (is == was || was == UNKNOWN)
    table_cellf(t, "%ld", is);
  else
    table_cellf(t, "%ld → %ld", was, is);
}

void report_compiled_change(const struct run *before, const struct run *after, bool json, struct text *out, int width,
                            bool colour) {
  static const char *const names[FIGURES] = {"registers", "shared", "spills", "SASS"};
  static const char *const units[FIGURES] = {"", "bytes", "bytes", "instructions"};
  static const char *const keys[FIGURES] = {"registers", "smem_bytes", "spill_bytes", "sass"};
  struct table *t = table_new();
  json_t *rows = json_array();
  table_head(t, "compiled =variant");
  for (int i = 0; i < FIGURES; i++)
    table_column(t, names[i], units[i], keys[i], TABLE_RIGHT);
  for (size_t v = 0; v < after->n_variants; v++) {
    const char *id = after->variants[v].id;
    const struct run_kernel *now = kernel_of(after, id), *then = kernel_of(before, id);
    long is[FIGURES] = {0}, was[FIGURES] = {0};
    if (!now || run_variant_is_control(&after->variants[v]))
      continue;
    figures_of(is, now);
    figures_of(was, then ? then : now);
    json_t *row = json_of("variant:s", id);
    table_row(t);
    table_cell(t, id, NULL);
    for (int i = 0; i < FIGURES; i++) {
      figure_cell(t, was[i], is[i]);
      json_object_set_new(row, keys[i], json_of("before:o after:o", figure_json(was[i]), figure_json(is[i])));
    }
    json_array_append_new(rows, row);
  }
  char *dump = json_dumps(rows, JSON_COMPACT);
  if (json)
    text_add(out, dump ? dump : "[]");
  else
    table_term(t, out, width, colour);
  free(dump);
  json_decref(rows);
  table_free(t);
}
