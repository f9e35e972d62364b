/* A device file.  What is taken has names, and curves of equal lengths. */
#include "fuzz/fuzz.h"

#include "run/device.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int load(struct device *d, const char *text, size_t n, struct err *e) {
  char path[64];
  int fd = memfd_create("device", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  fuzz_require(fd >= 0 && write(fd, text, n) == (ssize_t)n);
  int rc = fuzz_checked(device_load(d, path, e), e);
  close(fd);
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  struct device d;
  struct err e = {0};
  if (load(&d, text, n, &e) == 0) {
    fuzz_require(d.id && d.name && d.arch);
    for (size_t i = 0; i < d.n_curves; i++)
      fuzz_require(d.curves[i].n_x == d.curves[i].n_y);
    device_names(&d, "NVIDIA H200");
    device_release(&d);
  }
  free(text);
  return 0;
}
