/* CUPTI's PC sampling in continuous mode: kernels are not serialised. */
#pragma once

#include "profiler/cuda/stall_reasons.h"

struct pc_sampling_settings {
  uint32_t exponent; /* an SM takes one sample every 2^exponent cycles */
  bool start_stop;   /* it is started and stopped by calls; else it runs from here on */
  size_t hardware_bytes;
  uint32_t worker_sleep_ms; /* of CUPTI's own threads; 0: as CUPTI has it */
  size_t pcs;               /* of a hand-over; what is left comes with the next */
  size_t left_over_pcs;     /* of what is handed over when sampling ends */
};

struct pc_sampling {
  const struct cupti *cupti; /* NULL: it was never opened */
  CUcontext context;
  bool enabled;
  struct stall_reasons reasons;
  CUpti_PCSamplingData data, left_over;
};

/* ERR_MACHINE where the library lacks a call.  Close and release it, also after failure. */
int pc_sampling_open(struct pc_sampling *out, const struct cupti *c, CUcontext context,
                     const struct pc_sampling_settings *s, struct err *e);
int pc_sampling_start(struct pc_sampling *s, struct err *e);
int pc_sampling_stop(struct pc_sampling *s, struct err *e);
/* Gives what was sampled to `take`, a hand-over at a time; first: the sums of all of them stand in
 * it.  Names of functions are CUPTI's to share among records, so they are not freed. */
typedef int (*pc_sampling_taker)(void *context, const CUpti_PCSamplingData *data, bool first, struct err *e);
int pc_sampling_drain(struct pc_sampling *s, pc_sampling_taker take, void *context, struct err *e);
/* True: CUPTI has put what it still had into left_over. */
bool pc_sampling_close(struct pc_sampling *s);
void pc_sampling_release(struct pc_sampling *s);

/* Whether this process may sample PCs: enables it, and lets go. */
int stalls_available(const struct cupti *c, CUcontext context, int device, struct err *e);
