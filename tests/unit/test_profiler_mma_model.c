/* mma on a GPU that is a formula: its product is worked out here, a launch of it takes 10 µs, one of the instruction alone 2 ns a turn; and what is asked of
 * cuBLAS and cublasLt, argument by argument. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "profiler/mma/tuning.h"
#include "unit/gpu_model.h"
#include "unit/mma_type_named.h"

#include <math.h>

static struct mma_device d;
static struct gpu_probe gpu;
static const struct mma_type *type;
static struct mma_row row;
static struct err e;
static uint64_t now_ns, event_at[2];
static size_t n_products, n_peaks, n_memsets;
static struct {
  unsigned grid, block, smem;
  int m, n;
  long row_bytes;
} product[64];
static unsigned peak_grid, peak_block, smem_allowed;
static int peak_turns[64];
static unsigned wrong_at; /* an element of C that comes out wrong; 0: none */

static CUresult model_attribute(CUfunction f, CUfunction_attribute attribute, int value) {
  (void)f;
  smem_allowed = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? (unsigned)value : 0;
  return CUDA_SUCCESS;
}

/* C of int32, from integer bytes. */
static void compute(int m, int n, long row_bytes) {
  size_t k = (size_t)row_bytes * 8 / (size_t)mma_format_bits(type->a);
  int *a = calloc((size_t)m * k, sizeof *a), *b = calloc((size_t)n * k, sizeof *b);
  for (size_t i = 0; i < (size_t)m * k; i++)
    a[i] = (int)mma_value(type->a, (const unsigned char *)d.a, i);
  for (size_t i = 0; i < (size_t)n * k; i++)
    b[i] = (int)mma_value(type->b, (const unsigned char *)d.b, i);
  for (size_t i = 0; i < (size_t)m * (size_t)n; i++) {
    int sum = wrong_at && i == wrong_at ? 100000 : 0;
    for (size_t x = 0; x < k; x++)
      sum += a[i / (size_t)n * k + x] * b[i % (size_t)n * k + x];
    ((int32_t *)d.c)[i] = sum;
  }
  free(a);
  free(b);
}

static CUresult model_launch(const CUlaunchConfig *c, CUfunction f, void **args, void **extra) {
  (void)extra;
  if (c->gridDimY != 1 || c->gridDimZ != 1 || c->blockDimY != 1 || c->blockDimZ != 1 ||
      c->sharedMemBytes > smem_allowed)
    return CUDA_ERROR_INVALID_VALUE;
  if (strcmp((const char *)f, "peak") == 0) {
    peak_grid = c->gridDimX;
    peak_block = c->blockDimX;
    peak_turns[n_peaks++ % 64] = *(int *)args[1];
    now_ns += 5000 + 2 * (uint64_t) * (int *)args[1];
    return *(unsigned *)args[2] ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  product[n_products].grid = c->gridDimX;
  product[n_products].block = c->blockDimX;
  product[n_products].smem = c->sharedMemBytes;
  product[n_products].m = *(int *)args[3];
  product[n_products].n = *(int *)args[4];
  product[n_products].row_bytes = *(long *)args[5];
  if (n_products < 2)
    compute(product[n_products].m, product[n_products].n, product[n_products].row_bytes);
  n_products += n_products < 63;
  now_ns += 10000;
  return CUDA_SUCCESS;
}

static CUresult model_event(CUevent event, CUstream stream) {
  (void)stream;
  event_at[event == d.events[1]] = now_ns;
  return CUDA_SUCCESS;
}

static CUresult model_elapsed(float *ms, CUevent from, CUevent to) {
  *ms = (float)(event_at[to == d.events[1]] - event_at[from == d.events[1]]) / 1e6f;
  return CUDA_SUCCESS;
}

static CUresult model_set(CUdeviceptr to, unsigned char byte, size_t n, CUstream stream) {
  (void)stream;
  n_memsets += byte == 0xff;
  memset((void *)to, byte, n);
  return CUDA_SUCCESS;
}

static CUresult model_alloc(CUdeviceptr *out, size_t n) {
  *out = (CUdeviceptr)(size_t)malloc(n);
  return CUDA_SUCCESS;
}

static CUresult model_free(CUdeviceptr p) {
  free((void *)p);
  return CUDA_SUCCESS;
}

static void close_device(void) {
  free(d.host_a);
  free(d.host_b);
  free(d.host_c);
  free(d.reference);
  model_free(d.a);
  model_free(d.b);
  model_free(d.c);
  model_free(d.blaslt.workspace);
  d = (struct mma_device){0};
}

static void open_device(const char *name, enum mma_sum sum, long m, long n, long k) {
  static unsigned char event_bytes[2];
  size_t a = (size_t)(m * k < 256 * 512 ? 256 * 512 : m * k) * 2,
         b = (size_t)(n * k < 256 * 512 ? 256 * 512 : n * k) * 2, c = (size_t)(m * n) * 4;
  close_device();
  type = mma_type_named(name, sum);
  gpu = (struct gpu_probe){.sm = 90, .sms = 4, .smem_optin = 232448};
  d = (struct mma_device){.gpu = &gpu,
                          .m = m,
                          .n = n,
                          .k = k,
                          .host_a = malloc(a),
                          .host_b = malloc(b),
                          .host_c = malloc(c),
                          .reference = malloc(sizeof(double) * 256 * 256)};
  d.driver.cuModuleGetFunction = model_function;
  d.driver.cuFuncSetAttribute = model_attribute;
  d.driver.cuLaunchKernelEx = model_launch;
  d.driver.cuEventRecord = model_event;
  d.driver.cuEventElapsedTime_v2 = model_elapsed;
  d.driver.cuStreamSynchronize = model_wait;
  d.driver.cuMemcpyHtoD_v2 = model_in;
  d.driver.cuMemcpyDtoH_v2 = model_out;
  d.driver.cuMemsetD8Async = model_set;
  d.driver.cuMemAlloc_v2 = model_alloc;
  for (int i = 0; i < 2; i++)
    d.events[i] = (CUevent)(void *)&event_bytes[i];
  model_alloc(&d.a, a);
  model_alloc(&d.b, b);
  model_alloc(&d.c, c);
  n_products = n_peaks = n_memsets = wrong_at = 0;
  row = (struct mma_row){.type = type, .tile = {256, 128, 128, 4, 2, 4, 8}};
  e = (struct err){0};
}

/* 512 x 256 x 256 by tiles of 256 x 128: 4 blocks of 8 warps; 10 µs. */
static void a_right_product_is_timed(void **state) {
  (void)state;
  open_device("s8", MMA_S32, 512, 256, 256);
  assert_int_equal(mma_device_fill(&d, type, &e), 0);
  assert_int_equal(mma_device_product(&d, &row, NULL, &e), 0);
  assert_true(row.small_error.present && row.error.present);
  assert_float_equal(row.small_error.value, 0, 0);
  assert_float_equal(row.error.value, 0, 0);
  assert_float_equal(row.time_s.value, 10e-6, 1e-11);
  assert_float_equal(row.flops.value / (2.0 * 512 * 256 * 256 / 10e-6), 1, 1e-6);
  assert_int_equal(n_memsets, 2);
  assert_int_equal(n_products, 2 + 21); /* two checks, one that warms up and twenty */
  assert_int_equal(product[0].m, 256);
  assert_int_equal(product[0].n, 256);
  assert_int_equal(product[0].row_bytes, 512);
  assert_int_equal(product[0].grid, 2);
  assert_int_equal(product[1].row_bytes, 256);
  assert_int_equal(product[1].m, 512);
  assert_int_equal(product[1].n, 256);
  assert_int_equal(product[1].grid, 4);
  assert_int_equal(product[1].block, 256);
  assert_int_equal(product[1].smem, (256 + 128) * 128 * 4);
}

static void a_wrong_product_is_not(void **state) {
  (void)state;
  open_device("u8", MMA_S32, 256, 256, 256); /* whose small product is the deeper one */
  assert_int_equal(mma_device_fill(&d, type, &e), 0);
  wrong_at = 77;
  assert_int_equal(mma_device_product(&d, &row, NULL, &e), ERR_DATA);
  assert_string_equal(e.text, "its product is wrong, so its time is not reported");
  assert_false(row.time_s.present || row.flops.present);
  assert_true(row.small_error.present && row.small_error.value > 0);
  assert_true(row.error.present && row.error.value == 0); /* element 77 is none of the sample */
  row.tile.stages = 5;                                    /* 240 KB */
  assert_int_equal(mma_device_product(&d, &row, NULL, &e), ERR_MACHINE);
  assert_string_equal(e.text, "the tile takes 245760 bytes of shared memory per block, and this GPU has 232448");
}

/* 8 blocks of 8 warps with 2 x 8 instructions a turn: between 4000 and 12,000 turns 16 µs for 8000 x 1024 instructions of 16 x 8 x 32. */
static void the_instruction_alone_is_a_slope(void **state) {
  (void)state;
  open_device("s8", MMA_S32, 256, 256, 512);
  assert_int_equal(mma_device_peak(&d, &row, NULL, &e), 0);
  assert_float_equal(row.peak.value / (8000.0 * 1024 * 2 * 16 * 8 * 32 / 16e-6), 1, 1e-5);
  assert_int_equal(n_peaks, 42);
  assert_int_equal(peak_grid, 8);
  assert_int_equal(peak_block, 256);
  assert_int_equal(peak_turns[0], 4000);
  assert_int_equal(peak_turns[41], 12000);
  row.type = mma_type_named("bf16", MMA_F32); /* whose instruction is 16 deep */
  assert_int_equal(mma_device_peak(&d, &row, NULL, &e), 0);
  assert_float_equal(row.peak.value / (8000.0 * 1024 * 2 * 16 * 8 * 16 / 16e-6), 1, 1e-5);
}

/* --- the library --- */

static struct {
  int op_a, op_b, m, n, k, a_type, lda, b_type, ldb, c_type, ldc, compute, algorithm;
  const void *a, *b;
  void *c;
  unsigned alpha, beta;
  size_t calls;
} gemm;

static int lib_gemm(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a,
                    int a_type, int lda, const void *b, int b_type, int ldb, const void *beta, void *c, int c_type,
                    int ldc, int compute, int algorithm) {
  (void)handle;
  size_t calls = gemm.calls + 1;
  memset(&gemm, 0, sizeof gemm);
  gemm.op_a = op_a, gemm.op_b = op_b, gemm.m = m, gemm.n = n, gemm.k = k, gemm.a_type = a_type, gemm.lda = lda,
  gemm.b_type = b_type;
  gemm.ldb = ldb, gemm.c_type = c_type, gemm.ldc = ldc, gemm.compute = compute, gemm.algorithm = algorithm;
  gemm.a = a, gemm.b = b, gemm.c = c, gemm.calls = calls;
  memcpy(&gemm.alpha, alpha, c_type == BLAS_R_16F ? 2 : 4);
  memcpy(&gemm.beta, beta, c_type == BLAS_R_16F ? 2 : 4);
  now_ns += 4000;
  return 0;
}

static int lib_version(cublasHandle_t handle, int *version) {
  (void)handle;
  *version = 130203;
  return 0;
}

static const char *lib_status(int status) {
  return status == 7 ? "seven" : "?";
}

static void cublas_is_asked_for_the_same_product(void **state) {
  static const struct {
    const char *name;
    enum mma_sum sum;
    int type, compute, c_type;
    unsigned one;
  } rows[] = {{"bf16", MMA_F32, 14, 68, 0, 0x3f800000},
              {"fp16", MMA_F32, 2, 68, 0, 0x3f800000},
              {"fp16", MMA_F16, 2, 64, 2, 0x3c00},
              {"s8", MMA_S32, 3, 72, 10, 1}};
  char name[64];
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    open_device(rows[i].name, rows[i].sum, 512, 256, 1024);
    d.cublas_handle = (cublasHandle_t)9;
    d.cublas.cublasGemmEx = lib_gemm;
    d.cublas.cublasGetVersion_v2 = lib_version;
    d.cublas.cublasGetStatusString = lib_status;
    gemm.calls = 0;
    assert_int_equal(mma_device_library(&d, &row, name, &e), 0);
    assert_string_equal(name, "cuBLAS 13.2.3");
    assert_float_equal(row.library.value / (2.0 * 512 * 256 * 1024 / 4e-6), 1, 1e-5);
    assert_int_equal(gemm.calls, 21);
    assert_int_equal(gemm.op_a, BLAS_OP_T);
    assert_int_equal(gemm.op_b, BLAS_OP_N);
    assert_int_equal(gemm.m, 256); /* in the library's column order */
    assert_int_equal(gemm.n, 512);
    assert_int_equal(gemm.k, 1024);
    assert_int_equal(gemm.lda, 1024);
    assert_int_equal(gemm.ldb, 1024);
    assert_int_equal(gemm.ldc, 256);
    assert_ptr_equal(gemm.a, (void *)d.b);
    assert_ptr_equal(gemm.b, (void *)d.a);
    assert_ptr_equal(gemm.c, (void *)d.c);
    assert_int_equal(gemm.a_type, rows[i].type);
    assert_int_equal(gemm.b_type, rows[i].type);
    assert_int_equal(gemm.c_type, rows[i].c_type);
    assert_int_equal(gemm.compute, rows[i].compute);
    assert_int_equal(gemm.algorithm, -1);
    assert_int_equal(gemm.alpha, rows[i].one);
    assert_int_equal(gemm.beta, 0);
  }
}

static void what_cublas_has_not(void **state) {
  static const struct {
    const char *name;
    enum mma_sum sum;
  } rows[] = {{"u8", MMA_S32},   {"s8-u8", MMA_S32}, {"s4", MMA_S32},  {"e4m3", MMA_F16},
              {"mxf8", MMA_F32}, {"nvf4", MMA_F32},  {"e3m2", MMA_F32}};
  char name[64] = "";
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    open_device(rows[i].name, rows[i].sum, 256, 256, 512);
    assert_int_equal(mma_device_library(&d, &row, name, &e), ERR_MACHINE);
    assert_string_equal(e.text, "cuBLAS has no such product");
  }
  open_device("s8", MMA_S32, 256, 256, 512);
  setenv("NVFP4_LIBCUBLAS", "/nonexistent/libcublas.so", 1);
  setenv("NVFP4_LIBCUBLASLT", "/nonexistent/libcublasLt.so", 1);
  assert_int_equal(mma_device_library(&d, &row, name, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "NVFP4_LIBCUBLAS: /nonexistent/libcublas.so"));
  row.type = mma_type_named("e4m3", MMA_F32);
  assert_int_equal(mma_device_library(&d, &row, name, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "NVFP4_LIBCUBLASLT: /nonexistent/libcublasLt.so"));
  assert_string_equal(name, "");
}

static struct {
  int attribute[4], value[4];
  size_t n;
} described;
static struct {
  int type[4];
  uint64_t rows[4], columns[4];
  int64_t ld[4];
  size_t n;
} laid;
static struct {
  const void *a, *b, *c, *d, *algorithm;
  size_t la, lb, lc, ld, workspace, calls;
  float alpha, beta;
} multiplied;
static int algorithms;

static int lt_desc(cublasLtDesc_t *desc, int compute, int scale) {
  *desc = (cublasLtDesc_t)3;
  return compute == BLAS_COMPUTE_32F && scale == BLAS_R_32F ? 0 : 7;
}
static int lt_set(cublasLtDesc_t desc, int attribute, const void *value, size_t bytes) {
  (void)desc;
  described.attribute[described.n] = attribute;
  memcpy(&described.value[described.n++], value, 4);
  return bytes == 4 ? 0 : 7;
}
static int lt_layout(cublasLtLayout_t *layout, int t, uint64_t rows, uint64_t columns, int64_t ld) {
  laid.type[laid.n] = t;
  laid.rows[laid.n] = rows;
  laid.columns[laid.n] = columns;
  laid.ld[laid.n++] = ld;
  *layout = (cublasLtLayout_t)laid.n;
  return 0;
}
static int lt_preference(cublasLtPreference_t *preference) {
  *preference = (cublasLtPreference_t)8;
  return 0;
}
static int lt_prefer(cublasLtPreference_t preference, int attribute, const void *value, size_t bytes) {
  (void)preference;
  return attribute == BLASLT_PREFERENCE_WORKSPACE_BYTES && bytes == 8 && *(const size_t *)value == 32 << 20 ? 0 : 7;
}
static int lt_choose(cublasLtHandle_t handle, cublasLtDesc_t desc, cublasLtLayout_t a, cublasLtLayout_t b,
                     cublasLtLayout_t c, cublasLtLayout_t e_, cublasLtPreference_t preference, int wanted,
                     cublasLtHeuristic_t *out, int *n) {
  (void)handle, (void)desc, (void)preference;
  out->algorithm[0] = 99;
  *n = algorithms;
  return (size_t)a == 1 && (size_t)b == 2 && (size_t)c == 3 && (size_t)e_ == 3 && wanted == 1 ? 0 : 7;
}
static int lt_matmul(cublasLtHandle_t handle, cublasLtDesc_t desc, const void *alpha, const void *a,
                     cublasLtLayout_t la, const void *b, cublasLtLayout_t lb, const void *beta, const void *c,
                     cublasLtLayout_t lc, void *to, cublasLtLayout_t ld, const void *algorithm, void *workspace,
                     size_t workspace_bytes, CUstream stream) {
  (void)handle, (void)stream, (void)workspace;
  multiplied.a = a, multiplied.b = b, multiplied.c = c, multiplied.d = to, multiplied.algorithm = algorithm;
  multiplied.la = (size_t)la, multiplied.lb = (size_t)lb, multiplied.lc = (size_t)lc, multiplied.ld = (size_t)ld;
  multiplied.workspace = workspace_bytes;
  multiplied.alpha = *(const float *)alpha, multiplied.beta = *(const float *)beta;
  multiplied.calls++;
  now_ns += 2000;
  return (size_t)desc == 3 && *(const uint64_t *)algorithm == 99 ? 0 : 7;
}

static void cublaslt_is_asked_for_fp8(void **state) {
  char name[64] = "";
  (void)state;
  for (algorithms = 1; algorithms >= 0; algorithms--) {
    open_device("e4m3-e5m2", MMA_F32, 512, 256, 1024);
    described.n = laid.n = multiplied.calls = 0;
    d.blaslt.handle = (cublasLtHandle_t)5;
    d.blaslt.library.cublasLtGetStatusString = lib_status;
    d.blaslt.library.cublasLtMatmulDescCreate = lt_desc;
    d.blaslt.library.cublasLtMatmulDescSetAttribute = lt_set;
    d.blaslt.library.cublasLtMatrixLayoutCreate = lt_layout;
    d.blaslt.library.cublasLtMatmulPreferenceCreate = lt_preference;
    d.blaslt.library.cublasLtMatmulPreferenceSetAttribute = lt_prefer;
    d.blaslt.library.cublasLtMatmulAlgoGetHeuristic = lt_choose;
    d.blaslt.library.cublasLtMatmul = lt_matmul;
    int rc = mma_device_library(&d, &row, name, &e);
    if (!algorithms) {
      assert_int_equal(rc, ERR_GPU);
      assert_string_equal(e.text, "cublasLt has no algorithm for this product");
      break;
    }
    assert_int_equal(rc, 0);
    assert_float_equal(row.library.value / (2.0 * 512 * 256 * 1024 / 2e-6), 1, 1e-4);
    assert_int_equal(multiplied.calls, 21);
    assert_int_equal(described.n, 2);
    assert_int_equal(described.attribute[0], BLASLT_DESC_TRANSA);
    assert_int_equal(described.value[0], BLAS_OP_T);
    assert_int_equal(described.attribute[1], BLASLT_DESC_TRANSB);
    assert_int_equal(described.value[1], BLAS_OP_N);
    static const struct {
      int type;
      uint64_t rows, columns;
    } want[] = {{29, 1024, 256}, {28, 1024, 512}, {0, 256, 512}}; /* B of e5m2 first, in the library's order */
    for (size_t i = 0; i < 3; i++) {
      assert_int_equal(laid.type[i], want[i].type);
      assert_int_equal(laid.rows[i], want[i].rows);
      assert_int_equal(laid.columns[i], want[i].columns);
      assert_int_equal(laid.ld[i], want[i].rows);
    }
    assert_ptr_equal(multiplied.a, (void *)d.b);
    assert_ptr_equal(multiplied.b, (void *)d.a);
    assert_ptr_equal(multiplied.c, (void *)d.c);
    assert_ptr_equal(multiplied.d, (void *)d.c);
    assert_true(multiplied.la == 1 && multiplied.lb == 2 && multiplied.lc == 3 && multiplied.ld == 3);
    assert_int_equal(multiplied.workspace, 32 << 20);
    assert_float_equal(multiplied.alpha, 1, 0);
    assert_float_equal(multiplied.beta, 0, 0);
  }
}

/* --- rows --- */

static struct mma found;

static int explore(const char *types, bool sweep, const struct gpu_probe *on, long k) {
  const struct mma_options o = {.types = types, .arch = "sm_90a", .m = 256, .n = 256, .k = k, .sweep = sweep};
  e = (struct err){0};
  return mma_explore(&found, &o, on, &e);
}

static void types_are_chosen_by_name_and_pattern(void **state) {
  (void)state;
  assert_int_equal(explore("s8,e5*", false, NULL, 256), 0);
  assert_int_equal(found.n, 5); /* s8; e5m2 and e5m2-e4m3 with two sums each */
  assert_string_equal(found.rows[0].type->name, "s8");
  assert_string_equal(found.rows[1].type->name, "e5m2");
  assert_string_equal(found.rows[4].type->name, "e5m2-e4m3");
  assert_int_equal(found.rows[0].tile.m, 256);
  assert_true(found.rows[0].compiled);
  assert_string_equal(found.rows[0].time_s.reason, "nothing was run: it was compiled only");
  assert_string_equal(found.rows[0].library.reason, "nothing was run: it was compiled only");
  assert_string_equal(found.nvrtc, "13.7");
  assert_int_equal(explore("s8", true, NULL, 256), 0);
  assert_int_equal(found.n, 12); /* every tile */
  assert_int_equal(found.rows[11].tile.stages, 6);
  assert_int_equal(explore(NULL, false, NULL, 256), 0);
  assert_int_equal(found.n, n_mma_types);
  assert_int_equal(explore("bf16,fp5", false, NULL, 256), ERR_USAGE);
  assert_non_null(strstr(e.text, "--type: no type 'fp5'; known: bf16, fp16, s8, u8, s8-u8,"));
}

static void sizes_are_whole_tiles(void **state) {
  static const long bad[] = {0, 128, 300, 32769, 33024};
  (void)state;
  for (size_t i = 0; i < 5; i++) {
    char text[128];
    assert_int_equal(explore("s8", false, NULL, bad[i]), ERR_USAGE);
    snprintf(text, sizeof text, "--size 256x256x%ld: %ld is not a multiple of 256 from 256 to 32768", bad[i], bad[i]);
    assert_string_equal(e.text, text);
  }
}

static void a_smaller_chip_has_a_smaller_tile(void **state) {
  (void)state;
  setenv("NVFP4_LIBCUDA", FAKES "/whole/libcuda.so.1", 1);
  gpu = (struct gpu_probe){.sm = 90, .sms = 4, .smem_optin = 100000};
  assert_int_equal(explore("s8,u8", false, &gpu, 256), 0);
  assert_int_equal(found.n, 2);
  assert_int_equal(found.rows[0].tile.m,
                   192); /* the first of at most 100,000 bytes is 192 x 128, by 64 in 4 stages: 81,920 */
  assert_string_equal(found.rows[0].time_s.reason,
                      "its product is wrong, so its time is not reported"); /* the fake writes nothing */
  assert_true(found.rows[0].error.present);
  assert_non_null(strstr(found.rows[0].library.reason, "libcublas.so"));
  assert_string_equal(found.rows[1].library.reason, "cuBLAS has no such product");
  setenv("NVFP4_FAKE", "cuModuleLoadData=700", 1);
  assert_int_equal(explore("s8,u8", false, &gpu, 256), 0); /* each by a process of its own */
  assert_non_null(strstr(found.rows[0].time_s.reason, "cuModuleLoadData"));
  assert_non_null(strstr(found.rows[1].peak.reason, "cuModuleLoadData"));
  setenv("NVFP4_FAKE", "cuInit=100", 1);
  assert_int_equal(explore("s8", false, &gpu, 256), ERR_MACHINE);
  assert_non_null(strstr(e.text, "mma: cuInit"));
  unsetenv("NVFP4_FAKE");
}

static void defines_are_the_rows(void **state) {
  static const char *const want[] = {
      "-DMMA=\"mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3\"",
      "-DACC_F32",
      "-DSCALES=0x38383838",
      "-DBLOCK_M=1",
      "-DBLOCK_N=2",
      "-DBLOCK_K=3",
      "-DWARPS_M=4",
      "-DWARPS_N=5",
      "-DSTAGES=6",
      "-DGROUP_M=7",
      "-DPEAK_CHAINS=8"};
  struct mma_defines defines;
  (void)state;
  row = (struct mma_row){.type = mma_type_named("nvf4", MMA_F32), .tile = {1, 2, 3, 4, 5, 6, 7}};
  mma_defines_of(&defines, &row);
  assert_int_equal(defines.n, 11);
  for (size_t i = 0; i < 11; i++)
    assert_string_equal(defines.options[i], want[i]);
  row.type = mma_type_named("fp16", MMA_F16);
  mma_defines_of(&defines, &row);
  assert_int_equal(defines.n, 10);
  assert_string_equal(defines.options[1], "-DACC_F16");
  assert_string_equal(defines.options[2], "-DBLOCK_M=1");
}

/* Each type's instruction names its formats and its sum, and an instruction multiplies 32 bytes of each row. */
static void instructions_are_their_types(void **state) {
  (void)state;
  for (size_t i = 0; i < n_mma_types; i++) {
    const struct mma_type *t = &mma_types[i];
    char depth[16];
    snprintf(depth, sizeof depth, ".m16n8k%d.", 256 / mma_format_bits(t->a));
    assert_non_null(strstr(t->ptx, depth));
    assert_int_equal(mma_format_bits(t->a), mma_format_bits(t->b));
    const char *sum = t->sum == MMA_F32 ? ".f32." : t->sum == MMA_F16 ? ".f16." : ".s32.";
    assert_non_null(strstr(t->ptx, sum));
    assert_int_equal(t->scales != NULL, strstr(t->ptx, "block_scale") != NULL);
    assert_string_equal(t->unit, t->sum == MMA_S32             ? "IMMA"
                                 : mma_format_bits(t->a) == 16 ? "HMMA"
                                 : mma_format_bits(t->a) == 4  ? "OMMA"
                                                               : "QMMA");
  }
}

static int open_all(void **state) {
  return own_open(state);
}

static int close_all(void **state) {
  close_device();
  return own_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_product_is_timed),
      cmocka_unit_test(a_wrong_product_is_not),
      cmocka_unit_test(the_instruction_alone_is_a_slope),
      cmocka_unit_test(cublas_is_asked_for_the_same_product),
      cmocka_unit_test(what_cublas_has_not),
      cmocka_unit_test(cublaslt_is_asked_for_fp8),
      cmocka_unit_test(types_are_chosen_by_name_and_pattern),
      cmocka_unit_test(sizes_are_whole_tiles),
      cmocka_unit_test(a_smaller_chip_has_a_smaller_tile),
      cmocka_unit_test(defines_are_the_rows),
      cmocka_unit_test(instructions_are_their_types),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
