/* cuBLAS's product of the same operands.  C is M x N in rows: N x M in the library's column order, so B comes first. */
#include "profiler/mma/tuning.h"

#include <stdio.h>

static int type_of(enum mma_format f) {
  switch (f) {
  case MMA_BF16:
    return BLAS_R_16BF;
  case MMA_FP16:
    return BLAS_R_16F;
  case MMA_S8:
    return BLAS_R_8I;
  case MMA_E4M3:
    return BLAS_R_8F_E4M3;
  case MMA_E5M2:
    return BLAS_R_8F_E5M2;
  default:
    return -1;
  }
}

static const struct arithmetic {
  int compute, sum;
  union {
    float single;
    int integer;
    unsigned short half;
  } one, zero;
} arithmetics[] = {
    [MMA_F32] = {BLAS_COMPUTE_32F, BLAS_R_32F, {.single = 1}, {.single = 0}},
    [MMA_F16] = {BLAS_COMPUTE_16F, BLAS_R_16F, {.half = 0x3c00}, {.half = 0}},
    [MMA_S32] = {BLAS_COMPUTE_32I, BLAS_R_32I, {.integer = 1}, {.integer = 0}},
};

struct product {
  struct mma_device *d;
  const struct mma_type *type;
  cublasLtDesc_t desc;
  struct blaslt_plan plan;
};

static int check(const struct mma_device *d, int status, const char *call, struct err *e) {
  return status == 0 ? 0 : err_set(e, ERR_MACHINE, "%s: %s", call, d->cublas.cublasGetStatusString(status));
}

static int open_cublas(struct mma_device *d, struct err *e) {
  if (d->cublas_handle)
    return 0;
  if (!d->cublas_error.code && !cublas_load(&d->cublas, &d->cublas_error) &&
      !check(d, d->cublas.cublasCreate_v2(&d->cublas_handle), "cublasCreate", &d->cublas_error))
    return check(d, d->cublas.cublasSetStream_v2(d->cublas_handle, d->stream), "cublasSetStream", e);
  return err_set(e, d->cublas_error.code, "%s", d->cublas_error.text);
}

static int gemm_run(void *context, struct err *e) {
  struct product *p = context;
  struct mma_device *d = p->d;
  const struct arithmetic *s = &arithmetics[p->type->sum];
  int m = (int)d->m, n = (int)d->n, k = (int)d->k;
  return check(d,
               d->cublas.cublasGemmEx(d->cublas_handle, BLAS_OP_T, BLAS_OP_N, n, m, k, &s->one, (const void *)d->b,
                                      type_of(p->type->b), k, (const void *)d->a, type_of(p->type->a), k, &s->zero,
                                      (void *)d->c, s->sum, n, s->compute, BLAS_GEMM_DEFAULT),
               "cublasGemmEx", e);
}

static int prepare_lt(struct product *p, struct err *e) {
  struct mma_device *d = p->d;
  const struct blaslt_matrix matrices[] = {{type_of(p->type->b), d->k, d->n},
                                           {type_of(p->type->a), d->k, d->m},
                                           {arithmetics[p->type->sum].sum, d->n, d->m}};
  int rc = blaslt_open(&d->blaslt, &d->driver, e);
  if (!rc)
    rc = blaslt_desc_make(&d->blaslt, NULL, 0, &p->desc, e);
  return rc ? rc : blaslt_plan_make(&d->blaslt, p->desc, matrices, &p->plan, e);
}

static int lt_run(void *context, struct err *e) {
  struct product *p = context;
  struct mma_device *d = p->d;
  return blaslt_launch(&d->blaslt, p->desc, &p->plan, (const CUdeviceptr[]){d->b, d->a, d->c}, d->stream, e);
}

int mma_device_library(struct mma_device *d, struct mma_row *row, char name[64], struct err *e) {
  const struct mma_type *t = row->type;
  struct product p = {.d = d, .type = t};
  int type_a = type_of(t->a), type_b = type_of(t->b);
  bool fp8 = type_a >= BLAS_R_8F_E4M3, known = type_a >= 0 && type_b >= 0 && !t->scales;
  if (!known || (fp8 && t->sum != MMA_F32))
    return err_set(e, ERR_MACHINE, "cuBLAS has no such product");
  int version = 0, rc = fp8 ? prepare_lt(&p, e) : open_cublas(d, e);
  if (!rc && !fp8 && !d->cublas.cublasGetVersion_v2(d->cublas_handle, &version))
    snprintf(name, 64, "cuBLAS %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
  struct mma_call call = {fp8 ? lt_run : gemm_run, &p};
  double time_s = 0;
  if (!rc)
    rc = mma_device_time(d, &call, &time_s, e);
  if (!rc)
    mma_present(&row->library, 2.0 * (double)d->m * (double)d->n * (double)d->k / time_s);
  return rc;
}
