/* cuBLAS: L products of an MxK matrix with K fastest, which is KxM in the library's column order, and a vector; all fp16, fp32 arithmetic. */
#include "profiler/measure/host.h"

#include <stdlib.h>

enum { MATRIX, VECTOR, OUTPUT, POINTERS };
static const float one = 1, zero = 0;

static int check(const struct cublas *c, int status, const char *call, struct err *e) {
  return status == 0 ? 0 : err_set(e, ERR_GPU, "%s: %s", call, c->cublasGetStatusString(status));
}

static int open_library(struct session *s, struct err *e) {
  struct cublas *c = &s->host->cublas;
  cublasHandle_t handle = NULL;
  int rc = cublas_load(c, e);
  if (!rc)
    rc = check(c, c->cublasCreate_v2(&handle), "cublasCreate", e);
  if (!rc)
    rc = check(c, c->cublasSetStream_v2(handle, s->stream), "cublasSetStream", e);
  if (!rc)
    s->host->cublas_handle = handle;
  return rc;
}

static int prepare(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e) {
  struct host *h = s->host;
  int version = 0;
  (void)l, (void)state;
  if (!h->cublas_handle && !h->cublas_error.code) {
    session_beat(s, -1); /* half a gigabyte may take longer to load than a kernel may take to come back */
    open_library(s, &h->cublas_error);
    session_beat(s, r->trial->index);
  }
  if (!h->cublas_handle)
    return err_set(e, h->cublas_error.code, "%s", h->cublas_error.text);
  h->cublas.cublasGetVersion_v2(h->cublas_handle, &version);
  host_name_path(r, "cuBLAS", (size_t)version);
  return 0;
}

/* Of old libraries only the first functions are there. */
static int need(const struct cublas *c, bool there, const char *name, struct err *e) {
  return there ? 0 : err_set(e, ERR_MACHINE, "%s lacks %s, which is new in CUDA 11.7", c->path, name);
}

/* --- as a matrix product --- */

static int gemm(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e) {
  const struct cublas *c = &s->host->cublas;
  cublasHandle_t handle = s->host->cublas_handle;
  int m = (int)r->trial->plan.shape.m, k = (int)r->trial->plan.shape.k, batches = (int)r->trial->plan.shape.l;
  void *p[POINTERS];
  (void)state;
  for (size_t i = 0; i < POINTERS; i++)
    p[i] = (void *)host_buffer(r, l, i);
  if (batches == 1)
    return check(c,
                 c->cublasGemmEx(handle, BLAS_OP_T, BLAS_OP_N, m, 1, k, &one, p[MATRIX], BLAS_R_16F, k, p[VECTOR],
                                 BLAS_R_16F, k, &zero, p[OUTPUT], BLAS_R_16F, m, BLAS_COMPUTE_32F, BLAS_GEMM_DEFAULT),
                 "cublasGemmEx", e);
  return check(c,
               c->cublasGemmStridedBatchedEx(handle, BLAS_OP_T, BLAS_OP_N, m, 1, k, &one, p[MATRIX], BLAS_R_16F, k,
                                             (long long)m * k, p[VECTOR], BLAS_R_16F, k, k, &zero, p[OUTPUT],
                                             BLAS_R_16F, m, m, batches, BLAS_COMPUTE_32F, BLAS_GEMM_DEFAULT),
               "cublasGemmStridedBatchedEx", e);
}

/* All int8, int32 arithmetic and sums. */
static int gemm_int8(struct session *s, const struct ready *r, const struct plan_launch *l, void *state,
                     struct err *e) {
  static const int one_int = 1, zero_int = 0;
  const struct cublas *c = &s->host->cublas;
  int m = (int)r->trial->plan.shape.m, k = (int)r->trial->plan.shape.k, batches = (int)r->trial->plan.shape.l;
  int columns = (int)l->args[POINTERS].value;
  void *p[POINTERS];
  (void)state;
  for (size_t i = 0; i < POINTERS; i++)
    p[i] = (void *)host_buffer(r, l, i);
  return check(c,
               c->cublasGemmStridedBatchedEx(s->host->cublas_handle, BLAS_OP_T, BLAS_OP_N, m, columns, k, &one_int,
                                             p[MATRIX], BLAS_R_8I, k, (long long)m * k, p[VECTOR], BLAS_R_8I, k,
                                             (long long)columns * k, &zero_int, p[OUTPUT], BLAS_R_32I, m,
                                             (long long)columns * m, batches, BLAS_COMPUTE_32I, BLAS_GEMM_DEFAULT),
               "cublasGemmStridedBatchedEx", e);
}

/* --- as matrix-vector products --- */

static int prepare_gemv(struct session *s, const struct ready *r, const struct plan_launch *l, void **state,
                        struct err *e) {
  const struct cublas *c = &s->host->cublas;
  int rc = prepare(s, r, l, state, e);
  return rc ? rc : need(c, c->cublasHSHgemvStridedBatched, "cublasHSHgemvStridedBatched", e);
}

static int gemv(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e) {
  const struct cublas *c = &s->host->cublas;
  int m = (int)r->trial->plan.shape.m, k = (int)r->trial->plan.shape.k, batches = (int)r->trial->plan.shape.l;
  (void)state;
  return check(c,
               c->cublasHSHgemvStridedBatched(s->host->cublas_handle, BLAS_OP_T, k, m, &one,
                                              (const void *)host_buffer(r, l, MATRIX), k, (long long)m * k,
                                              (const void *)host_buffer(r, l, VECTOR), 1, k, &zero,
                                              (void *)host_buffer(r, l, OUTPUT), 1, m, batches),
               "cublasHSHgemvStridedBatched", e);
}

/* The state is the addresses of each batch's matrix, vector and output, in three arrays on the device. */
static int prepare_gemv_batched(struct session *s, const struct ready *r, const struct plan_launch *l, void **state,
                                struct err *e) {
  const struct cublas *c = &s->host->cublas;
  struct shape shape = r->trial->plan.shape;
  enum { FP16 = 2 };
  const long long strides[POINTERS] = {
      [MATRIX] = FP16 * (long long)shape.m * shape.k, [VECTOR] = FP16 * shape.k, [OUTPUT] = FP16 * shape.m};
  size_t batches = (size_t)shape.l, bytes = POINTERS * batches * sizeof(CUdeviceptr);
  CUdeviceptr *addresses = malloc(bytes), there = 0;
  int rc = prepare(s, r, l, state, e);
  if (!rc)
    rc = need(c, c->cublasHSHgemvBatched, "cublasHSHgemvBatched", e);
  for (size_t i = 0; !rc && i < POINTERS * batches; i++)
    addresses[i] = host_buffer(r, l, i / batches) + i % batches * (CUdeviceptr)strides[i / batches];
  if (!rc)
    rc = driver_check(&s->driver, s->driver.cuMemAlloc_v2(&there, bytes), "cuMemAlloc", e);
  if (!rc)
    rc = driver_check(&s->driver, s->driver.cuMemcpyHtoD_v2(there, addresses, bytes), "cuMemcpyHtoD", e);
  *state = (void *)there;
  free(addresses);
  return rc;
}

static int gemv_batched(struct session *s, const struct ready *r, const struct plan_launch *l, void *state,
                        struct err *e) {
  const struct cublas *c = &s->host->cublas;
  int m = (int)r->trial->plan.shape.m, k = (int)r->trial->plan.shape.k, batches = (int)r->trial->plan.shape.l;
  void **addresses = state; /* on the device */
  (void)l;
  return check(c,
               c->cublasHSHgemvBatched(s->host->cublas_handle, BLAS_OP_T, k, m, &one,
                                       (const void *const *)(addresses + MATRIX * batches), k,
                                       (const void *const *)(addresses + VECTOR * batches), 1, &zero,
                                       (void *const *)(addresses + OUTPUT * batches), 1, batches),
               "cublasHSHgemvBatched", e);
}

const struct host_call host_gemm = {prepare, gemm};
const struct host_call host_gemm_int8 = {prepare, gemm_int8};
const struct host_call host_gemv = {prepare_gemv, gemv};
const struct host_call host_gemv_batched = {prepare_gemv_batched, gemv_batched};
