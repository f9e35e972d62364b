/* The fake driver as the fake CUPTI sees it: asked of the one that the profiler has loaded.  See fake.h. */
#include "fake/fake.h"

#include <dlfcn.h>
#include <stdlib.h>

static size_t address(const char *name) { /* a function's address comes as data */
  const char *path = getenv("NVFP4_LIBCUDA");
  void *driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  return driver ? (size_t)dlsym(driver, name) : 0;
}

size_t fake_driver_launches(struct fake_launch *out, size_t max) {
  __typeof__(&fake_launches_take) take = (__typeof__(take))address("fake_launches_take");
  return take ? take(out, max) : 0;
}

uint64_t fake_driver_blocks(void) {
  __typeof__(&fake_blocks) blocks = (__typeof__(blocks))address("fake_blocks");
  return blocks ? blocks() : 0;
}
