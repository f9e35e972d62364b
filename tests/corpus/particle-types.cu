//! problem:   generic
//! id:        types-interleaved
//! ladder:    particle-types
//! size:      N = 16M
//! buffer:    x = fp32[N / 2]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! step:      kernel = interleaved; grid = N / 2 / 256; block = 256; args = x, y
//! reference: kernel = interleaved; grid = N / 2 / 256; block = 256; args = x, y
//! flops:     96 * N / 2
//! note:      every fourth particle is of the same type, and each type has a law of its own

//! id:        types-by-warp
//! parent:    types-interleaved
//! change:    the 256 particles of a block dealt out so that those of a warp are of one type
//! predicts:  time < 0.7x; inst < 0.6x; dram_bytes within 10%
//! step:      kernel = by_warp; grid = N / 2 / 256; block = 256; args = x, y

__device__ float law(int type, float v) {
  float s = v;
  switch (type) {
  case 0:
#pragma unroll
    for (int k = 0; k < 48; k++)
      s = fmaf(s, 0.9f, v);
    return s;
  case 1:
#pragma unroll
    for (int k = 0; k < 48; k++)
      s = fmaxf(s * 0.75f, v - s);
    return s;
  case 2:
#pragma unroll
    for (int k = 0; k < 24; k++)
      s = fminf(s * s, 0.5f) + fabsf(s - v);
    return s;
  default:
#pragma unroll
    for (int k = 0; k < 24; k++)
      s = (s - v) * (0.25f + s) * 0.25f;
    return s;
  }
}

extern "C" __global__ void interleaved(const float *x, float *y) {
  int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = law(i % 4, x[i]);
}

extern "C" __global__ void by_warp(const float *x, float *y) {
  int i = blockIdx.x * 256 + threadIdx.x % 64 * 4 + threadIdx.x / 64;
  y[i] = law(i % 4, x[i]);
}
