//! problem:   generic
//! id:        galaxy-in-turn
//! ladder:    galaxy-neighbours
//! size:      N = 16M
//! param:     TILE = 128
//! buffer:    point = fp32[2 * TILE * sms]; init = random
//! buffer:    count = i32[TILE * sms]
//! output:    count
//! step:      kernel = in_turn; grid = sms; block = TILE; args = point, count
//! reference: kernel = count_plain; grid = sms; block = TILE; args = point, count, TILE * sms
//! flops:     4 * TILE * sms * TILE * sms
//! note:      the neighbours within an angle on a patch of sky; tiles go through shared memory, one block an SM

//! id:        galaxy-ahead
//! parent:    galaxy-in-turn
//! change:    three tiles are under way (cp.async) while one is worked on
//! predicts:  time < 0.87x; dram_bytes within 10%
//! step:      kernel = ahead; grid = sms; block = TILE; args = point, count

#include <cuda_pipeline.h>

// fmaf, so that all kernels round alike.
__device__ bool near_to(float2 a, float2 b) {
  float x = a.x - b.x, y = a.y - b.y;
  return fmaf(x, x, y * y) < 0.1f;
}

__device__ int tile_count(float2 own, const float2 *tile) {
  int n = 0;
#pragma unroll 16
  for (int k = 0; k < TILE; k++)
    n += near_to(own, tile[k]);
  return n;
}

extern "C" __global__ void in_turn(const float2 *point, int *count) {
  __shared__ float2 tile[TILE];
  float2 own = point[blockIdx.x * TILE + threadIdx.x];
  int n = 0;
  for (int t = 0; t < gridDim.x; t++) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &point[t * TILE + threadIdx.x], 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    n += tile_count(own, tile);
    __syncthreads();
  }
  count[blockIdx.x * TILE + threadIdx.x] = n;
}

extern "C" __global__ void ahead(const float2 *point, int *count) {
  __shared__ float2 tile[4][TILE];
  float2 own = point[blockIdx.x * TILE + threadIdx.x];
  int n = 0;
  for (int t = -3; t < (int)gridDim.x; t++) {
    if (t + 3 < gridDim.x)
      __pipeline_memcpy_async(&tile[(t + 3) % 4][threadIdx.x], &point[(t + 3) * TILE + threadIdx.x], 8);
    __pipeline_commit();
    if (t < 0)
      continue;
    __pipeline_wait_prior(3);
    __syncthreads();
    n += tile_count(own, tile[t % 4]);
    __syncthreads();
  }
  count[blockIdx.x * TILE + threadIdx.x] = n;
}

extern "C" __global__ void count_plain(const float2 *point, int *count, int points) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
  for (int j = 0; j < points; j++)
    n += near_to(point[i], point[j]);
  count[i] = n;
}
