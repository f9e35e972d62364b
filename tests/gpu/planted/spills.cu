//! id:         planted-spills
//! ladder:     control
//! change:     plants spills: 96 sums live at a time in 32 registers
//! param:      TURNS = 64
//! options:    maxrregcount = 32
//! scratch:    buffer = 67108864; fill = 1
//! step:       kernel = many_sums; grid = sms * 8; block = 256; args = buffer, c, TURNS
//! output:     none
//! bytes:      sms * 8 * 256 * 4 * TURNS
//! flops:      sms * 8 * 256 * 96 * TURNS
//! id:         planted-spills-large
//! param:      TURNS = 256

#include <cuda_fp16.h>

extern "C" __global__ void many_sums(const float *__restrict__ values, __half *__restrict__ c, int turns) {
  enum { SUMS = 96 };
  float sums[SUMS];
#pragma unroll
  for (int s = 0; s < SUMS; s++)
    sums[s] = float(s);
  const unsigned all = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int t = 0; t < turns; t++) {
    const float v = values[(blockIdx.x * blockDim.x + threadIdx.x + t * all) & 16777215];
#pragma unroll
    for (int s = 0; s < SUMS; s++)
      sums[s] = sums[s] * v + sums[(s + 7) % SUMS];
  }
  float sum = 0.0f;
#pragma unroll
  for (int s = 0; s < SUMS; s++)
    sum += sums[s];
  if (sum == -1.0f)
    c[0] = __float2half(sum);
}
