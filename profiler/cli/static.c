#include "profiler/cli/static.h"
#include "run/device.h"
#include "run/run.h"

#include "analysis/advice/static.h"
#include "base/file.h"
#include "kernels/selection.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/compiled.h"
#include "profiler/compile/compile.h"
#include "profiler/measure/profile.h"
#include "reports/text/static_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char TARGET[] = "sm_100a";

/* sm_100a -> 100; 0: not one. */
static int parse_arch(const char *arch) {
  int sm = 0;
  return sscanf(arch, "sm_%d", &sm) == 1 && sm >= 80 && sm <= 199 ? sm : 0;
}

/* The description that is carried of a chip of this compute capability, else one of which nothing but that is known. */
static int device_of(struct device *d, const char *asked, int sm, struct err *e) {
  char id[DEVICE_ID_MAX];
  if (asked)
    return device_load(d, asked, e);
  for (size_t i = 0; device_id(i, id); i++) {
    int result = device_load(d, id, e);
    if (result || d->sm == sm)
      return result;
    device_release(d);
  }
  *d = (struct device){.sm = sm};
  occupancy_chip(d, sm);
  return 0;
}

/* --- diagnoses of a compiled run --- */

struct codes {
  struct static_code *items;
  size_t n;
};

static int add_result(struct codes *c, const struct run *r, const struct run_result *x, const struct device *d,
                      struct err *e) {
  size_t n = x->n_launches ? x->n_launches : 1;
  struct static_code *grown = realloc(c->items, (c->n + n) * sizeof *grown);
  if (!grown)
    return err_nomem(e, "static diagnoses");
  c->items = grown;
  for (size_t i = 0; i < n; i++) {
    int result = static_code_make(&c->items[c->n++], r, x, x->n_launches ? &x->launches[i] : NULL, d, e);
    if (result)
      return err_context(e, "%s", r->variants[x->variant].id);
  }
  return 0;
}

static bool shown(const struct run *r, size_t i, const struct static_show *show) {
  const struct run_result *x = &r->results[i];
  const char *file = r->variants[x->variant].file;
  if (show->source && (!file || strcmp(file, show->source) != 0))
    return false;
  return !show->first || i == 0 || r->results[i - 1].variant != x->variant;
}

int static_add(const struct run *r, const struct static_show *show, struct text *out, struct err *e) {
  struct codes c = {0};
  struct device d = {0};
  int sm = r->n_modules ? parse_arch(r->modules[0].arch) : 0;
  int result = device_of(&d, show->device, sm, e);
  for (size_t i = 0; i < r->n_results && !result; i++)
    if (r->results[i].module >= 0 && shown(r, i, show))
      result = add_result(&c, r, &r->results[i], &d, e);
  for (size_t i = 0; i < c.n && !result && !show->json; i++) {
    text_add(out, i ? "\n\n" : "");
    report_code_term(&c.items[i], out, cli_width(), cli_colour());
  }
  if (!result && show->json)
    report_code_json(c.items, c.n, out);
  for (size_t i = 0; i < c.n; i++)
    static_code_release(&c.items[i]);
  free(c.items);
  device_release(&d);
  return result;
}

/* --- rungs, compiled here --- */

/* What has no diagnosis, on stderr; returns how many of these are failures. */
static size_t report_missing(const struct run *r) {
  size_t failed = 0;
  for (size_t i = 0; i < r->n_results; i++) {
    const struct run_result *x = &r->results[i];
    if (x->module >= 0 || (i && r->results[i - 1].variant == x->variant))
      continue;
    failed += x->check.verdict == VERDICT_FAILED;
    fprintf(stderr, "nvfp4-prof: %s: %s\n", r->variants[x->variant].id,
            x->check.reason ? x->check.reason : "nothing was compiled");
  }
  return failed;
}

static int diagnose_rungs(const struct static_asked *q, struct text *out, struct err *e) {
  struct selection_asked asked = {q->kernels, q->kernel, q->variants, q->shapes};
  struct static_show show = {
      .source = q->variants ? NULL : q->kernel, .device = q->device, .first = !q->shapes, .json = q->json};
  struct profile_options options;
  struct selection s = {0};
  struct run run = {0};
  size_t failed = 0;
  profile_options_default(&options);
  options.progress = cli_progress;
  int result = selection_load(&s, &asked, e);
  if (!result)
    result = compiled_run(&options, &s, q->target ? q->target : TARGET, &run, e);
  cli_progress_end();
  if (!result) {
    failed = report_missing(&run);
    result = static_add(&run, &show, out, e);
  }
  run_release(&run);
  selection_release(&s);
  return result ? result : failed ? EXIT_VARIANTS : EXIT_DONE;
}

/* --- a file that someone else compiled --- */

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n > m && strcmp(s + n - m, end) == 0;
}

static int read_module(const struct static_asked *q, struct run_module *m, struct err *e) {
  enum { CODE_FILE_MAX = 64 << 20 };
  char *data = NULL;
  size_t n = 0;
  int result = file_read(q->file, CODE_FILE_MAX, &data, &n, e);
  if (!result && ends_with(q->file, ".ptx"))
    result = ptx_module(m, q->file, data, n, q->target, e);
  else if (!result)
    result = cubin_module(m, q->file, data, n, e);
  free(data);
  if (!result && q->target && parse_arch(q->target) != parse_arch(m->arch))
    result = err_set(e, ERR_USAGE, "--target %s: %s holds code of %s, and code is not translated", q->target, q->file,
                     m->arch);
  return result;
}

/* The kernel that --entry names, or the only one. */
static int find_entry(const struct static_asked *q, const struct run_module *m, size_t *at, struct err *e) {
  struct text names = {0};
  int result = 0;
  *at = m->n_kernels;
  for (size_t i = 0; i < m->n_kernels; i++) {
    text_printf(&names, "%s%s", i ? ", " : "", m->kernels[i].name);
    if (q->entry ? strcmp(m->kernels[i].name, q->entry) == 0 : m->n_kernels == 1)
      *at = i;
  }
  if (*at == m->n_kernels && q->entry)
    result = err_set(e, ERR_USAGE, "--entry %s: %s has %s", q->entry, q->file, text_str(&names));
  else if (*at == m->n_kernels)
    result =
        err_set(e, ERR_USAGE, "%s has several kernels, so --entry NAME must say which: %s", q->file, text_str(&names));
  text_release(&names);
  return result;
}

/* A run that holds one variant and one result: the kernel of the file. */
static int describe_file(const struct static_asked *q, struct run *run, struct err *e) {
  run->modules = calloc(1, sizeof *run->modules);
  run->variants = calloc(1, sizeof *run->variants);
  run->results = calloc(1, sizeof *run->results);
  if (!run->modules || !run->variants || !run->results)
    return err_nomem(e, "a run");
  run->n_modules = run->n_variants = run->n_results = 1;
  size_t at = 0;
  int result = read_module(q, run->modules, e);
  if (!result)
    result = find_entry(q, run->modules, &at, e);
  if (result)
    return result;
  struct run_module *m = run->modules;
  struct run_kernel first = m->kernels[0]; /* the first stands for a result whose launches are not known */
  m->kernels[0] = m->kernels[at];
  m->kernels[at] = first;
  run->variants[0].id = str_copy(q->file);
  if (!run->variants[0].id)
    return err_nomem(e, "a run");
  if (!q->block)
    return 0;
  struct run_launch *l = calloc(1, sizeof *l);
  if (!l)
    return err_nomem(e, "a launch");
  run->results[0].launches = l;
  run->results[0].n_launches = 1;
  *l = (struct run_launch){.kernel = str_copy(m->kernels[0].name),
                           .grid = {(unsigned)q->grid, q->grid > 0, q->grid > 0},
                           .block = {(unsigned)q->block, 1, 1},
                           .smem_static = m->kernels[0].smem_static,
                           .smem_dynamic = q->smem,
                           .registers = m->kernels[0].registers};
  return l->kernel ? 0 : err_nomem(e, "a launch");
}

static int diagnose_file(const struct static_asked *q, struct text *out, struct err *e) {
  struct run run = {0};
  struct static_show show = {.device = q->device, .json = q->json};
  int result = describe_file(q, &run, e);
  if (!result)
    result = static_add(&run, &show, out, e);
  run_release(&run);
  return result;
}

int static_command(const struct static_asked *q, struct err *e) {
  struct text out = {0};
  if (q->file && (q->variants || q->kernel || q->shapes))
    return err_set(e, ERR_USAGE, "--static takes a file, or --variant and --shape, not both");
  if (!q->file && (q->entry || q->block || q->grid || q->smem))
    return err_set(e, ERR_USAGE, "--entry, --block, --grid and --smem are of a file: diagnose --static FILE.cubin");
  if (!q->file && !q->variants && !q->kernel)
    return err_set(e, ERR_USAGE, "--static of what? --variant ID, --kernel FILE.cu, FILE.cubin or FILE.ptx");
  if (!q->block && (q->grid || q->smem))
    return err_set(e, ERR_USAGE, "--grid and --smem need the threads of a block: --block N");
  int result = q->file ? diagnose_file(q, &out, e) : diagnose_rungs(q, &out, e);
  int printed = result < 0 ? 0 : cli_print(&out, e);
  text_release(&out);
  return printed ? printed : result;
}
