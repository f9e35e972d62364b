/* What this machine's GPU is, asked in a process of its own, so that the caller never touches CUDA. */
#pragma once

#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>
#include <sys/types.h>

/* CUPTI's, a row each. */
enum { GPU_INSTRUMENTS = 3 };
struct cupti;
struct CUctx_st; /* what a CUcontext points to */
struct gpu_instrument {
  const char *name, *works; /* works: what it is good for, as a sentence */
  int (*available)(const struct cupti *c, struct CUctx_st *context, int device, struct err *e);
};
extern const struct gpu_instrument gpu_instruments[GPU_INSTRUMENTS];

struct gpu_probe {
  bool found;
  struct err why;      /* !found: what is missing */
  char cuda_path[512]; /* the driver library that was loaded */
  char cupti_path[512];
  char cupti_error[1024];   /* "": CUPTI is there */
  char cupti_missing[1024]; /* optional symbols that it lacks */
  char nvml_error[1024];
  char instrument_errors[GPU_INSTRUMENTS][1024]; /* "": it can be used (only asked where probe_counters) */
  char name[128], uuid[48], uuid_hash[17], chip[32], driver[64], cuda_driver[32], cupti[32];
  int index, count; /* this device; devices in all */
  int sm, sms, warps_per_sm, memory_bus_bits;
  long regs_per_sm, smem_per_sm, smem_optin;
  double l2_bytes, memory_bytes, clock_max_hz, memory_clock_hz;
};
/* Always fills *out; ERR_USAGE where `which` names no device of this machine, ERR_MACHINE where there is none at all. */
int gpu_probe(struct gpu_probe *out, const char *which, bool probe_counters, struct err *e);
/* The same in two halves, between which the caller has other things to do.  gpu_probe_drop ends it where the answer is not wanted any more. */
struct gpu_probing {
  struct gpu_probe *shared; /* NULL: it does not run */
  pid_t child;
};
int gpu_probe_start(struct gpu_probing *p, const char *which, bool probe_counters, struct err *e);
int gpu_probe_end(struct gpu_probing *p, struct gpu_probe *out, struct err *e);
void gpu_probe_drop(struct gpu_probing *p);

/* As a run describes its device; what of it could not be copied is NULL. */
void gpu_probe_device(struct run_device *d, const struct gpu_probe *p);
