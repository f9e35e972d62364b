//! problem:   generic
//! id:        stage-in-turn
//! ladder:    stage-overlap
//! size:      N = 16M
//! param:     TILE = 4096
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N / TILE]
//! output:    y
//! step:      kernel = in_turn; grid = sms; block = 256; smem = 8 * TILE; args = x, y, N / TILE
//! reference: kernel = scores_double; grid = N / TILE; block = 32; args = x, y
//! tolerance: 1e-3 1e-4
//! flops:     2 * 16 * N
//! note:      one block an SM, as where other buffers fill shared memory

//! id:        stage-ahead
//! parent:    stage-in-turn
//! change:    the next tile is copied (cp.async) into a second buffer while this one is worked on
//! predicts:  time < 0.8x; dram_bytes within 5%
//! step:      kernel = ahead; grid = sms; block = 256; smem = 8 * TILE; args = x, y, N / TILE

#include <cuda_pipeline.h>

__device__ void copy(float *tile, const float *x, int t) {
  for (int i = threadIdx.x * 4; i < TILE; i += 1024)
    __pipeline_memcpy_async(tile + i, x + (size_t)t * TILE + i, 16);
  __pipeline_commit();
}

// Every number against 16 others of its tile.
__device__ void score(const float *tile, float *y) {
  __shared__ float warps[8];
  float s = 0;
  for (int i = threadIdx.x; i < TILE; i += 256) {
    float v = tile[i];
#pragma unroll
    for (int k = 1; k <= 16; k++)
      s += v * tile[(i + 32 * k) % TILE];
  }
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++)
      s += warps[i];
    *y = s;
  }
}

extern "C" __global__ void in_turn(const float *x, float *y, int tiles) {
  extern __shared__ __align__(16) float held[];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    copy(held, x, t);
    __pipeline_wait_prior(0);
    __syncthreads();
    score(held, y + t);
    __syncthreads();
  }
}

extern "C" __global__ void ahead(const float *x, float *y, int tiles) {
  extern __shared__ __align__(16) float held[];
  int turn = 0;
  copy(held, x, blockIdx.x);
  for (int t = blockIdx.x; t < tiles; t += gridDim.x, turn ^= 1) {
    copy(held + (turn ^ 1) * TILE, x, min(t + gridDim.x, tiles - 1));
    __pipeline_wait_prior(1);
    __syncthreads();
    score(held + turn * TILE, y + t);
    __syncthreads();
  }
}

extern "C" __global__ void scores_double(const float *x, float *y) {
  const float *tile = x + (size_t)blockIdx.x * TILE;
  double s = 0;
  for (int i = threadIdx.x; i < TILE; i += 32)
    for (int k = 1; k <= 16; k++)
      s += (double)tile[i] * tile[(i + 32 * k) % TILE];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x == 0)
    y[blockIdx.x] = s;
}
