/* What every user of CUPTI's PC sampling needs: profile's own phase (stalls.c) and attach (profiler/attach/inside/pc_samples.c). */
#ifndef PROFILER_CUDA_PC_SAMPLING_H
#define PROFILER_CUDA_PC_SAMPLING_H

#include "profiler/cuda/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ERR_MACHINE where the library lacks a call of it. */
int pc_sampling_check(const struct cupti *c, struct err *e);

/* Room for so many PCs, each with every reason.  The caller releases, also after failure. */
int pc_data_make(CUpti_PCSamplingData *d, size_t pcs, size_t reasons, struct err *e);
void pc_data_release(CUpti_PCSamplingData *d);

/* Continuous mode: kernels are not serialised. */
struct pc_sampling_settings {
  uint32_t exponent; /* an SM takes one sample every 2^exponent cycles */
  bool start_stop;   /* it is started and stopped by calls; else it runs from here on */
  size_t hardware_bytes;
  uint32_t worker_sleep_ms; /* of CUPTI's own threads; 0: as CUPTI has it */
  CUpti_PCSamplingData *left_over;
};
int pc_sampling_configure(const struct cupti *c, CUcontext context, const struct pc_sampling_settings *s,
                          struct err *e);

#endif
