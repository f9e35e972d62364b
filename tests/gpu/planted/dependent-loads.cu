//! id:         planted-dependent-loads
//! ladder:     control
//! change:     plants dependent-loads: each load's address is what the load before read
//! param:      STEPS = 64
//! param:      WORDS = 16777216
//! scratch:    next = WORDS * 4
//! setup:      kernel = link; grid = WORDS / 256; block = 256; args = next, WORDS
//! step:       kernel = chase; grid = sms; block = 64; args = next, c, WORDS, STEPS
//! output:     none
//! bytes:      sms * 64 * 4 * STEPS
//! flops:      0
//! id:         planted-dependent-loads-large
//! param:      STEPS = 512

#include <cuda_fp16.h>

/* A walk with a large odd stride: every word is met once, and neighbours in time are far apart in memory. */
extern "C" __global__ void link(unsigned *next, int words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = (i + 5592407u) & unsigned(words - 1);
}

extern "C" __global__ void chase(const unsigned *next, __half *c, int words, int steps) {
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 1973u & unsigned(words - 1);
#pragma unroll 4
  for (int s = 0; s < steps; s++)
    at = next[at];
  if (at == 0xffffffffu)
    c[0] = __float2half(1.0f);
}
