//! id:         control-cublas-int8
//! ladder:     control
//! change:     cuBLAS on weights and vector quantised anew to int8, a scale a row: 1.78 times the bytes; then the sums are scaled by a kernel of ours
//! host:       cublas
//! param:      COLUMNS = 1 in {1, 16}
//! scratch:    a8 = M * K * L
//! scratch:    b8 = COLUMNS * K * L; fill = 0
//! scratch:    a_scale = 4 * M * L
//! scratch:    b_scale = 4 * L
//! scratch:    sums = 4 * COLUMNS * M * L
//! setup:      kernel = quantise; grid = M, L; block = 256; args = a, sfa, a8, a_scale, M, 1, K
//! setup:      kernel = quantise; grid = 1, L; block = 256; args = b, sfb, b8, b_scale, 128, COLUMNS, K
//! step:       call = gemm-int8; args = a8, b8, sums, COLUMNS
//! step:       kernel = scaled; grid = ceil(M / 256), L; block = 256; args = sums, a_scale, b_scale, c, M, COLUMNS
//! bytes:      M * K * L + COLUMNS * K * L + (8 * COLUMNS + 6) * M * L
//! accumulate: fp16
//! limits:     contest == 1 || K >= 4096 && scale_max <= 8
//! needs:      sm >= 80 && M % 4 == 0
//! note:       quantised once, outside the measured range; the scale is a power of two, so that contest inputs are exact
//! note:       limits: int8 keeps a row's largest value to 1 in 127, so a short row is off by more than fp16 sums would be; emulated for rows of random codes,
//!             0.5 of the tolerance at K = 7168 and 1 at 2048.  The time is the same either way

//! id:         control-cublas-int8-columns
//! change:     the same with 16 columns, of which one is wanted, as the tensor cores take them
//! param:      COLUMNS = 16

//! id:         control-cublas-int8-product
//! change:     the product alone, its int32 sums not scaled: what a library that fuses the scaling could reach
//! step:       call = gemm-int8; args = a8, b8, sums, COLUMNS
//! output:     none
//! bytes:      M * K * L + COLUMNS * K * L + 4 * COLUMNS * M * L
//! accumulate:
//! limits:
//! note:       the sums of control-cublas-int8, which is checked

#include "common/decode_intrinsic.cuh"

constexpr int THREADS = 256;

/* A block a row: the largest value, then every value as a multiple of the least power of two that takes it to at most 127. */
extern "C" __global__ void __launch_bounds__(THREADS)
    quantise(const uint8_t *__restrict__ codes, const uint8_t *__restrict__ scales, signed char *__restrict__ out,
             float *__restrict__ row_scale, int stored, int columns, int K) {
  __shared__ float largest[THREADS / 32];
  const int rows = gridDim.x;
  const int64_t from = int64_t(blockIdx.y) * stored + blockIdx.x;
  const int64_t to = (int64_t(blockIdx.y) * rows + blockIdx.x) * columns;
  const uint8_t *const row = codes + from * (K / 2), *const row_scales = scales + from * (K / 16);
  const auto pair_at = [&](int i) {
    return __half22float2(__hmul2(e2m1x2_intrinsic(row[i]), __float2half2_rn(e4m3_intrinsic(row_scales[i / 8]))));
  };

  float most = 0;
  for (int i = threadIdx.x; i < K / 2; i += THREADS) {
    const float2 v = pair_at(i);
    most = fmaxf(most, fmaxf(fabsf(v.x), fabsf(v.y)));
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
  if (threadIdx.x % 32 == 0)
    largest[threadIdx.x / 32] = most;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < THREADS / 32; ++i)
    most = fmaxf(most, largest[i]);

  const float scale = most > 0 ? exp2f(ceilf(log2f(most / 127.0f))) : 1.0f;
  for (int i = threadIdx.x; i < K / 2; i += THREADS) {
    const float2 v = pair_at(i);
    out[to * K + 2 * i] = static_cast<signed char>(__float2int_rn(v.x / scale));
    out[to * K + 2 * i + 1] = static_cast<signed char>(__float2int_rn(v.y / scale));
  }
  if (threadIdx.x == 0)
    row_scale[int64_t(blockIdx.y) * rows + blockIdx.x] = scale;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    scaled(const int *__restrict__ sums, const float *__restrict__ a_scale, const float *__restrict__ b_scale,
           __half *__restrict__ c, int M, int columns) {
  const int row = blockIdx.x * THREADS + threadIdx.x;
  const int64_t batch = blockIdx.y;
  if (row < M)
    c[batch * M + row] =
        __float2half(float(sums[batch * columns * M + row]) * a_scale[batch * M + row] * b_scale[batch]);
}
