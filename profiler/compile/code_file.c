#include "profiler/compile/code_file.h"

#include "base/array.h"
#include "base/cxx_name.h"
#include "base/demangle.h"
#include "base/file.h"
#include "base/text.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/library.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* sm_100a -> 100; 0: not one. */
static int chip_of(const char *arch) {
  int sm = 0;
  return sscanf(arch, "sm_%d", &sm) == 1 ? sm : 0;
}

/* By NVRTC, headers beside the file included; host code, which NVRTC refuses, by nvcc. */
static int compile_source(const struct code_file *q, const char *text, size_t n, struct run_module *m, struct err *e) {
  struct rung_set no_rungs = {0};
  struct compile_settings settings = {.arch = q->target, .set = &no_rungs, .processes = 1, .sass = true};
  struct compile_unit unit = {.name = q->path, .source = text};
  struct compiled c = {0};
  struct compile_tools tools;
  char nvcc[LIBRARY_PATH_MAX];
  struct err nowhere = {0};
  int rc = compile_all(&settings, &unit, 1, &c, &tools, e);
  bool refused = !rc && !c.ok && c.error && strstr(c.error, "NVRTC_ERROR_COMPILATION");
  if (refused && program_find(nvcc, "nvcc", &nowhere) == 0)
    rc = nvcc_module(m, q->path, n, q->target, e);
  else if (refused)
    rc = err_set(e, ERR_COMPILE,
                 "%s does not compile by NVRTC, which takes device code alone, and there is no nvcc (NVFP4_NVCC names "
                 "one); where there is: nvcc -cubin -lineinfo -arch=%s %s, then diagnose the .cubin\n%s",
                 q->path, q->target, q->path, c.error);
  else if (!rc && !c.ok)
    rc = err_set(e, ERR_COMPILE, "%s", c.error ? c.error : q->path);
  else if (!rc) {
    *m = c.module;
    c.module = (struct run_module){0};
  }
  compiled_release(&c);
  return rc;
}

static int read_module(const struct code_file *q, struct run_module *m, struct err *e) {
  enum { CODE_FILE_MAX = 64 << 20 };
  char *data = NULL;
  size_t n = 0;
  int rc = file_read(q->path, CODE_FILE_MAX, &data, &n, e);
  if (!rc && str_ends(q->path, ".ptx"))
    rc = ptx_module(m, q->path, data, n, q->target, e);
  else if (!rc && (str_ends(q->path, ".cu") || str_ends(q->path, ".cuh")))
    rc = compile_source(q, data, n, m, e);
  else if (!rc)
    rc = cubin_module(m, q->path, data, n, e);
  free(data);
  if (!rc && q->target && chip_of(q->target) != chip_of(m->arch))
    rc = err_set(e, ERR_USAGE, "--target %s: %s holds code for %s, which cannot be translated", q->target, q->path,
                 m->arch);
  return rc;
}

/* "ns::f<int>" of a mangled name, else the name; the caller's to free. */
static char *written_name(const char *mangled) {
  size_t n = 0;
  const char *rest;
  char *whole = demangle(mangled);
  const char *bare = cxx_bare(whole, &n, &rest);
  char *name = strndup(bare, n);
  free(whole);
  return name;
}

/* Whether --entry is a kernel's name as the compiler or as its author wrote it, with or without
 * template arguments; it may be a glob. */
static bool is_asked(const char *entry, const char *mangled, const char *written) {
  char function[256];
  snprintf(function, sizeof function, "%.*s", (int)strcspn(written, "<"), written);
  return !entry || strcmp(entry, mangled) == 0 || fnmatch(entry, written, 0) == 0 || fnmatch(entry, function, 0) == 0;
}

static int refuse_entry(const struct code_file *q, char *const *written, size_t n, struct err *e) {
  struct text names = {0};
  for (size_t i = 0; i < n; i++)
    text_printf(&names, "%s%s", i ? ", " : "", written[i]);
  int rc = err_set(e, ERR_USAGE, "--entry %s: %s has %s", q->entry, q->path, text_str(&names));
  text_release(&names);
  return rc;
}

static void launch_add(struct run_result *r, const struct code_file *q, const struct run_kernel *k) {
  struct run_launch *l = array_add(&r->launches, &r->n_launches, sizeof *l);
  *l = (struct run_launch){.kernel = str_copy(k->name),
                           .grid = {(unsigned)q->grid, q->grid > 0, q->grid > 0},
                           .block = {(unsigned)q->block, 1, 1},
                           .smem_static = k->smem_static,
                           .smem_dynamic = q->smem,
                           .registers = k->registers};
}

/* A module, a variant and a result of one kernel, which it takes. */
static void kernel_add(struct run *run, const struct code_file *q, const char *arch, struct run_kernel *k,
                       const char *id) {
  struct run_module *m = &run->modules[run->n_modules++];
  struct run_variant *v = &run->variants[run->n_variants++];
  struct run_result *r = &run->results[run->n_results++];
  r->variant = r->module = (int)run->n_modules - 1;
  m->arch = str_copy(arch);
  m->kernels = calloc(1, sizeof *m->kernels);
  v->id = str_copy(id);
  m->kernels[m->n_kernels++] = *k;
  *k = (struct run_kernel){0};
  if (q->block)
    launch_add(r, q, &m->kernels[0]);
}

static int kernels_add(struct run *run, const struct code_file *q, struct run_module *all, char **written,
                       struct err *e) {
  for (size_t i = 0; i < all->n_kernels; i++)
    written[i] = written_name(all->kernels[i].name);
  for (size_t i = 0; i < all->n_kernels; i++)
    if (is_asked(q->entry, all->kernels[i].name, written[i])) {
      bool alone = all->n_kernels == 1 && strcmp(written[i], all->kernels[i].name) == 0;
      kernel_add(run, q, all->arch, &all->kernels[i], alone ? q->path : written[i]);
    }
  return run->n_results ? 0 : refuse_entry(q, written, all->n_kernels, e);
}

int code_file_read(struct run *run, const struct code_file *q, struct err *e) {
  struct run_module all = {0};
  int rc = read_module(q, &all, e);
  size_t n = all.n_kernels;
  char **written = calloc(n + 1, sizeof *written);
  run->modules = calloc(n + 1, sizeof *run->modules);
  run->variants = calloc(n + 1, sizeof *run->variants);
  run->results = calloc(n + 1, sizeof *run->results);
  if (!rc)
    rc = kernels_add(run, q, &all, written, e);
  array_free(written, n);
  run_module_release(&all);
  return rc;
}
