//! problem:   generic
//! id:        joined-cache
//! ladder:    joined-cache
//! size:      N = 16M
//! buffer:    k = bf16[2 * N]; init = random
//! buffer:    v = bf16[2 * N]; init = random
//! buffer:    norm = fp32[128]; init = random
//! buffer:    cache = bf16[4 * N]
//! output:    cache
//! step:      kernel = store; grid = 2 * N / 8 / 256, 2; block = 256; args = k, v, norm, cache
//! reference: kernel = store_plain; grid = 2 * N / 256; block = 256; args = k, v, norm, cache
//! tolerance: 2e-2 1e-2
//! note:      keys and values, scaled a channel, go to a cache that has eight of the one beside eight of the other

//! id:        joined-cache-b
//! parent:    joined-cache
//! change:    neighbouring threads have the key and the value
//! step:      kernel = store_both; grid = 4 * N / 8 / 256; block = 256; args = k, v, norm, cache

#include <cuda_bf16.h>

typedef uint4 eight;

__device__ eight scaled(eight x, const float4 *norm, int i) {
  float4 a = norm[i % 16 * 2], b = norm[i % 16 * 2 + 1];
  float f[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  __nv_bfloat162 *v = (__nv_bfloat162 *)&x;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    float2 p = __bfloat1622float2(v[j]);
    v[j] = __floats2bfloat162_rn(p.x * f[2 * j], p.y * f[2 * j + 1]);
  }
  return x;
}

// keys by the lower half of the grid, values by the upper
extern "C" __global__ void store(const eight *__restrict__ k, const eight *__restrict__ v,
                                 const float4 *__restrict__ norm, eight *__restrict__ cache) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const eight *from = blockIdx.y ? v : k;
  cache[2 * i + blockIdx.y] = scaled(from[i], norm, i);
}

extern "C" __global__ void store_both(const eight *__restrict__ k, const eight *__restrict__ v,
                                      const float4 *__restrict__ norm, eight *__restrict__ cache) {
  int to = blockIdx.x * blockDim.x + threadIdx.x, i = to / 2;
  const eight *from = to % 2 ? v : k;
  cache[to] = scaled(from[i], norm, i);
}

extern "C" __global__ void store_plain(const __nv_bfloat16 *k, const __nv_bfloat16 *v, const float *norm,
                                       __nv_bfloat16 *cache) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i / 8 * 16 + i % 8;
  cache[at] = __float2bfloat16(__bfloat162float(k[i]) * norm[i % 128]);
  cache[at + 8] = __float2bfloat16(__bfloat162float(v[i]) * norm[i % 128]);
}
