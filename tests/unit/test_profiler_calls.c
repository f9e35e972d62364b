/* What a step that calls a library asks of it: every argument, against the shape 256x128x2 worked out by hand.  The fake cuBLAS launches and says; of
 * cublasLt there is no fake, so its functions are this file's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measured.h"

#define CALLED(name, host, step)                                                                                       \
  "//! id: " name "\n//! ladder: " name "\n//! change: none\n//! host: " host "\n"                                     \
  "//! scratch: x = 2 * M * K * L\n//! scratch: y = 2 * K * L * 8\n//! scratch: z = 4 * M * L * 8\n"                   \
  "//! step: " step "\n"                                                                                               \
  "extern \"C\" __global__ void unused(int n) {}\n"

static const struct shape two = {.m = 256, .k = 128, .l = 2}, one = {.m = 256, .k = 128, .l = 1};
static struct bench b;
static struct err e;

static struct called {
  const char *name;
  int op_a, op_b, m, n, k, lda, ldb, ldc, batches, compute, algorithm, a_type, b_type, c_type, incx, incy;
  long long stride_a, stride_b, stride_c;
  const void *a, *x, *y;
  double alpha, beta;
} called;

static int gemm_ex(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a,
                   int a_type, int lda, const void *x, int b_type, int ldb, const void *beta, void *c, int c_type,
                   int ldc, int compute, int algorithm) {
  (void)handle;
  called = (struct called){"gemm",
                           op_a,
                           op_b,
                           m,
                           n,
                           k,
                           lda,
                           ldb,
                           ldc,
                           1,
                           compute,
                           algorithm,
                           a_type,
                           b_type,
                           c_type,
                           .a = a,
                           .x = x,
                           .y = c,
                           .alpha = *(const float *)alpha,
                           .beta = *(const float *)beta};
  return 0;
}

static int gemm_batched(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha,
                        const void *a, int a_type, int lda, long long stride_a, const void *x, int b_type, int ldb,
                        long long stride_b, const void *beta, void *c, int c_type, int ldc, long long stride_c,
                        int batches, int compute, int algorithm) {
  (void)handle;
  called = (struct called){"batched",
                           op_a,
                           op_b,
                           m,
                           n,
                           k,
                           lda,
                           ldb,
                           ldc,
                           batches,
                           compute,
                           algorithm,
                           a_type,
                           b_type,
                           c_type,
                           .stride_a = stride_a,
                           .stride_b = stride_b,
                           .stride_c = stride_c,
                           .a = a,
                           .x = x,
                           .y = c};
  called.alpha = compute == BLAS_COMPUTE_32I ? *(const int *)alpha : *(const float *)alpha;
  called.beta = compute == BLAS_COMPUTE_32I ? *(const int *)beta : *(const float *)beta;
  return 0;
}

static int gemv_strided(cublasHandle_t handle, int op, int m, int n, const float *alpha, const void *a, int lda,
                        long long stride_a, const void *x, int incx, long long stride_x, const float *beta, void *y,
                        int incy, long long stride_y, int batches) {
  (void)handle;
  called = (struct called){"gemv",
                           op,
                           .m = m,
                           .n = n,
                           .lda = lda,
                           .batches = batches,
                           .incx = incx,
                           .incy = incy,
                           .stride_a = stride_a,
                           .stride_b = stride_x,
                           .stride_c = stride_y,
                           .a = a,
                           .x = x,
                           .y = y,
                           .alpha = *alpha,
                           .beta = *beta};
  return 0;
}

static int gemv_batched(cublasHandle_t handle, int op, int m, int n, const float *alpha, const void *const *a, int lda,
                        const void *const *x, int incx, const float *beta, void *const *y, int incy, int batches) {
  (void)handle;
  called = (struct called){"addresses",  op,           .m = m, .n = n, .lda = lda,           .batches = batches,
                           .incx = incx, .incy = incy, .a = a, .x = x, .y = (const void *)y, .alpha = *alpha,
                           .beta = *beta};
  return 0;
}

static void call_with(const char *step, struct shape shape) {
  char *file = str_printf(CALLED("called", "cublas", "%s"), step);
  const char *const files[] = {file};
  bench_libraries("whole");
  assert_int_equal(bench_open(&b, files, 1, shape), 0);
  b.s.host->cublas.cublasGemmEx = gemm_ex;
  b.s.host->cublas.cublasGemmStridedBatchedEx = gemm_batched;
  b.s.host->cublas.cublasHSHgemvStridedBatched = gemv_strided;
  b.s.host->cublas.cublasHSHgemvBatched = gemv_batched;
  called = (struct called){0};
  assert_int_equal(session_launch(&b.s, &b.ready[0], &e), 0);
  assert_non_null(called.name);
  assert_float_equal(called.alpha, 1, 0);
  assert_float_equal(called.beta, 0, 0);
  assert_int_equal(called.op_a, BLAS_OP_T);
  free(file);
}

/* The leading dimensions that a product of 256 x 128 with columns of 128 has. */
static void product_is(const char *name, int columns) {
  assert_string_equal(called.name, name);
  assert_int_equal(called.m, 256);
  assert_int_equal(called.n, columns);
  assert_int_equal(called.k, 128);
  assert_int_equal(called.lda, 128);
  assert_int_equal(called.ldb, 128);
  assert_int_equal(called.ldc, 256);
}

static void buffers_are(CUdeviceptr a, CUdeviceptr x, CUdeviceptr y) {
  assert_ptr_equal(called.a, (void *)a);
  assert_ptr_equal(called.x, (void *)x);
  assert_ptr_equal(called.y, (void *)y);
}

static void a_product_of_one_batch(void **state) {
  (void)state;
  call_with("call = gemm; args = x, y, c", one);
  product_is("gemm", 1);
  assert_int_equal(called.op_b, BLAS_OP_N);
  assert_int_equal(called.a_type, BLAS_R_16F);
  assert_int_equal(called.b_type, BLAS_R_16F);
  assert_int_equal(called.c_type, BLAS_R_16F);
  assert_int_equal(called.compute, BLAS_COMPUTE_32F);
  assert_int_equal(called.algorithm, BLAS_GEMM_DEFAULT);
  buffers_are(b.ready[0].scratch[0], b.ready[0].scratch[1], b.s.shapes[0].c);
}

static void a_product_of_two_batches(void **state) {
  (void)state;
  call_with("call = gemm; args = x, y, c", two);
  product_is("batched", 1);
  assert_int_equal(called.stride_a, 256 * 128);
  assert_int_equal(called.stride_b, 128);
  assert_int_equal(called.stride_c, 256);
  assert_int_equal(called.batches, 2);
  assert_int_equal(called.c_type, BLAS_R_16F);
  assert_int_equal(called.compute, BLAS_COMPUTE_32F);
}

static void a_product_of_bytes(void **state) {
  (void)state;
  call_with("call = gemm-int8; args = x, y, z, 3", two);
  product_is("batched", 3);
  assert_int_equal(called.op_b, BLAS_OP_N);
  assert_int_equal(called.stride_a, 256 * 128);
  assert_int_equal(called.stride_b, 3 * 128);
  assert_int_equal(called.stride_c, 3 * 256);
  assert_int_equal(called.batches, 2);
  assert_int_equal(called.a_type, BLAS_R_8I);
  assert_int_equal(called.b_type, BLAS_R_8I);
  assert_int_equal(called.c_type, BLAS_R_32I);
  assert_int_equal(called.compute, BLAS_COMPUTE_32I);
  buffers_are(b.ready[0].scratch[0], b.ready[0].scratch[1], b.ready[0].scratch[2]);
}

static void matrix_and_vector_at_strides(void **state) {
  (void)state;
  call_with("call = gemv; args = x, y, c", two);
  assert_string_equal(called.name, "gemv");
  assert_int_equal(called.m, 128); /* in the library's column order */
  assert_int_equal(called.n, 256);
  assert_int_equal(called.lda, 128);
  assert_int_equal(called.stride_a, 256 * 128);
  assert_int_equal(called.stride_b, 128);
  assert_int_equal(called.stride_c, 256);
  assert_int_equal(called.incx, 1);
  assert_int_equal(called.incy, 1);
  assert_int_equal(called.batches, 2);
  buffers_are(b.ready[0].scratch[0], b.ready[0].scratch[1], b.s.shapes[0].c);
}

static void matrices_and_vectors_by_their_addresses(void **state) {
  (void)state;
  call_with("call = gemv-batched; args = x, y, c", two);
  assert_string_equal(called.name, "addresses");
  assert_int_equal(called.m, 128);
  assert_int_equal(called.n, 256);
  assert_int_equal(called.lda, 128);
  assert_int_equal(called.incx, 1);
  assert_int_equal(called.incy, 1);
  assert_int_equal(called.batches, 2);
  const CUdeviceptr *a = called.a, *x = called.x, *y = called.y; /* the fake's memory is the host's */
  assert_int_equal(a[0], b.ready[0].scratch[0]);
  assert_int_equal(a[1], b.ready[0].scratch[0] + 2 * 256 * 128); /* fp16 */
  assert_int_equal(x[0], b.ready[0].scratch[1]);
  assert_int_equal(x[1], b.ready[0].scratch[1] + 2 * 128);
  assert_int_equal(y[0], b.s.shapes[0].c);
  assert_int_equal(y[1], b.s.shapes[0].c + 2 * 256);
}

static void what_a_library_refuses_is_said(void **state) {
  static const char gemm[] = CALLED("called", "cublas", "call = gemm; args = x, y, c");
  static const char gemv[] = CALLED("called", "cublas", "call = gemv; args = x, y, c");
  const char *files[] = {gemm};
  struct ready again;
  (void)state;
  bench_libraries("whole");
  assert_int_equal(bench_open(&b, files, 1, two), 0);
  assert_string_equal(b.results[0].path, "cuBLAS 13.2.3");
  setenv("NVFP4_FAKE", "cublasGemmStridedBatchedEx=15", 1);
  assert_int_equal(session_launch(&b.s, &b.ready[0], &e), ERR_GPU);
  assert_string_equal(e.text, "cublasGemmStridedBatchedEx: fake: not supported");
  unsetenv("NVFP4_FAKE");
  /* A library that cannot be used is opened once, and each trial is told why. */
  files[0] = gemv;
  assert_int_equal(bench_plan(&b, files, 1, two), 0);
  assert_int_equal(session_open(&b.s, &b.compiled, &b.problem, 1, &e), 0);
  setenv("NVFP4_FAKE", "cublasCreate_v2=1", 1);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(session_load(&b.s, &b.trials[0], &again, &e), ERR_GPU);
    assert_string_equal(e.text, "cublasCreate: fake: some status");
    unsetenv("NVFP4_FAKE");
  }
  /* An old library lacks the newer functions. */
  assert_int_equal(bench_plan(&b, files, 1, two), 0);
  assert_int_equal(session_open(&b.s, &b.compiled, &b.problem, 1, &e), 0);
  setenv("NVFP4_LIBCUBLAS", FAKES "/lacks-optional/libcublas.so.13", 1);
  assert_int_equal(session_load(&b.s, &b.trials[0], &again, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "lacks cublasHSHgemvStridedBatched, which is new in CUDA 11.7"));
}

/* --- cublasLt --- */

static struct {
  int attribute;
  unsigned long long value;
  size_t bytes;
  cublasLtDesc_t desc;
} set[32];
static struct {
  int type;
  uint64_t rows, columns;
  int64_t ld;
} layouts[3];
static struct {
  cublasLtDesc_t desc;
  const void *a, *x, *c, *d, *workspace, *algorithm;
  cublasLtLayout_t a_layout, b_layout, c_layout, d_layout;
  size_t workspace_bytes;
  float alpha, beta;
} products[4];
static size_t n_set, n_layouts, n_products, n_descs, wanted_workspace;
static int algorithms = 1, fails_at;

static size_t lt_version(void) {
  return 130203;
}
static const char *lt_status(int status) {
  return status == 7 ? "seven" : "?";
}
static int lt_desc(cublasLtDesc_t *desc, int compute, int scale) {
  assert_int_equal(compute, BLAS_COMPUTE_32F);
  assert_int_equal(scale, BLAS_R_32F);
  *desc = (cublasLtDesc_t)(++n_descs);
  return 0;
}
static int lt_set(cublasLtDesc_t desc, int attribute, const void *value, size_t bytes) {
  set[n_set].attribute = attribute;
  set[n_set].bytes = bytes;
  set[n_set].desc = desc;
  set[n_set].value = 0;
  memcpy(&set[n_set++].value, value, bytes);
  return 0;
}
static int lt_layout(cublasLtLayout_t *layout, int type, uint64_t rows, uint64_t columns, int64_t ld) {
  layouts[n_layouts].type = type;
  layouts[n_layouts].rows = rows;
  layouts[n_layouts].columns = columns;
  layouts[n_layouts++].ld = ld;
  *layout = (cublasLtLayout_t)n_layouts;
  return 0;
}
static int lt_preference(cublasLtPreference_t *preference) {
  *preference = (cublasLtPreference_t)8;
  return 0;
}
static int lt_prefer(cublasLtPreference_t preference, int attribute, const void *value, size_t bytes) {
  (void)preference;
  assert_int_equal(attribute, BLASLT_PREFERENCE_WORKSPACE_BYTES);
  assert_int_equal(bytes, sizeof wanted_workspace);
  memcpy(&wanted_workspace, value, bytes);
  return 0;
}
static int lt_choose(cublasLtHandle_t handle, cublasLtDesc_t desc, cublasLtLayout_t a, cublasLtLayout_t x,
                     cublasLtLayout_t c, cublasLtLayout_t d, cublasLtPreference_t preference, int wanted,
                     cublasLtHeuristic_t *out, int *n) {
  (void)handle, (void)preference;
  assert_ptr_equal(desc, 1);
  assert_true((size_t)a == 1 && (size_t)x == 2 && (size_t)c == 3 && (size_t)d == 3 && wanted == 1);
  out->algorithm[0] = 99;
  *n = algorithms;
  return fails_at;
}
static int lt_matmul(cublasLtHandle_t handle, cublasLtDesc_t desc, const void *alpha, const void *a,
                     cublasLtLayout_t a_layout, const void *x, cublasLtLayout_t b_layout, const void *beta,
                     const void *c, cublasLtLayout_t c_layout, void *d, cublasLtLayout_t d_layout,
                     const void *algorithm, void *workspace, size_t workspace_bytes, CUstream stream) {
  (void)handle, (void)stream;
  products[n_products].desc = desc;
  products[n_products].a = a;
  products[n_products].x = x;
  products[n_products].c = c;
  products[n_products].d = d;
  products[n_products].a_layout = a_layout;
  products[n_products].b_layout = b_layout;
  products[n_products].c_layout = c_layout;
  products[n_products].d_layout = d_layout;
  products[n_products].algorithm = algorithm;
  products[n_products].workspace = workspace;
  products[n_products].workspace_bytes = workspace_bytes;
  products[n_products].alpha = *(const float *)alpha;
  products[n_products++].beta = *(const float *)beta;
  return 0;
}

static void open_fp4(void) {
  static const char fp4[] = "//! id: fp4\n//! ladder: fp4\n//! change: none\n//! host: cublaslt\n//! sf_layout: 128x4\n"
                            "//! scratch: d = 2 * 3 * M * L\n"
                            "//! step: call = fp4; args = a, b, sfa, sfb, d, 3\n"
                            "extern \"C\" __global__ void unused(int n) {}\n";
  static const struct cublaslt library = {.cublasLtGetVersion = lt_version,
                                          .cublasLtGetStatusString = lt_status,
                                          .cublasLtMatmulDescCreate = lt_desc,
                                          .cublasLtMatmulDescSetAttribute = lt_set,
                                          .cublasLtMatrixLayoutCreate = lt_layout,
                                          .cublasLtMatmulPreferenceCreate = lt_preference,
                                          .cublasLtMatmulPreferenceSetAttribute = lt_prefer,
                                          .cublasLtMatmulAlgoGetHeuristic = lt_choose,
                                          .cublasLtMatmul = lt_matmul};
  static struct host host;
  const char *const files[] = {fp4};
  bench_libraries("whole");
  assert_int_equal(bench_plan(&b, files, 1, (struct shape){.m = 192, .k = 320, .l = 2}), 0);
  assert_int_equal(session_open(&b.s, &b.compiled, &b.problem, 1, &e), 0);
  host = (struct host){.blaslt = {.library = library, .handle = (cublasLtHandle_t)5, .workspace = 77}};
  b.s.host = &host;
  n_set = n_layouts = n_products = n_descs = wanted_workspace = 0;
}

/* 192x320x2 of 3 columns: 20 scales a row in 5 tiles of 4; 192 rows of A's scales in 2 tiles of 128, the 128 of B's in one. */
static void fp4_products_have_scales_of_their_own(void **state) {
  struct ready r;
  (void)state;
  open_fp4();
  assert_int_equal(session_load(&b.s, &b.trials[0], &r, &e), 0);
  assert_string_equal(b.results[0].path, "cublasLt 13.2.3");
  const struct device_shape *d = &b.s.shapes[0];
  const struct {
    int attribute;
    unsigned long long value;
    size_t bytes;
  } want[] = {{BLASLT_DESC_TRANSA, BLAS_OP_T, 4},
              {BLASLT_DESC_TRANSB, BLAS_OP_N, 4},
              {BLASLT_DESC_A_SCALE_MODE, BLASLT_SCALE_VEC16_UE4M3, 4},
              {BLASLT_DESC_B_SCALE_MODE, BLASLT_SCALE_VEC16_UE4M3, 4},
              {BLASLT_DESC_A_SCALE_POINTER, d->sfa_blocked, 8},
              {BLASLT_DESC_B_SCALE_POINTER, d->sfb_blocked, 8}};
  assert_int_equal(n_set, 12);
  for (size_t i = 0; i < 12; i++) {
    unsigned long long value = want[i % 6].value;
    if (i == 10)
      value += 256 * 20;
    if (i == 11)
      value += 128 * 20;
    assert_int_equal(set[i].attribute, want[i % 6].attribute);
    assert_int_equal(set[i].value, value);
    assert_int_equal(set[i].bytes, want[i % 6].bytes);
    assert_int_equal((size_t)set[i].desc, 1 + i / 6);
  }
  assert_int_equal(n_layouts, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(layouts[i].type, i < 2 ? BLAS_R_4F_E2M1 : BLAS_R_16F);
    assert_int_equal(layouts[i].rows, i < 2 ? 320 : 192);
    assert_int_equal(layouts[i].columns, i == 0 ? 192 : 3);
    assert_int_equal(layouts[i].ld, i < 2 ? 320 : 192);
  }
  assert_int_equal(wanted_workspace, 32 << 20);
  assert_int_equal(session_launch(&b.s, &r, &e), 0);
  assert_int_equal(n_products, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal((size_t)products[i].desc, 1 + i);
    assert_ptr_equal(products[i].a, (void *)(d->a + i * 192 * 160));
    assert_ptr_equal(products[i].x, (void *)(d->b + i * 128 * 160));
    assert_ptr_equal(products[i].d, (void *)(r.scratch[0] + i * 3 * 192 * 2));
    assert_ptr_equal(products[i].c, products[i].d);
    assert_int_equal((size_t)products[i].a_layout, 1);
    assert_int_equal((size_t)products[i].b_layout, 2);
    assert_int_equal((size_t)products[i].c_layout, 3);
    assert_int_equal((size_t)products[i].d_layout, 3);
    assert_int_equal(*(const uint64_t *)products[i].algorithm, 99);
    assert_ptr_equal(products[i].workspace, (void *)77);
    assert_int_equal(products[i].workspace_bytes, 32 << 20);
    assert_float_equal(products[i].alpha, 1, 0);
    assert_float_equal(products[i].beta, 0, 0);
  }
}

static void no_algorithm_is_said(void **state) {
  struct ready r;
  (void)state;
  open_fp4();
  algorithms = 0;
  assert_int_equal(session_load(&b.s, &b.trials[0], &r, &e), ERR_GPU);
  assert_string_equal(e.text, "cublasLt has no algorithm for this product");
  open_fp4();
  fails_at = 7;
  assert_int_equal(session_load(&b.s, &b.trials[0], &r, &e), ERR_GPU);
  assert_string_equal(e.text, "cublasLtMatmulAlgoGetHeuristic: seven");
  algorithms = 1;
  fails_at = 0;
}

static void a_cublaslt_that_is_not_here_is_looked_for_once(void **state) {
  struct ready r;
  (void)state;
  open_fp4();
  b.s.host->blaslt.handle = NULL;
  setenv("NVFP4_LIBCUBLASLT", "/nonexistent/libcublasLt.so.13", 1);
  assert_int_equal(session_load(&b.s, &b.trials[0], &r, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "NVFP4_LIBCUBLASLT: /nonexistent/libcublasLt.so.13"));
  setenv("NVFP4_LIBCUBLASLT", "/elsewhere", 1);
  assert_int_equal(session_load(&b.s, &b.trials[0], &r, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "NVFP4_LIBCUBLASLT: /nonexistent/libcublasLt.so.13"));
  unsetenv("NVFP4_LIBCUBLASLT");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_product_of_one_batch),
      cmocka_unit_test(a_product_of_two_batches),
      cmocka_unit_test(a_product_of_bytes),
      cmocka_unit_test(matrix_and_vector_at_strides),
      cmocka_unit_test(matrices_and_vectors_by_their_addresses),
      cmocka_unit_test(what_a_library_refuses_is_said),
      cmocka_unit_test(fp4_products_have_scales_of_their_own),
      cmocka_unit_test(no_algorithm_is_said),
      cmocka_unit_test(a_cublaslt_that_is_not_here_is_looked_for_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
