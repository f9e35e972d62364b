/* The worker: one process that does the GPU work in one context, started before any CUDA call and started again without the culprit when a
 * kernel takes it down or hangs. */
#pragma once

#include "profiler/measure/session.h"

struct measuring_plan {
  const struct profile_options *options;
  const struct gpu_probe *gpu;
  const struct compiled *own; /* session_own_unit */
  const struct problem *problems;
  size_t n_problems;
  const struct generic *generics; /* the problems of generic rungs */
  size_t n_generics;
  struct trial *trials;
  size_t n_trials;
  struct run *run; /* its results are filled in, its notes grow */
};

/* Runs every phase over every trial that is not dead.  Each result is in place when this returns; ERR_MACHINE or ERR_GPU where the device cannot be used
 * at all.  An interruption (profile_interrupted) is no error: the run is marked partial. */
int worker_run(struct measuring_plan *plan, struct err *e);
