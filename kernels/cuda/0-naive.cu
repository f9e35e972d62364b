//! id:         cuda-0-naive
//! ladder:     cuda
//! change:     one thread a row, every nibble and, for every element, its scales decoded bit by bit
//! step:       kernel = gemv; grid = ceil(M / 128), L; block = 128
//! accumulate: fp32
//! published:  B200 2000 us geomean "Yue Zhang, From 100us to 22.3us, part 2"
//! note:       neighbouring threads read bytes that lie K/2 apart: each byte costs a sector of 32

#include "common/decode_bits.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const int row = blockIdx.x * 128 + threadIdx.x;
  const int64_t batch = blockIdx.y;
  if (row >= M)
    return;

  const uint8_t *a_row = a + (batch * M + row) * (K / 2);
  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);

  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const int shift = 4 * (k % 2);
    const float value_a = e2m1_from_bits((a_row[k / 2] >> shift) & 15);
    const float value_b = e2m1_from_bits((b_row[k / 2] >> shift) & 15);
    sum += value_a * e4m3_from_bits(sfa_row[k / 16]) * value_b * e4m3_from_bits(sfb_row[k / 16]);
  }

  c[batch * M + row] = __float2half(sum);
}
