/* Steps that are calls of a library: controls that are no kernels of ours.  Each library is opened when the first trial asks for it. */
#pragma once

#include "profiler/cuda/blaslt.h"
#include "profiler/measure/session.h"

/* How a call is made ready and made.  prepare: *state is what launch needs, NULL where that is nothing; ERR_MACHINE where the library, or the
 * function, is not there.  State lives until the process ends, as the session does. */
struct host_call {
  int (*prepare)(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e);
  int (*launch)(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e);
};
extern const struct host_call host_gemm, host_gemv, host_gemv_batched, host_gemm_int8, host_fp4;

struct host {
  struct cublas cublas;
  cublasHandle_t cublas_handle; /* NULL: not open yet, or cublas_error says why not */
  struct err cublas_error;
  struct blaslt blaslt;
};

int host_prepare(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e);
int host_launch(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e);

/* The buffer that is the call's nth argument. */
CUdeviceptr host_buffer(const struct ready *r, const struct plan_launch *l, size_t nth);
/* The result's path names the library's version. */
void host_name_path(const struct ready *r, const char *library, size_t version);
