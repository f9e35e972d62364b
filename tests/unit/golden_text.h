/* tests/golden/small.json as a text, for tests that change it. */
#ifndef TESTS_UNIT_GOLDEN_TEXT_H
#define TESTS_UNIT_GOLDEN_TEXT_H

#include "base/file.h"
#include "run/run.h"

#include <stdlib.h>

#define GOLDEN TEST_SOURCE_DIR "/tests/golden/small.json"

static char *golden;
static size_t n_golden;

static inline int setup(void **state) {
  (void)state;
  struct err e = {0};
  return file_read(GOLDEN, RUN_FILE_MAX, &golden, &n_golden, &e);
}

static inline int teardown(void **state) {
  (void)state;
  free(golden);
  return 0;
}

#endif
