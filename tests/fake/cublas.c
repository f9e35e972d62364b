/* A fake cuBLAS: see fake.h. */
#include "fake/fake.h"

#include "profiler/cuda/cublas.h"

#include <dlfcn.h>
#include <stdlib.h>

static void launch(const char *name, unsigned blocks) {
  const char *path = getenv("NVFP4_LIBCUDA");
  void *driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  size_t address = driver ? (size_t)dlsym(driver, "fake_launch") : 0; /* a function's address comes as data */
  if (address)
    ((__typeof__(&fake_launch))address)(name, blocks);
}

static int call(const char *name) {
  static int calls;
  int status = fake_value(name, 0);
  if (status)
    return status;
  if (calls++ == 0)
    launch("cublas_first_call", 1);
  launch("cublas_product", 1);
  launch("cublas_sum", 2);
  return 0;
}

int cublasCreate_v2(cublasHandle_t *handle) {
  static int made;
  *handle = (cublasHandle_t)(void *)&made;
  return fake_value(__func__, 0);
}

int cublasSetStream_v2(cublasHandle_t handle, CUstream stream) {
  (void)handle, (void)stream;
  return fake_value(__func__, 0);
}

int cublasGetVersion_v2(cublasHandle_t handle, int *version) {
  (void)handle;
  *version = 130203;
  return fake_value(__func__, 0);
}

const char *cublasGetStatusString(int status) {
  return status == 15 ? "fake: not supported" : "fake: some status";
}

int cublasGemmEx(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a,
                 int a_type, int lda, const void *b, int b_type, int ldb, const void *beta, void *c, int c_type,
                 int ldc, int compute_type, int algorithm) {
  (void)handle, (void)op_a, (void)op_b, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)a_type, (void)lda;
  (void)b, (void)b_type, (void)ldb, (void)beta, (void)c, (void)c_type, (void)ldc, (void)compute_type, (void)algorithm;
  return call(__func__);
}

int cublasGemmStridedBatchedEx(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha,
                               const void *a, int a_type, int lda, long long stride_a, const void *b, int b_type,
                               int ldb, long long stride_b, const void *beta, void *c, int c_type, int ldc,
                               long long stride_c, int batches, int compute_type, int algorithm) {
  (void)handle, (void)op_a, (void)op_b, (void)m, (void)n, (void)k, (void)alpha, (void)a, (void)a_type, (void)lda;
  (void)stride_a, (void)b, (void)b_type, (void)ldb, (void)stride_b, (void)beta, (void)c, (void)c_type, (void)ldc;
  (void)stride_c, (void)batches, (void)compute_type, (void)algorithm;
  return call(__func__);
}

int cublasHSHgemvBatched(cublasHandle_t handle, int op, int m, int n, const float *alpha, const void *const *a, int lda,
                         const void *const *x, int incx, const float *beta, void *const *y, int incy, int batches) {
  (void)handle, (void)op, (void)m, (void)n, (void)alpha, (void)a, (void)lda, (void)x, (void)incx, (void)beta, (void)y;
  (void)incy, (void)batches;
  return call(__func__);
}

int cublasHSHgemvStridedBatched(cublasHandle_t handle, int op, int m, int n, const float *alpha, const void *a, int lda,
                                long long stride_a, const void *x, int incx, long long stride_x, const float *beta,
                                void *y, int incy, long long stride_y, int batches) {
  (void)handle, (void)op, (void)m, (void)n, (void)alpha, (void)a, (void)lda, (void)stride_a, (void)x, (void)incx;
  (void)stride_x, (void)beta, (void)y, (void)incy, (void)stride_y, (void)batches;
  return call(__func__);
}
