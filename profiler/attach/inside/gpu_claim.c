/* Of the processes on a GPU one is sampled and counted.  Four that sampled one H200 at once (CUPTI 13.0, 2026-11-23) got CUPTI_ERROR_UNKNOWN, and three of
 * them ended.  The name that is bound is of no file: it goes with the process, however that ends. */
#include "profiler/attach/inside/inject.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum claim { UNKNOWN, OURS, ANOTHERS };

/* Where it cannot be told, as if it were the only one. */
static enum claim claim(void) {
  CUdevice device = 0;
  CUuuid bytes;
  char uuid[GPU_UUID_BYTES];
  if (injection.current_device)
    injection.current_device(&device);
  if (!injection.driver.cuDeviceGetUuid_v2 || injection.driver.cuDeviceGetUuid_v2(&bytes, device))
    return OURS;
  gpu_uuid_text(uuid, &bytes);
  struct sockaddr_un name = {.sun_family = AF_UNIX}; /* abstract: its path begins with a NUL */
  int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "nvfp4-prof attach %s", uuid),
      end = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  socklen_t bytes_used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
  if (end < 0 || bind(end, (const struct sockaddr *)&name, bytes_used) == 0)
    return OURS;
  close(end);
  return ANOTHERS;
}

bool gpu_claim(void) {
  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
  static enum claim result;
  pthread_mutex_lock(&once);
  bool first = result == UNKNOWN;
  if (first)
    result = claim();
  bool ours = result == OURS;
  pthread_mutex_unlock(&once);
  if (first && !ours)
    inject_note("another process under attach uses this GPU and is sampled and counted: times alone here");
  return ours;
}
