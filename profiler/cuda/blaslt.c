#include "profiler/cuda/blaslt.h"

enum { WORKSPACE_BYTES = 32 << 20 };

static int check(const struct blaslt *b, int status, const char *call, struct err *e) {
  return status == 0 ? 0 : err_set(e, ERR_GPU, "%s: %s", call, b->library.cublasLtGetStatusString(status));
}
#define CALL(b, function, e, ...) check(b, (b)->library.function(__VA_ARGS__), #function, e)

int blaslt_open(struct blaslt *b, const struct driver *driver, struct err *e) {
  struct err *why = &b->error;
  if (!b->handle && !why->code && !cublaslt_load(&b->library, why) &&
      !driver_check(driver, driver->cuMemAlloc_v2(&b->workspace, WORKSPACE_BYTES), "cuMemAlloc", why))
    CALL(b, cublasLtCreate, why, &b->handle);
  return b->handle ? 0 : err_set(e, why->code, "%s", why->text);
}

int blaslt_desc_make(const struct blaslt *b, const struct blaslt_attribute *more, size_t n, cublasLtDesc_t *out,
                     struct err *e) {
  const int transposed = BLAS_OP_T, plain = BLAS_OP_N;
  int rc = CALL(b, cublasLtMatmulDescCreate, e, out, BLAS_COMPUTE_32F, BLAS_R_32F);
  if (!rc)
    rc = CALL(b, cublasLtMatmulDescSetAttribute, e, *out, BLASLT_DESC_TRANSA, &transposed, sizeof transposed);
  if (!rc)
    rc = CALL(b, cublasLtMatmulDescSetAttribute, e, *out, BLASLT_DESC_TRANSB, &plain, sizeof plain);
  for (size_t i = 0; i < n && !rc; i++)
    rc = CALL(b, cublasLtMatmulDescSetAttribute, e, *out, more[i].name, more[i].value, more[i].bytes);
  return rc;
}

int blaslt_plan_make(const struct blaslt *b, cublasLtDesc_t desc, const struct blaslt_matrix matrices[3],
                     struct blaslt_plan *out, struct err *e) {
  const size_t workspace = WORKSPACE_BYTES;
  const cublasLtLayout_t *l = out->layouts;
  cublasLtPreference_t preference = NULL;
  int n = 0, rc = 0;
  for (int i = 0; i < 3 && !rc; i++)
    rc = CALL(b, cublasLtMatrixLayoutCreate, e, &out->layouts[i], matrices[i].type, (uint64_t)matrices[i].rows,
              (uint64_t)matrices[i].columns, matrices[i].rows);
  if (!rc)
    rc = CALL(b, cublasLtMatmulPreferenceCreate, e, &preference);
  if (!rc)
    rc = CALL(b, cublasLtMatmulPreferenceSetAttribute, e, preference, BLASLT_PREFERENCE_WORKSPACE_BYTES, &workspace,
              sizeof workspace);
  if (!rc)
    rc = CALL(b, cublasLtMatmulAlgoGetHeuristic, e, b->handle, desc, l[0], l[1], l[2], l[2], preference, 1,
              &out->chosen, &n);
  return rc || n ? rc : err_set(e, ERR_GPU, "cublasLt has no algorithm for this product");
}

int blaslt_launch(const struct blaslt *b, cublasLtDesc_t desc, const struct blaslt_plan *p,
                  const CUdeviceptr addresses[3], CUstream stream, struct err *e) {
  const float one = 1, zero = 0;
  const cublasLtLayout_t *l = p->layouts;
  void *d = (void *)addresses[2];
  return CALL(b, cublasLtMatmul, e, b->handle, desc, &one, (const void *)addresses[0], l[0], (const void *)addresses[1],
              l[1], &zero, d, l[2], d, l[2], p->chosen.algorithm, (void *)b->workspace, WORKSPACE_BYTES, stream);
}
