/* A session over the fake GPU (tests/fake/fake.h) in the test's own process: rungs given as text, made ready, with what the collectors tell the parent kept
 * as lines.  FAKES is the folder of the fake libraries.  A session's end is its process's, so its memory is not given back. */
#pragma once

#include "base/text.h"
#include "profiler/measure/collect.h"
#include "profiler/measure/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weak: scripts/mutate links all unit tests into one program. */
__attribute__((weak)) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "detect_leaks=0";
}

enum { BENCH_TRIALS = 8, BENCH_TOLD = 256, BENCH_LAUNCHES = 4096 };
struct bench {
  struct session s;
  struct profile_options options;
  struct gpu_probe gpu;
  struct pulse pulse;
  struct rung_set set;
  struct problem problem;
  struct run_kernel kernels[4];
  struct run_module module;
  struct compiled compiled;
  struct trial trials[BENCH_TRIALS];
  struct run_result results[BENCH_TRIALS];
  struct ready ready[BENCH_TRIALS];
  struct generic generics[BENCH_TRIALS];
};

static struct {
  char kind;
  long index;
  char *text;
} told[BENCH_TOLD];
static size_t n_told;

static int bench_told(struct session *s, char kind, long index, const char *text) {
  (void)s;
  if (n_told < BENCH_TOLD) {
    told[n_told].kind = kind;
    told[n_told].index = index;
    told[n_told++].text = str_copy(text);
  }
  return 0;
}

/* How often something of that kind was told, of a trial or, by -2, of any. */
static inline size_t told_of(char kind, long index) {
  size_t n = 0;
  for (size_t i = 0; i < n_told; i++)
    n += told[i].kind == kind && (index == -2 || told[i].index == index);
  return n;
}

static inline const char *last_told(char kind) {
  const char *text = NULL;
  for (size_t i = 0; i < n_told; i++)
    if (told[i].kind == kind)
      text = told[i].text;
  return text ? text : "(nothing was told)";
}

/* --- what is launched: the fake's, seen on the way --- */

static struct launched {
  CUlaunchConfig config;
  CUlaunchAttribute attribute;
  unsigned long long args[10]; /* the words that the first ten arguments begin with */
  CUfunction f;
} launched[BENCH_LAUNCHES];
static size_t n_launched, n_args;
static __typeof__(&cuLaunchKernelEx) launch_really;

static CUresult CUDAAPI bench_launch(const CUlaunchConfig *config, CUfunction f, void **args, void **extra) {
  if (n_launched < BENCH_LAUNCHES) {
    struct launched *l = &launched[n_launched++];
    *l = (struct launched){.config = *config, .f = f};
    if (config->numAttrs)
      l->attribute = *config->attrs;
    for (size_t i = 0; i < n_args; i++)
      memcpy(&l->args[i], args[i], sizeof l->args[i]);
  }
  return launch_really(config, f, args, extra);
}

/* --- the session --- */

static inline void bench_libraries(const char *kind) {
  static const char *const files[][2] = {{"NVFP4_LIBCUDA", "libcuda.so.1"},
                                         {"NVFP4_LIBCUPTI", "libcupti.so.13"},
                                         {"NVFP4_LIBNVML", "libnvidia-ml.so.1"},
                                         {"NVFP4_LIBCUBLAS", "libcublas.so.13"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char *path = str_printf(FAKES "/%s/%s", kind, files[i][1]);
    setenv(files[i][0], path, 1);
    free(path);
  }
  unsetenv("NVFP4_FAKE");
}

static const struct rung_chip bench_chip = {
    .sm = 90, .sms = 4, .smem_optin = 232448, .regs_per_sm = 65536, .warps_per_sm = 64, .l2_bytes = 1 << 20};

/* Adds the rungs, a file each, and plans trial i of the i-th; 0, or -1 with what is wrong printed. */
static inline int bench_plan(struct bench *b, const char *const *files, size_t n, struct shape shape) {
  static const unsigned char cubin[] = "a cubin of the tests";
  struct err e = {0};
  n_told = n_launched = 0;
  *b = (struct bench){
      .gpu = {.sm = 90, .sms = 4, .smem_optin = 232448, .l2_bytes = 1 << 20, .clock_max_hz = 1e9, .uuid = "GPU-a0"},
      .kernels = {{.name = str_copy("tail")}, {.name = str_copy("gemv")}}};
  profile_options_default(&b->options);
  for (size_t i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "x/%zu.cu", i);
    if (rung_set_add(&b->set, name, files[i], &e)) {
      print_error("%s\n", e.text);
      return -1;
    }
  }
  if (rung_set_finish(&b->set, &e) || problem_make(&b->problem, shape, INPUTS_DEFAULT, 1, 1, &e)) {
    print_error("%s\n", e.text);
    return -1;
  }
  b->module = (struct run_module){.kernels = b->kernels, .n_kernels = 2};
  b->compiled = (struct compiled){.ok = true, .cubin = (void *)(size_t)cubin, .cubin_bytes = sizeof cubin};
  for (size_t i = 0; i < n; i++) {
    struct trial *t = &b->trials[i];
    struct shape at = shape;
    const struct rung *r = NULL;
    for (size_t k = 0; k < b->set.n; k++)
      if (b->set.rungs[k].source == NULL || strcmp(b->set.rungs[k].source, files[i]) == 0)
        r = &b->set.rungs[k];
    if (!r || (r->generic && rung_sizes(&at, r, &(struct shape){0}, &e)) ||
        rung_plan(&t->plan, r, at, &bench_chip, &e)) {
      print_error("%s\n", e.text);
      return -1;
    }
    t->index = (long)(10 + i);
    t->compiled = &b->compiled;
    t->result = &b->results[i];
    *t->result = (struct run_result){.shape = at, .module = 0};
    if (r->generic) {
      t->problem = b->s.n_generics;
      if (generic_make(&b->generics[b->s.n_generics++], &t->plan, 1, &e)) {
        print_error("%s\n", e.text);
        return -1;
      }
    }
  }
  b->s.options = &b->options;
  b->s.gpu = &b->gpu;
  b->s.pulse = &b->pulse;
  b->s.emit = bench_told;
  b->s.modules = &b->module;
  b->s.generics = b->generics;
  b->s.ready = b->ready;
  return 0;
}

static inline int bench_open(struct bench *b, const char *const *files, size_t n, struct shape shape) {
  struct err e = {0};
  int rc = bench_plan(b, files, n, shape);
  if (!rc)
    rc = session_open(&b->s, &b->compiled, &b->problem, 1, &e);
  if (!rc) {
    launch_really = b->s.driver.cuLaunchKernelEx;
    b->s.driver.cuLaunchKernelEx = bench_launch;
  }
  for (size_t i = 0; i < n && !rc; i++)
    if (!(rc = session_load(&b->s, &b->trials[i], &b->ready[b->s.n_ready], &e)))
      b->s.n_ready++;
  if (rc)
    print_error("%s\n", e.text);
  return rc;
}

static inline const struct run_metric *metric_of(const struct run_result *r, const char *name) {
  for (size_t i = 0; i < r->n_metrics; i++)
    if (strcmp(r->metrics[i].name, name) == 0)
      return &r->metrics[i];
  return NULL;
}
