//! problem:   generic
//! id:        fht-exchange
//! ladder:    fht-exchange
//! size:      N = 16M
//! param:     PAD = 0
//! buffer:    x = fp16[2 * N]; init = random
//! buffer:    y = fp16[2 * N]
//! output:    y
//! step:      kernel = hadamard; grid = 2 * N / 2048; block = 256; args = x, y
//! reference: kernel = hadamard_plain; grid = 2 * N / 512; block = 512; args = x, y
//! flops:     18 * N
//! note:      Walsh-Hadamard transforms of 512, as activations are rotated; eight numbers a thread, 64 threads a row

//! id:        fht-exchange-padded
//! parent:    fht-exchange
//! change:    rows of nine words in shared memory, instead of eight
//! param:     PAD = 1
//! predicts:  time < 0.75x; dram_bytes within 5%

#include <cuda_fp16.h>

// The transform of three bits of the index, all in registers.
__device__ void butterflies(float (&v)[8]) {
#pragma unroll
  for (int bit = 1; bit < 8; bit *= 2)
#pragma unroll
    for (int k = 0; k < 8; k++)
      if (!(k & bit)) {
        float sum = v[k] + v[k | bit];
        v[k | bit] = v[k] - v[k | bit];
        v[k] = sum;
      }
}

extern "C" __global__ void hadamard(const uint4 *__restrict__ x, __half *__restrict__ y) {
  __shared__ float rows[4][64][8 + PAD];
  float(*row)[8 + PAD] = rows[threadIdx.x / 64], v[8];
  int t = threadIdx.x % 64, high = t / 8, low = t % 8;
  uint4 in = x[blockIdx.x * 256 + threadIdx.x];
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = __half2float(((const __half *)&in)[k]);
  butterflies(v);
#pragma unroll
  for (int k = 0; k < 8; k++)
    row[t][k] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = row[high * 8 + k][low];
  butterflies(v);
#pragma unroll
  for (int k = 0; k < 8; k++)
    row[high * 8 + k][low] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = row[k * 8 + high][low];
  butterflies(v);
#pragma unroll
  for (int k = 0; k < 8; k++)
    y[blockIdx.x * 2048 + threadIdx.x / 64 * 512 + k * 64 + t] = __float2half(v[k] * 0.0441941738f); // 512^-0.5
}

// A block a row, a thread a result.
extern "C" __global__ void hadamard_plain(const __half *x, __half *y) {
  size_t row = blockIdx.x * (size_t)512;
  float s = 0;
  for (int i = 0; i < 512; i++)
    s += __half2float(x[row + i]) * (__popc(i & threadIdx.x) % 2 ? -1 : 1);
  y[row + threadIdx.x] = __float2half(s / sqrtf(512));
}
