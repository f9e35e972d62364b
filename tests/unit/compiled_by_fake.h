/* The fake NVRTC and a folder of the test's own, with a cache in it.  FAKES is the folder of the fake libraries. */
#pragma once

#include "base/file.h"
#include "base/text.h"
#include "profiler/compile/compile.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own_folder[512], own_cache[600];

static inline int own_remove(const char *path, const struct stat *st, int kind, struct FTW *place) {
  (void)st, (void)kind, (void)place;
  return remove(path);
}

/* A cache that is empty. */
static inline void own_cache_clear(void) {
  nftw(own_cache, own_remove, 16, FTW_DEPTH | FTW_PHYS);
  file_mkdirs_mode(own_cache, 0700, NULL);
}

static inline int own_open(void **state) {
  const char *temporary = getenv("TMPDIR");
  (void)state;
  setenv("NVFP4_LIBNVRTC", FAKES "/whole/libnvrtc.so.13", 1);
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1);
  unsetenv("NVFP4_FAKE");
  snprintf(own_folder, sizeof own_folder, "%s/nvfp4-test.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (!mkdtemp(own_folder))
    return -1;
  snprintf(own_cache, sizeof own_cache, "%s/cache", own_folder);
  setenv("NVFP4_CACHE", own_cache, 1);
  own_cache_clear();
  return 0;
}

static inline int own_close(void **state) {
  (void)state;
  return nftw(own_folder, own_remove, 16, FTW_DEPTH | FTW_PHYS);
}
