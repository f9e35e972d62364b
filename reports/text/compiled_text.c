#include "reports/text/compiled_text.h"

#include "base/table.h"
#include "reports/text/put_json.h"

#include <stdio.h>
#include <string.h>

const struct run_kernel *compiled_kernel(const struct run *r, const struct run_result *result) {
  if (result->module < 0)
    return NULL;
  const struct run_module *m = &r->modules[result->module];
  const char *step = run_variant_key(&r->variants[result->variant], "step");
  const char *at = step ? strstr(step, "kernel") : NULL;
  char name[128] = "";
  if (at)
    sscanf(at, "kernel = %127[A-Za-z0-9_]", name); /* blanks there match any number of them */
  for (size_t i = 0; i < m->n_kernels; i++)
    if (strcmp(m->kernels[i].name, name) == 0)
      return &m->kernels[i];
  return m->n_kernels ? m->kernels : NULL;
}

static long spilled(const struct run_kernel *k) {
  return k->spill_store_bytes > 0 ? k->spill_store_bytes + k->spill_load_bytes : 0;
}

void report_compiled_term(const struct run *run, struct text *out, int width, bool colour) {
  struct table *t = table_new();
  table_column(t, "compiled", "", "variant", TABLE_LEFT);
  table_column(t, "way", "", "path", TABLE_LEFT);
  table_column(t, "registers", "", "registers", TABLE_RIGHT);
  table_column(t, "shared", "bytes", "smem_bytes", TABLE_RIGHT);
  table_drop(t, 2);
  table_column(t, "spills", "bytes", "spill_bytes", TABLE_RIGHT);
  table_column(t, "SASS", "instructions", "sass", TABLE_RIGHT);
  table_drop(t, 1);
  for (size_t i = 0; i < run->n_results; i++) {
    const struct run_result *r = &run->results[i];
    if (i && run->results[i - 1].variant == r->variant)
      continue; /* one row a variant: the first shape's */
    table_row(t);
    table_cell(t, run->variants[r->variant].id, NULL);
    table_cell(t, r->path ? r->path : "", NULL);
    const struct run_kernel *k = compiled_kernel(run, r);
    if (!k) {
      char first_line[160];
      const char *why = r->check.reason ? r->check.reason : "";
      snprintf(first_line, sizeof first_line, "%.*s", (int)strcspn(why, "\n"), why);
      table_cell(t, "", NULL);
      table_cell(t, "", NULL);
      table_cell(t, "", NULL);
      table_cell(t, first_line, NULL);
      table_style(t, 'b');
      continue;
    }
    table_cellf(t, "%d", k->registers);
    table_cellf(t, "%ld", k->smem_static);
    table_cellf(t, "%ld", spilled(k));
    if (k->n_sass)
      table_cellf(t, "%zu", k->n_sass);
    else
      table_cell(t, "", NULL);
  }
  table_term(t, out, width, colour);
  table_free(t);
}

static json_t *row_json(const struct run *run, const struct run_result *r) {
  const struct run_kernel *k = compiled_kernel(run, r);
  json_t *o = json_pack("{s:s}", "variant", run->variants[r->variant].id);

  json_object_set_new(o, "path", text_json(r->path));
  json_object_set_new(o, "registers", k ? json_integer(k->registers) : json_null());
  json_object_set_new(o, "smem_bytes", k ? json_integer(k->smem_static) : json_null());
  json_object_set_new(o, "spill_bytes", k ? json_integer(spilled(k)) : json_null());
  json_object_set_new(o, "sass", k && k->n_sass ? json_integer((json_int_t)k->n_sass) : json_null());
  if (!k)
    json_object_set_new(o, "reason", text_json(r->check.reason));
  return o;
}

void report_compiled_json(const struct run *run, const char *arch, struct text *out) {
  json_t *rows = json_array();

  for (size_t i = 0; i < run->n_results; i++)
    if (!i || run->results[i - 1].variant != run->results[i].variant)
      json_array_append_new(rows, row_json(run, &run->results[i]));
  put_json(json_pack("{s:s, s:s, s:o, s:o}", "schema", "nvfp4-prof/compiled/1", "arch", arch, "nvrtc",
                     text_json(run->device.nvrtc), "variants", rows),
           out);
}
