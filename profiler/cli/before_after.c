#include "profiler/cli/before_after.h"

#include "analysis/story/story.h"
#include "base/table.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/compiled.h"
#include "reports/text/steps.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- both in one run, so that a step can be made between them --- */

struct joined {
  struct run
      run; /* borrows everything but its arrays of variants, modules and results, and the earlier variants' ids */
  size_t n_after; /* variants of the later run, which come first */
};

static int join(struct joined *j, const struct run *before, const struct run *after, struct err *e) {
  *j = (struct joined){.run = *after, .n_after = after->n_variants};
  struct run *r = &j->run;
  r->variants = calloc(before->n_variants + after->n_variants + 1, sizeof *r->variants);
  r->modules = calloc(before->n_modules + after->n_modules + 1, sizeof *r->modules);
  r->results = calloc(before->n_results + after->n_results + 1, sizeof *r->results);
  r->n_variants = 0;
  if (!r->variants || !r->modules || !r->results)
    return err_nomem(e, "two runs");
  for (size_t i = 0; i < after->n_variants; i++)
    r->variants[r->n_variants++] = after->variants[i];
  for (size_t i = 0; i < before->n_variants; i++) {
    struct run_variant *v = &r->variants[r->n_variants++];
    *v = before->variants[i];
    v->id = str_printf("%s before", v->id);
    if (!v->id)
      return err_nomem(e, "two runs");
  }
  memcpy(r->modules, after->modules, after->n_modules * sizeof *r->modules);
  memcpy(r->modules + after->n_modules, before->modules, before->n_modules * sizeof *r->modules);
  r->n_modules = after->n_modules + before->n_modules;
  memcpy(r->results, after->results, after->n_results * sizeof *r->results);
  for (size_t i = 0; i < before->n_results; i++) {
    struct run_result *x = &r->results[after->n_results + i];
    *x = before->results[i];
    x->variant += (int)after->n_variants;
    x->module += x->module < 0 ? 0 : (int)after->n_modules;
    x->n_samples = x->n_counts =
        0; /* they name instructions of modules by numbers that hold no longer; no step asks for them */
  }
  r->n_results = after->n_results + before->n_results;
  return 0;
}

static void join_release(struct joined *j) {
  for (size_t i = j->n_after; j->run.variants && i < j->run.n_variants; i++)
    free(j->run.variants[i].id);
  free(j->run.variants);
  free(j->run.modules);
  free(j->run.results);
}

/* --- measured --- */

static bool is_control(const struct run_variant *v) {
  return v->ladder && strcmp(v->ladder, "control") == 0;
}

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

int before_after_measured(const struct run *before, const struct run *after, const char *device_asked, bool json,
                          struct text *out, struct err *e) {
  struct joined j;
  struct device device = {0};
  struct findings f = {0};
  struct story_step *steps = calloc(after->n_variants + 1, sizeof *steps);
  size_t n = 0;
  int result = join(&j, before, after, e);
  if (!result && !steps)
    result = err_nomem(e, "the steps");
  if (!result)
    result = device_for_run(&device, device_asked, after, e);
  if (!result)
    result = findings_make(&f, &j.run, &device, e);
  for (size_t i = 0; i < j.n_after && !result; i++) {
    char *id = str_printf("%s before", j.run.variants[i].id);
    const struct run_variant *from = id ? run_variant_find(&j.run, id) : NULL;
    free(id);
    if (from && !is_control(from))
      result = story_step_make(&steps[n++], &f, NULL, from, &j.run.variants[i], f.shapes, f.n_shapes, e);
  }
  if (!result && json) {
    report_steps_json(&f, steps, n, out);
  } else if (!result) {
    report_steps_term(&f, steps, n, out, cli_width(), cli_colour());
    for (size_t i = 0; i < n; i++)
      add_instructions(&steps[i].step, out);
    add_failures(after, out);
  }
  for (size_t i = 0; i < n; i++)
    story_step_release(&steps[i]);
  free(steps);
  findings_release(&f);
  device_release(&device);
  join_release(&j);
  return result;
}

/* --- compiled --- */

static const struct run_kernel *kernel_of(const struct run *r, const char *id) {
  for (size_t i = 0; i < r->n_results; i++)
    if (strcmp(r->variants[r->results[i].variant].id, id) == 0)
      return compiled_kernel(r, &r->results[i]);
  return NULL;
}

static long spilled(const struct run_kernel *k) {
  return k->spill_store_bytes > 0 ? k->spill_store_bytes + k->spill_load_bytes : 0;
}

enum { FIGURES = 4 };
static void figures_of(long out[FIGURES], const struct run_kernel *k) {
  out[0] = k->registers;
  out[1] = k->smem_static;
  out[2] = spilled(k);
  out[3] = (long)k->n_sass;
}

void before_after_compiled(const struct run *before, const struct run *after, bool json, struct text *out) {
  static const char *const names[FIGURES] = {"registers", "shared", "spills", "SASS"};
  static const char *const units[FIGURES] = {"", "bytes", "bytes", "instructions"};
  static const char *const keys[FIGURES] = {"registers", "smem_bytes", "spill_bytes", "sass"};
  struct table *t = table_new();
  json_t *rows = json_array();
  table_column(t, "compiled", "", "variant", TABLE_LEFT);
  for (int i = 0; i < FIGURES; i++)
    table_column(t, names[i], units[i], keys[i], TABLE_RIGHT);
  for (size_t v = 0; v < after->n_variants; v++) {
    const char *id = after->variants[v].id;
    const struct run_kernel *now = kernel_of(after, id), *then = kernel_of(before, id);
    long is[FIGURES] = {0}, was[FIGURES] = {0};
    if (!now || is_control(&after->variants[v]))
      continue;
    figures_of(is, now);
    figures_of(was, then ? then : now);
    json_t *row = json_pack("{s:s}", "variant", id);
    table_row(t);
    table_cell(t, id, NULL);
    for (int i = 0; i < FIGURES; i++) {
      if (is[i] == was[i])
        table_cellf(t, "%ld", is[i]);
      else
        table_cellf(t, "%ld → %ld", was[i], is[i]);
      json_object_set_new(row, keys[i],
                          json_pack("{s:I, s:I}", "before", (json_int_t)was[i], "after", (json_int_t)is[i]));
    }
    json_array_append_new(rows, row);
  }
  char *dump = json_dumps(rows, JSON_COMPACT);
  if (json)
    text_add(out, dump ? dump : "[]");
  else
    table_term(t, out, cli_width(), cli_colour());
  free(dump);
  json_decref(rows);
  table_free(t);
}
