/* What attach injects (profiler/attach/inside), in a test's own process: its tables, which are filled by hand, and a kernel in them. */
#pragma once

#include "profiler/attach/inside/inject.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The tables as InitializeInjection makes them.  A process has them once: kernels.c remembers what stands in them. */
static inline int tables_begin(void **state) {
  static struct kernel kernels[KERNELS_MAX];
  static struct focus_kernel focus[KERNELS_MAX];
  static struct pending pending[PENDING_MAX];
  (void)state;
  injection.kernels = kernels;
  injection.pending = pending;
  focus_start(&injection.focus, &(struct focus_settings){.coverage = 0.9, .overhead = INFINITY, .top = 100}, focus);
  return 0;
}

static inline struct kernel_key key_of(const char *name, unsigned blocks, unsigned threads) {
  return (struct kernel_key){.name = name, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
}

static inline struct kernel *kernel_named(const char *name) {
  struct kernel_key key = key_of(name, 1, 1);
  return kernel_of(&key, 0);
}
