/* cuBLAS's headers are in no small package: the functions and constants used here, from NVIDIA's cuBLAS reference.  Enumerations are ints here. */
#pragma once

#include <cuda.h>

#include <stddef.h>
#include <stdint.h>

/* cublasOperation_t, cudaDataType, cublasComputeType_t, cublasGemmAlgo_t */
enum { BLAS_OP_N = 0, BLAS_OP_T = 1 };
enum { BLAS_R_32F = 0, BLAS_R_16F = 2, BLAS_R_8I = 3, BLAS_R_32I = 10, BLAS_R_16BF = 14 };
enum { BLAS_R_8F_E4M3 = 28, BLAS_R_8F_E5M2 = 29, BLAS_R_4F_E2M1 = 33 };
enum { BLAS_COMPUTE_16F = 64, BLAS_COMPUTE_32F = 68, BLAS_COMPUTE_32I = 72 };
enum { BLAS_GEMM_DEFAULT = -1 };

typedef struct cublasContext *cublasHandle_t;
int cublasCreate_v2(cublasHandle_t *handle);
int cublasSetStream_v2(cublasHandle_t handle, CUstream stream);
int cublasGetVersion_v2(cublasHandle_t handle, int *version);
const char *cublasGetStatusString(int status);
int cublasGemmEx(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha, const void *a,
                 int a_type, int lda, const void *b, int b_type, int ldb, const void *beta, void *c, int c_type,
                 int ldc, int compute_type, int algorithm);
int cublasGemmStridedBatchedEx(cublasHandle_t handle, int op_a, int op_b, int m, int n, int k, const void *alpha,
                               const void *a, int a_type, int lda, long long stride_a, const void *b, int b_type,
                               int ldb, long long stride_b, const void *beta, void *c, int c_type, int ldc,
                               long long stride_c, int batches, int compute_type, int algorithm);
int cublasHSHgemvBatched(cublasHandle_t handle, int op, int m, int n, const float *alpha, const void *const *a, int lda,
                         const void *const *x, int incx, const float *beta, void *const *y, int incy, int batches);
int cublasHSHgemvStridedBatched(cublasHandle_t handle, int op, int m, int n, const float *alpha, const void *a, int lda,
                                long long stride_a, const void *x, int incx, long long stride_x, const float *beta,
                                void *y, int incy, long long stride_y, int batches);

/* cublasLtMatmulDescAttributes_t, cublasLtMatmulMatrixScale_t, cublasLtMatmulPreferenceAttributes_t */
enum {
  BLASLT_DESC_TRANSA = 3,
  BLASLT_DESC_TRANSB = 4,
  BLASLT_DESC_A_SCALE_POINTER = 17,
  BLASLT_DESC_B_SCALE_POINTER = 18,
  BLASLT_DESC_A_SCALE_MODE = 31,
  BLASLT_DESC_B_SCALE_MODE = 32,
  BLASLT_SCALE_VEC16_UE4M3 = 1,
  BLASLT_PREFERENCE_WORKSPACE_BYTES = 1,
};

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtDesc *cublasLtDesc_t;     /* of a product */
typedef struct cublasLtLayout *cublasLtLayout_t; /* of a matrix */
typedef struct cublasLtPreference *cublasLtPreference_t;
typedef struct {
  uint64_t algorithm[8];
  size_t workspace_bytes;
  int state;
  float waves;
  int reserved[4];
} cublasLtHeuristic_t;
int cublasLtCreate(cublasLtHandle_t *handle);
size_t cublasLtGetVersion(void);
const char *cublasLtGetStatusString(int status);
int cublasLtMatmul(cublasLtHandle_t handle, cublasLtDesc_t desc, const void *alpha, const void *a,
                   cublasLtLayout_t a_layout, const void *b, cublasLtLayout_t b_layout, const void *beta, const void *c,
                   cublasLtLayout_t c_layout, void *d, cublasLtLayout_t d_layout, const void *algorithm,
                   void *workspace, size_t workspace_bytes, CUstream stream);
int cublasLtMatmulDescCreate(cublasLtDesc_t *desc, int compute_type, int scale_type);
int cublasLtMatmulDescSetAttribute(cublasLtDesc_t desc, int attribute, const void *value, size_t bytes);
int cublasLtMatrixLayoutCreate(cublasLtLayout_t *layout, int type, uint64_t rows, uint64_t columns, int64_t ld);
int cublasLtMatmulPreferenceCreate(cublasLtPreference_t *preference);
int cublasLtMatmulPreferenceSetAttribute(cublasLtPreference_t preference, int attribute, const void *value,
                                         size_t bytes);
int cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtDesc_t desc, cublasLtLayout_t a, cublasLtLayout_t b,
                                   cublasLtLayout_t c, cublasLtLayout_t d, cublasLtPreference_t preference, int wanted,
                                   cublasLtHeuristic_t *out, int *n);
