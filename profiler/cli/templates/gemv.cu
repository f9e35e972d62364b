// A rung of your own: nvfp4-prof --kernel @NAME@.cu measures it beside the controls, checks it, and says what it waits for; --watch does so at
// every save. The lines that begin with //! describe it; kernels/rung.h lists them all, and a wrong one is named with its line.
//
// The problem: C[m, l] = sum over k of A[m, k, l] * SFA[m, k/16, l] * B[k, l] * SFB[k/16, l]
//   a    L x M x K/2     bytes, two e2m1 numbers each, the low nibble first
//   b    L x 128 x K/2   bytes; row 0 of each batch is the vector
//   sfa  L x M x K/16    bytes, one e4m3 scale for 16 numbers
//   sfb  L x 128 x K/16  bytes; row 0 used
//   c    L x M           fp16

//! id:         @NAME@
//! ladder:     @NAME@
//! param:      WARPS = 4 in {1, 2, 4, 8}
//! step:       kernel = gemv; grid = ceil(M / WARPS), L; block = 32, WARPS
//! accumulate: fp32

// Headers of the shipped rungs are at hand: common/decode.cuh, load.cuh, reduce.cuh, policy.cuh and others.
#include "common/types.cuh"

#include <cuda_fp16.h>

// e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6, and the sign in bit 3.
__device__ float e2m1(unsigned code) {
  int exponent = code >> 1 & 3, mantissa = code & 1;
  float magnitude = exponent ? (2 + mantissa) * (1 << exponent) * 0.25f : mantissa * 0.5f;
  return code & 8 ? -magnitude : magnitude;
}

// e4m3fn: bias 7, subnormal where the exponent is 0.
__device__ float e4m3(unsigned code) {
  int exponent = code >> 3 & 15, mantissa = code & 7;
  float magnitude = exponent ? ldexpf(8 + mantissa, exponent - 10) : ldexpf(mantissa, -9);
  return code & 128 ? -magnitude : magnitude;
}

// One warp a row, one block of 16 numbers (8 bytes) a lane and turn.
extern "C" __global__ void __launch_bounds__(32 * WARPS)
    gemv(const uint8_t *a, const uint8_t *b, const uint8_t *sfa, const uint8_t *sfb, __half *c, int M, int K, int L) {
  const int row = blockIdx.x * WARPS + threadIdx.y, lane = threadIdx.x;
  const int64_t batch = blockIdx.y;
  if (row >= M)
    return;
  const uint8_t *a_row = a + (batch * M + row) * (K / 2), *sfa_row = sfa + (batch * M + row) * (K / 16);
  const uint8_t *b_row = b + batch * 128 * (K / 2), *sfb_row = sfb + batch * 128 * (K / 16);
  float sum = 0;
  for (int block = lane; block < K / 16; block += 32) {
    float part = 0;
    for (int i = 0; i < 8; i++) {
      unsigned x = a_row[block * 8 + i], y = b_row[block * 8 + i];
      part += e2m1(x & 15) * e2m1(y & 15) + e2m1(x >> 4) * e2m1(y >> 4);
    }
    sum += part * e4m3(sfa_row[block]) * e4m3(sfb_row[block]);
  }
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    c[batch * M + row] = __float2half(sum);
}
