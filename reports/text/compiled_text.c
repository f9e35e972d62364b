#include "reports/text/compiled_text.h"

#include "base/table.h"
#include "reports/words/put_json.h"
#include "reports/words/wrap.h"

#include <math.h>
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

static void add_notes(const struct run *run, struct text *out, int width) {
  if (run->n_notes)
    text_add(out, "\nNotes\n");
  for (size_t i = 0; i < run->n_notes; i++)
    wrap_item(&(struct wrap_list){out, width, 4}, run->notes[i]);
}

void report_compiled_term(const struct run *run, struct text *out, int width, bool colour) {
  struct table *t = table_of("compiled =variant | way =path | >registers | >shared [bytes] =smem_bytes -2 | "
                             ">spills [bytes] =spill_bytes | >SASS [instructions] =sass -1");
  for (size_t i = 0; i < run->n_results; i++) {
    const struct run_result *r = &run->results[i];
    if (i && run->results[i - 1].variant == r->variant)
      continue; /* one row a variant: the first shape's */
    const char *id = run->variants[r->variant].id;
    const struct run_kernel *k = compiled_kernel(run, r);
    if (!k) {
      char first_line[160];
      const char *why = r->check.reason ? r->check.reason : "";
      snprintf(first_line, sizeof first_line, "%.*s", (int)strcspn(why, "\n"), why);
      table_line(t, "s s s s s s", id, r->path, NULL, NULL, NULL, first_line);
      table_style(t, 'b');
      continue;
    }
    table_line(t, "s s d %.0f %.0f %.0f", id, r->path, k->registers, (double)k->smem_static, (double)spilled(k),
               k->n_sass ? (double)run_kernel_instructions(k) : NAN);
  }
  table_print(t, out, width, colour);
  add_notes(run, out, width);
}

static json_t *row_json(const struct run *run, const struct run_result *r) {
  const struct run_kernel *k = compiled_kernel(run, r);
  json_t *o = json_of("variant:s", run->variants[r->variant].id);
  members_set(o, "path:s registers:o smem_bytes:o spill_bytes:o sass:o", r->path,
              k ? json_integer(k->registers) : json_null(), k ? json_integer(k->smem_static) : json_null(),
              k ? json_integer(spilled(k)) : json_null(),
              k && k->n_sass ? json_integer((json_int_t)run_kernel_instructions(k)) : json_null());
  if (!k)
    json_object_set_new(o, "reason", text_json(r->check.reason));
  return o;
}

void report_compiled_json(const struct run *run, const char *arch, struct text *out) {
  json_t *rows = json_array();
  for (size_t i = 0; i < run->n_results; i++)
    if (!i || run->results[i - 1].variant != run->results[i].variant)
      json_array_append_new(rows, row_json(run, &run->results[i]));
  put_json(json_of("schema:s arch:s nvrtc:s variants:o", "nvfp4-prof/compiled/1", arch, run->device.nvrtc, rows), out);
}
