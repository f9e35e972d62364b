/* cublasLt: block-scaled products of FP4 matrices, on sm_100 and later; one product a batch, since each has scales of its own.
 *
 * A is K x M and B is K x COLUMNS in the library's column order, D is M x COLUMNS: the first M of D are the result.  The library ignores the
 * sign of a scale (VEC16_UE4M3).  Written from NVIDIA's cuBLAS reference and never run: no chip that has FP4 was at hand. */
#include "profiler/measure/host.h"

#include "kernels/problem.h"

#include <stdlib.h>

enum { A, B, SFA, SFB, OUTPUT, COLUMNS };
enum { WORKSPACE_BYTES = 32 << 20, FP16 = 2 };

struct product { /* of one batch */
  cublasLtDesc_t desc;
  CUdeviceptr a, b, d;
};

struct fp4 { /* the state: what all batches share, and theirs */
  cublasLtLayout_t a, b, d;
  cublasLtHeuristic_t chosen;
  size_t n;
  struct product products[];
};

static int check(const struct cublaslt *c, int status, const char *call, struct err *e) {
  return status == 0 ? 0 : err_set(e, ERR_GPU, "%s: %s", call, c->cublasLtGetStatusString(status));
}

static int open_library(struct session *s, struct err *e) {
  struct cublaslt *c = &s->host->cublaslt;
  cublasLtHandle_t handle = NULL;
  int rc = cublaslt_load(c, e);
  if (!rc)
    rc = check(c, c->cublasLtCreate(&handle), "cublasLtCreate", e);
  if (!rc)
    rc = driver_check(&s->driver, s->driver.cuMemAlloc_v2(&s->host->workspace, WORKSPACE_BYTES), "cuMemAlloc", e);
  if (!rc)
    s->host->cublaslt_handle = handle;
  return rc;
}

static int make_desc(const struct cublaslt *c, CUdeviceptr sfa, CUdeviceptr sfb, cublasLtDesc_t *out, struct err *e) {
  const int transposed = BLAS_OP_T, plain = BLAS_OP_N, mode = BLASLT_SCALE_VEC16_UE4M3;
  const void *scales_a = (const void *)sfa, *scales_b = (const void *)sfb;
  const struct {
    int attribute;
    const void *value;
    size_t bytes;
  } rows[] = {{BLASLT_DESC_TRANSA, &transposed, sizeof transposed},
              {BLASLT_DESC_TRANSB, &plain, sizeof plain},
              {BLASLT_DESC_A_SCALE_MODE, &mode, sizeof mode},
              {BLASLT_DESC_B_SCALE_MODE, &mode, sizeof mode},
              {BLASLT_DESC_A_SCALE_POINTER, &scales_a, sizeof scales_a},
              {BLASLT_DESC_B_SCALE_POINTER, &scales_b, sizeof scales_b}};
  int rc = check(c, c->cublasLtMatmulDescCreate(out, BLAS_COMPUTE_32F, BLAS_R_32F), "cublasLtMatmulDescCreate", e);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !rc; i++)
    rc = check(c, c->cublasLtMatmulDescSetAttribute(*out, rows[i].attribute, rows[i].value, rows[i].bytes),
               "cublasLtMatmulDescSetAttribute", e);
  return rc;
}

static int make_layouts(const struct cublaslt *c, struct fp4 *f, struct shape shape, long columns, struct err *e) {
  const struct {
    cublasLtLayout_t *out;
    int type;
    long rows, columns;
  } rows[] = {{&f->a, BLAS_R_4F_E2M1, shape.k, shape.m},
              {&f->b, BLAS_R_4F_E2M1, shape.k, columns},
              {&f->d, BLAS_R_16F, shape.m, columns}};
  int rc = 0;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !rc; i++)
    rc = check(c,
               c->cublasLtMatrixLayoutCreate(rows[i].out, rows[i].type, (uint64_t)rows[i].rows,
                                             (uint64_t)rows[i].columns, rows[i].rows),
               "cublasLtMatrixLayoutCreate", e);
  return rc;
}

static int choose_algorithm(const struct host *h, struct fp4 *f, struct err *e) {
  const struct cublaslt *c = &h->cublaslt;
  const size_t bytes = WORKSPACE_BYTES;
  cublasLtPreference_t preference = NULL;
  int n = 0;
  int rc = check(c, c->cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate", e);
  if (!rc)
    rc = check(
        c, c->cublasLtMatmulPreferenceSetAttribute(preference, BLASLT_PREFERENCE_WORKSPACE_BYTES, &bytes, sizeof bytes),
        "cublasLtMatmulPreferenceSetAttribute", e);
  if (!rc)
    rc = check(c,
               c->cublasLtMatmulAlgoGetHeuristic(h->cublaslt_handle, f->products[0].desc, f->a, f->b, f->d, f->d,
                                                 preference, 1, &f->chosen, &n),
               "cublasLtMatmulAlgoGetHeuristic", e);
  if (!rc && !n)
    rc = err_set(e, ERR_GPU, "cublasLt has no algorithm for this shape and number of columns");
  return rc;
}

static int prepare(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e) {
  struct host *h = s->host;
  struct shape shape = r->trial->plan.shape;
  if (!h->cublaslt_handle && !h->cublaslt_error.code) {
    session_beat(s, -1); /* half a gigabyte may take longer to load than a kernel may take to come back */
    open_library(s, &h->cublaslt_error);
    session_beat(s, r->trial->index);
  }
  if (!h->cublaslt_handle)
    return err_set(e, h->cublaslt_error.code, "%s", h->cublaslt_error.text);
  size_t n = (size_t)shape.l;
  CUdeviceptr m = (CUdeviceptr)shape.m, k = (CUdeviceptr)shape.k, columns = (CUdeviceptr)l->args[COLUMNS].value;
  /* Rows of scales come in tiles of 128, scales in tiles of 4. */
  CUdeviceptr row_scales = (k / PROBLEM_BLOCK + 3) / 4 * 4;
  struct fp4 *f = calloc(1, sizeof *f + n * sizeof f->products[0]);
  *state = f;
  f->n = n;
  host_name_path(r, "cublasLt", h->cublaslt.cublasLtGetVersion());
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++) {
    struct product *p = &f->products[i];
    p->a = host_buffer(r, l, A) + i * m * k / 2;
    p->b = host_buffer(r, l, B) + i * PROBLEM_PAD_ROWS * k / 2;
    p->d = host_buffer(r, l, OUTPUT) + i * columns * m * FP16;
    rc = make_desc(&h->cublaslt, host_buffer(r, l, SFA) + i * ((m + 127) / 128 * 128) * row_scales,
                   host_buffer(r, l, SFB) + i * PROBLEM_PAD_ROWS * row_scales, &p->desc, e);
  }
  if (!rc)
    rc = make_layouts(&h->cublaslt, f, shape, (long)columns, e);
  return rc ? rc : choose_algorithm(h, f, e);
}

static int launch(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e) {
  const struct host *h = s->host;
  const struct fp4 *f = state;
  const float one = 1, zero = 0;
  int rc = 0;
  (void)r, (void)l;
  for (size_t i = 0; i < f->n && !rc; i++) {
    const struct product *p = &f->products[i];
    rc = check(&h->cublaslt,
               h->cublaslt.cublasLtMatmul(h->cublaslt_handle, p->desc, &one, (const void *)p->a, f->a,
                                          (const void *)p->b, f->b, &zero, (const void *)p->d, f->d, (void *)p->d, f->d,
                                          f->chosen.algorithm, (void *)h->workspace, WORKSPACE_BYTES, s->stream),
               "cublasLtMatmul", e);
  }
  return rc;
}

const struct host_call host_fp4 = {prepare, launch};
