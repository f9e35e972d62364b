/* Sums over neighbouring lanes: WIDTH is a power of two up to 32, and every lane of the warp takes part. */
#pragma once

#include <cuda_fp16.h>

template <int WIDTH> static __device__ __forceinline__ float sum_lanes(float x) {
#pragma unroll
  for (int step = WIDTH / 2; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
}

template <int WIDTH> static __device__ __forceinline__ __half sum_lanes(__half x) {
#pragma unroll
  for (int step = WIDTH / 2; step > 0; step /= 2)
    x = __hadd(x, __shfl_xor_sync(0xffffffffu, x, step));
  return x;
}
