#include "profiler/compile/code_file.h"

#include "base/file.h"
#include "base/text.h"
#include "profiler/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sm_100a -> 100; 0: not one. */
static int chip_of(const char *arch) {
  int sm = 0;
  return sscanf(arch, "sm_%d", &sm) == 1 ? sm : 0;
}

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n > m && strcmp(s + n - m, end) == 0;
}

static int read_module(const struct code_file *q, struct run_module *m, struct err *e) {
  enum { CODE_FILE_MAX = 64 << 20 };
  char *data = NULL;
  size_t n = 0;
  int result = file_read(q->path, CODE_FILE_MAX, &data, &n, e);
  if (!result && ends_with(q->path, ".ptx"))
    result = ptx_module(m, q->path, data, n, q->target, e);
  else if (!result)
    result = cubin_module(m, q->path, data, n, NULL, e);
  free(data);
  if (!result && q->target && chip_of(q->target) != chip_of(m->arch))
    result = err_set(e, ERR_USAGE, "--target %s: %s holds code of %s, and code is not translated", q->target, q->path,
                     m->arch);
  return result;
}

/* The kernel that --entry names, or the only one. */
static int find_entry(const struct code_file *q, const struct run_module *m, size_t *at, struct err *e) {
  struct text names = {0};
  int result = 0;
  *at = m->n_kernels;
  for (size_t i = 0; i < m->n_kernels; i++) {
    text_printf(&names, "%s%s", i ? ", " : "", m->kernels[i].name);
    if (q->entry ? strcmp(m->kernels[i].name, q->entry) == 0 : m->n_kernels == 1)
      *at = i;
  }
  if (*at == m->n_kernels && q->entry)
    result = err_set(e, ERR_USAGE, "--entry %s: %s has %s", q->entry, q->path, text_str(&names));
  else if (*at == m->n_kernels)
    result =
        err_set(e, ERR_USAGE, "%s has several kernels, so --entry NAME must say which: %s", q->path, text_str(&names));
  text_release(&names);
  return result;
}

/* A run that holds one variant and one result: the kernel of the file. */
int code_file_read(struct run *run, const struct code_file *q, struct err *e) {
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
  run->variants[0].id = str_copy(q->path);
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
