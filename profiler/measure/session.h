/* A session: one CUDA context with the problem's buffers, the modules and the launches.  It lives
 * in the worker process only. */
#pragma once

#include "kernels/generic.h"
#include "kernels/rung.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/library.h"
#include "profiler/measure/profile.h"
#include "run/run.h"

#include <stdatomic.h>

struct trial { /* a variant at a shape; planned by the parent, run by the worker */
  struct rung_plan plan;
  long index;                      /* into the run's results */
  size_t problem;                  /* index; of a generic rung among the session's generics */
  const struct compiled *compiled; /* NULL: nothing to run */
  struct run_result *result;       /* the parent's and, after the fork, the worker's own copy */
  bool checked, dead;              /* dead: failed, not to be run any more */
  bool without[PROFILE_PHASES];    /* took the worker down in this phase, which goes on without it */
};

/* Shared between worker and parent: what is being run, and a sign of life. */
struct pulse {
  _Atomic long trial; /* index; -1: none */
  _Atomic unsigned long beats;
  _Atomic size_t done, total;
  _Atomic int at; /* enum profile_phase; -1: the worker is starting */
  char phase[32];
};

struct device_shape { /* a problem's arrays on the device */
  CUdeviceptr a, b, sfa, sfb, sfa_blocked, sfb_blocked;
  CUdeviceptr c; /* lies between two guards */
  size_t c_bytes;
};

struct device_arrays {       /* of a generic problem; each lies between two guards */
  CUdeviceptr *at, *initial; /* one an array; initial: a copy to put it back from, 0 where nothing does */
};

struct ready { /* a trial with everything on the device */
  struct trial *trial;
  const struct device_shape *shape;   /* NULL for a generic rung */
  const struct device_arrays *arrays; /* NULL for the GEMV */
  CUfunction reference;               /* NULL: none */
  CUmodule module;
  CUfunction *steps, *resets; /* plan.n_steps, plan.n_resets (NULL where a step is a call or a reset is a fill) */
  void **calls;               /* plan.n_steps: what host_prepare made for a call */
  size_t step_kernels;        /* that the steps launch; 0 where a library decides it and nobody has counted yet */
  CUdeviceptr *scratch;       /* plan.n_scratch */
  CUtensorMap *tensormaps;    /* plan.n_tensormaps */
};

struct host; /* the libraries that steps call: profiler/measure/host.h */

struct session {
  const struct profile_options *options;
  const struct gpu_probe *gpu;
  struct driver driver;
  struct cupti cupti;
  bool has_cupti;
  struct err cupti_error;
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUmodule own_module; /* the flush and the empty kernels */
  CUfunction flush_read;
  CUdeviceptr flush_buffer;
  size_t flush_bytes;
  struct device_shape *shapes; /* one a problem */
  const struct problem *problems;
  size_t n_problems;
  const struct run_module *modules; /* the run's, by which results name their kernels */
  const struct generic *generics;   /* as the caller set them before session_open */
  size_t n_generics;
  struct device_arrays *arrays; /* one a generic */
  struct host *host;            /* NULL: no trial has asked for one */
  struct ready *ready;          /* live trials only */
  size_t n_ready;
  struct pulse *pulse;
  /* Tells the parent. */
  int (*emit)(struct session *s, char kind, long trial, const char *text);
  int pipe;
};

/* Opens the device and uploads the problems; the process's end is its close. */
int session_open(struct session *s, const struct compiled *own, const struct problem *problems, size_t n,
                 struct err *e);
/* Loads one trial and runs its setups.  An error is the trial's; ERR_MACHINE: this machine lacks
 * what it asks for, so it is skipped. */
int session_load(struct session *s, struct trial *trial, struct ready *out, struct err *e);

/* Queues the resets, then the flush by the L2 policy: everything before the measured range. */
int session_prepare(struct session *s, const struct ready *r, struct err *e);
/* Queues the flush alone. */
int session_flush(struct session *s, struct err *e);
/* Queues the steps: the measured range. */
int session_launch(struct session *s, const struct ready *r, struct err *e);
/* A buffer by its name in the front matter; 0: there is none. */
CUdeviceptr session_buffer(const struct ready *r, const char *name);
size_t buffers_bytes(const struct ready *r, const char *name);
/* Puts a problem on the device; without blocked scales, for which only a rung that asks pays. */
int buffers_upload(struct session *s, struct device_shape *d, const struct problem *p, struct err *e);
int buffers_need_blocked(struct session *s, size_t problem, struct err *e);
struct session_grid {
  const unsigned *grid, *block, *cluster; /* of three; cluster[0] 0: none */
  unsigned smem;                          /* dynamic, bytes */
};
/* Queues one kernel. */
int session_launch_grid(struct session *s, CUfunction f, const struct session_grid *g, void **args, struct err *e);
/* Resets, flush and steps, and waits for them. */
int session_run(struct session *s, const struct ready *r, struct err *e);
/* Queues the reference of a generic rung, in the place of its steps. */
int session_launch_reference(struct session *s, const struct ready *r, struct err *e);
/* Allocates; the error names `what`. */
int session_alloc(struct session *s, CUdeviceptr *out, size_t bytes, const char *what, struct err *e);
/* Waits for the stream; an error here is a kernel's. */
int session_wait(struct session *s, struct err *e);
/* Kernels that session_prepare queues before the steps. */
size_t session_prepare_kernels(const struct session *s, const struct ready *r);
void session_beat(struct session *s, long trial);

/* Guards lie on both sides of what a kernel may write: intact is true while nobody wrote beside it. */
int guards_set(struct session *s, CUdeviceptr at, size_t bytes, struct err *e);
int guards_intact(struct session *s, CUdeviceptr at, size_t bytes, bool *intact, struct err *e);
/* Poisons C and sets its guards. */
int session_poison(struct session *s, const struct ready *r, struct err *e);

/* The same for a generic problem (profiler/measure/arrays.c): outputs are poisoned or, where they
 * have an init, put back; *beside names the buffer that was written beside, NULL: none. */
int arrays_upload(struct session *s, struct device_arrays *out, const struct generic *g, struct err *e);
CUdeviceptr arrays_buffer(const struct ready *r, const char *name); /* 0: there is none */
int arrays_poison(struct session *s, const struct ready *r, struct err *e);
int arrays_guards(struct session *s, const struct ready *r, const char **beside, struct err *e);
/* Queues what puts a buffer back as it was made, or fills it. */
int arrays_reset(struct session *s, const struct ready *r, const char *name, struct err *e);
/* Copies the outputs out, one after the other; out has generic_output_bytes. */
int arrays_download(struct session *s, const struct ready *r, void *out, struct err *e);

/* The kernels that run beside the rungs, compiled with them. */
extern const struct compile_unit session_own_unit;
/* A kernel that does nothing with the registers of a real one; it takes a null pointer. */
int session_empty_kernel(struct session *s, int registers, CUfunction *f, struct err *e);
int session_register_class(int registers); /* what it is allocated: a multiple of 8, 16 to 255 */
enum { GUARD_BYTES = 4096, GUARD_BYTE = 0xa5, FLUSH_L2_MULTIPLE = 8 };
