/* --watch: the kernel of a file, measured anew whenever it or a file that it includes is saved. */
#pragma once

#include "kernels/selection.h"
#include "profiler/measure/profile.h"

struct watch_request {
  const struct profile_options *options;
  struct selection_asked asked; /* with a kernel */
  const struct gpu_probe *gpu;  /* NULL: there is none, or arch was asked for: compile only */
  const char *arch;             /* what to compile for where nothing is run */
  const char *device;           /* --device; NULL: the run's own */
  bool json;                    /* one document a save, a line feed between */
};

/* Ends with 0 when profile_interrupted is set.  A file that is wrong or does not compile is complained of on stderr, and watching goes on; only what no
 * edit mends (no NVRTC, no memory) is an error. */
int watch_run(const struct watch_request *request, struct err *e);
