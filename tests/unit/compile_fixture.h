/* What the tests of profiler/compile share: the shipped rungs, a cache folder of their own (or the one that NVFP4_TEST_CACHE names, which
 * stays), and whether NVRTC is here. */
#ifndef TESTS_COMPILE_FIXTURE_H
#define TESTS_COMPILE_FIXTURE_H

#include "base/text.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIXTURE_PATH_SIZE = 4096 };

static struct fixture {
  bool nvrtc_here;
  struct err why; /* !nvrtc_here */
  struct rung_set set;
  char cache[FIXTURE_PATH_SIZE];
  bool cache_stays;
} fixture;

/* What nvdisasm says of the same code it is asked once where NVFP4_TEST_SASS names a folder (tests/tools/nvdisasm). */
static inline void fixture_nvdisasm(void) {
  char program[LIBRARY_PATH_MAX];
  struct err e = {0};
  if (!getenv("NVFP4_TEST_SASS") || program_find(program, "nvdisasm", &e))
    return;
  setenv("NVFP4_TEST_NVDISASM", program, 1);
  setenv("NVFP4_NVDISASM", TEST_SOURCE_DIR "/tests/tools/nvdisasm", 1);
}

static inline int fixture_open(void **state) {
  (void)state;
  struct nvrtc *n = calloc(1, sizeof *n);
  struct err e = {0};
  const char *temporary = getenv("TMPDIR"), *shared = getenv("NVFP4_TEST_CACHE");
  if (!n)
    return -1;
  fixture_nvdisasm();
  fixture.nvrtc_here = nvrtc_load(n, &fixture.why) == 0;
  free(n);
  if (rung_set_load(&fixture.set, NULL, &e))
    fail_msg("%s", e.text);
  if (shared && *shared) {
    fixture.cache_stays = true;
    snprintf(fixture.cache, sizeof fixture.cache, "%s", shared);
    return 0;
  }
  snprintf(fixture.cache, sizeof fixture.cache, "%s/nvfp4-test-compile.XXXXXX",
           temporary && *temporary ? temporary : "/tmp");
  return mkdtemp(fixture.cache) ? 0 : -1;
}

static inline int fixture_remove_one(const char *path, const struct stat *st, int kind, struct FTW *place) {
  (void)st, (void)kind, (void)place;
  return remove(path);
}

static inline int fixture_close(void **state) {
  (void)state;
  rung_set_release(&fixture.set);
  return fixture.cache_stays ? 0 : nftw(fixture.cache, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void need_nvrtc(void) {
  if (!fixture.nvrtc_here) {
    print_message("SKIPPED, nothing is compiled: %s\n", fixture.why.text);
    skip();
  }
}

static inline void need_nvdisasm(void) {
  need_nvrtc();
  char program[LIBRARY_PATH_MAX];
  struct err e = {0};
  if (program_find(program, "nvdisasm", &e)) {
    print_message("SKIPPED, no SASS is read: %s\n", e.text);
    skip();
  }
}

#endif
