//! id:         attempts-5-atomics
//! ladder:     attempts
//! parent:     attempts-4-threads-32
//! change:     K split over 32 threads, which add their fp32 sums to the output by atomicAdd; a second launch converts it to fp16
//! predicts:   time < 0.5x; sectors_per_request < 0.5x; bound: latency -> issue
//! claim:      atomics are too expensive [test: bound_atomics > 0.2]
//! cures:      uncoalesced
//! cures:      latency
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 4 in {4, 8, 16}
//! scratch:    sums = 4 * M * L; fill = 0
//! reset:      fill sums = 0
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK; args = a, b, sfa, sfb, sums, M, K, L
//! step:       kernel = convert; grid = ceil(M * L / 256); block = 256; args = sums, c, i64(M * L)
//! accumulate: fp32
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       the output is fp16, so fp32 atomics need a buffer of their own, which is cleared outside the measured range
//! note:       neighbouring threads take neighbouring blocks of 16; the next rung keeps this, so that it differs in how sums meet

#include "common/attempts.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(THREADS_PER_ROW *ROWS_PER_BLOCK)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, float *__restrict__ sums, int M, int K, int L) {
  const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
  const int64_t batch = blockIdx.y;
  if (row >= M)
    return;

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
#pragma unroll 1
  for (int block = threadIdx.x; block < K / 16; block += THREADS_PER_ROW) {
    const uint32_t a_lo = load4(a_row + 8 * block), a_hi = load4(a_row + 8 * block + 4);
    const uint32_t b_lo = load4(b_row + 8 * block), b_hi = load4(b_row + 8 * block + 4);

    const float scale = scale_product(load1(sfa_row + block), load1(sfb_row + block));
    sum = piece_add(a_lo, b_lo, scale, sum);
    sum = piece_add(a_hi, b_hi, scale, sum);
  }

  atomicAdd(&sums[batch * M + row], sum * E2M1_UNSCALE);
}

extern "C" __global__ void __launch_bounds__(256)
    convert(const float *__restrict__ sums, __half *__restrict__ c, int64_t n) {
  const int64_t at = int64_t(blockIdx.x) * 256 + threadIdx.x;
  if (at < n)
    c[at] = __float2half(sums[at]);
}
