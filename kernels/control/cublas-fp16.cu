//! id:         control-cublas-fp16
//! ladder:     control
//! change:     cuBLAS on weights dequantised to fp16, 3.56 times the bytes; of its paths the one that is fastest on an H200
//! host:       cublas
//! scratch:    a16 = 2 * M * K * L
//! scratch:    b16 = 2 * K * L
//! setup:      kernel = dequantise; grid = ceil(M * L * K / 16 / 256); block = 256; args = a, sfa, a16, M, M, K, L
//! setup:      kernel = dequantise; grid = ceil(L * K / 16 / 256); block = 256; args = b, sfb, b16, 1, 128, K, L
//! step:       call = gemv-batched; args = a16, b16, c; when = L == 1
//! step:       call = gemv; args = a16, b16, c; when = L > 1
//! bytes:      2 * M * K * L + 2 * K * L + 2 * M * L
//! accumulate: fp32
//! needs:      sm >= 80
//! note:       dequantised once, outside the measured range: e2m1 times e4m3 has six significant bits and is exact in fp16
//! note:       cuBLAS 13.1 on an H200 runs the same matrix-product kernels for gemm and gemv; at L = 1 they split K and add a second kernel,
//!             which gemv-batched does not, and is 2 to 4 % faster; at L > 1 gemv-batched is up to 6 % slower

//! id:         control-cublas-fp16-gemm
//! change:     the same by cublasGemmEx, and by cublasGemmStridedBatchedEx where L > 1, as a product of one column
//! step:       call = gemm; args = a16, b16, c
//! note:

//! id:         control-cublas-fp16-gemv
//! change:     the same by cublasHSHgemvStridedBatched
//! step:       call = gemv; args = a16, b16, c
//! note:

//! id:         control-cublas-fp16-gemv-batched
//! change:     the same by cublasHSHgemvBatched
//! step:       call = gemv-batched; args = a16, b16, c
//! note:

#include "common/decode_intrinsic.cuh"

/* One thread a block of 16 values.  Of each batch's stored rows the first `rows` are taken. */
extern "C" __global__ void __launch_bounds__(256)
    dequantise(const uint8_t *__restrict__ codes, const uint8_t *__restrict__ scales, __half *__restrict__ out,
               int rows, int stored, int K, int L) {
  const int64_t row_blocks = K / 16, blocks = int64_t(rows) * L * row_blocks;
  const int64_t block = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (block >= blocks)
    return;
  const int64_t row = block / row_blocks;
  const int64_t from = (row / rows * stored + row % rows) * row_blocks + block % row_blocks;

  const uint2 packed = reinterpret_cast<const uint2 *>(codes)[from];
  const __half2 scale = __float2half2_rn(e4m3_intrinsic(scales[from]));
  __half2 values[8];
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const uint32_t word = i < 4 ? packed.x : packed.y;
    values[i] = __hmul2(e2m1x2_intrinsic(word >> 8 * (i % 4) & 0xff), scale);
  }
  uint4 *to = reinterpret_cast<uint4 *>(out) + 2 * block;
  to[0] = reinterpret_cast<const uint4 *>(values)[0];
  to[1] = reinterpret_cast<const uint4 *>(values)[1];
}
