//! problem:   generic
//! id:        dct-pitch-256
//! ladder:    block-dct
//! size:      N = 16M
//! param:     WIDTH = 4096
//! param:     PITCH = 256
//! buffer:    residual = i16[N]; init = random
//! buffer:    coefficient = fp16[N]
//! output:    coefficient
//! step:      kernel = dct; grid = WIDTH / 256, N / WIDTH / 8; block = 256; args = residual, coefficient
//! reference: kernel = dct_double; grid = WIDTH / 256, N / WIDTH; block = 256; args = residual, coefficient
//! tolerance: 1e-2 2e-3
//! flops:     10 * N
//! note:      cosine transforms of 8 x 8 pixels; a block has 32 of them side by side, first their columns, then their rows

//! id:        dct-pitch-257
//! parent:    dct-pitch-256
//! change:    a row of the tile is 257 words from the next instead of 256
//! param:     PITCH = 257
//! predicts:  time < 0.9x; dram_bytes within 5%

#include <cuda_fp16.h>

__device__ void dct8(float (&v)[8]) {
  float s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
  float d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
  const float c1 = 0.49039264f, c2 = 0.46193977f, c3 = 0.41573481f, c4 = 0.35355339f, c5 = 0.27778512f,
              c6 = 0.19134172f, c7 = 0.09754516f;
  v[0] = (s0 + s3 + (s1 + s2)) * c4;
  v[4] = (s0 + s3 - (s1 + s2)) * c4;
  v[2] = (s0 - s3) * c2 + (s1 - s2) * c6;
  v[6] = (s0 - s3) * c6 - (s1 - s2) * c2;
  v[1] = d0 * c1 + d1 * c3 + d2 * c5 + d3 * c7;
  v[3] = d0 * c3 - d1 * c7 - d2 * c1 - d3 * c5;
  v[5] = d0 * c5 - d1 * c1 + d2 * c7 + d3 * c3;
  v[7] = d0 * c7 - d1 * c5 + d2 * c3 - d3 * c1;
}

extern "C" __global__ void dct(const short *__restrict__ residual, __half *__restrict__ coefficient) {
  __shared__ float tile[8 * PITCH];
  int corner = blockIdx.y * 8 * WIDTH + blockIdx.x * 256 + threadIdx.x;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = residual[corner + k * WIDTH];
  dct8(v);
#pragma unroll
  for (int k = 0; k < 8; k++)
    tile[k * PITCH + threadIdx.x] = v[k];
  __syncthreads();
  float *row = tile + threadIdx.x % 8 * PITCH + threadIdx.x / 8 * 8;
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = row[k];
  dct8(v);
#pragma unroll
  for (int k = 0; k < 8; k++)
    row[k] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++)
    coefficient[corner + k * WIDTH] = __float2half(tile[k * PITCH + threadIdx.x]);
}

extern "C" __global__ void dct_double(const short *residual, __half *coefficient) {
  int column = blockIdx.x * 256 + threadIdx.x, u = column % 8, v = blockIdx.y % 8;
  const short *first = residual + (blockIdx.y - v) * WIDTH + column - u;
  double along[8], sum = 0;
  for (int i = 0; i < 8; i++)
    along[i] = cospi((2 * i + 1) * u / 16.0);
  for (int j = 0; j < 8; j++) {
    double line = 0;
    for (int i = 0; i < 8; i++)
      line += first[j * WIDTH + i] * along[i];
    sum += line * cospi((2 * j + 1) * v / 16.0);
  }
  sum *= 0.25 * (u ? 1 : sqrt(0.5)) * (v ? 1 : sqrt(0.5));
  coefficient[blockIdx.y * WIDTH + column] = __float2half((float)sum);
}
