/* The fake CUPTI, loaded anew for each test, which may put a function of its own in place of one of its calls.  FAKES is the folder of the fake libraries. */
#pragma once

#include "profiler/cuda/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct cupti cupti;
static struct err e;

static inline void load(void) {
  free(cupti.missing);
  unsetenv("NVFP4_FAKE");
  e = (struct err){0};
  if (cupti_load(&cupti, &e))
    fail_msg("%s", e.text);
}

static inline int open_all(void **state) {
  (void)state;
  setenv("NVFP4_LIBCUDA", FAKES "/whole/libcuda.so.1", 1);
  setenv("NVFP4_LIBCUPTI", FAKES "/whole/libcupti.so.13", 1);
  return 0;
}

static inline int close_all(void **state) {
  (void)state;
  free(cupti.missing);
  return 0;
}
