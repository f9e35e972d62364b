/* Sums over the threads of a row, where a row may span warps. */
#pragma once

#include "common/reduce.cuh"

/* Each of N sums becomes its sum over the ROW_THREADS threads of equal threadIdx.y, of which there are BLOCK_ROWS in a block; ROW_THREADS
 * is a power of two up to 32, or a multiple of 32.  Every thread of the block takes part, once a kernel: the shared memory is not guarded
 * against a second call. */
template <int ROW_THREADS, int BLOCK_ROWS, int N> static __device__ __forceinline__ void sum_rows(float (&sum)[N]) {
  constexpr int WIDTH = ROW_THREADS < 32 ? ROW_THREADS : 32, WARPS = ROW_THREADS / WIDTH;
  static_assert(WARPS * WIDTH == ROW_THREADS, "a row takes whole warps or a power of two lanes");
#pragma unroll
  for (int i = 0; i < N; ++i)
    sum[i] = sum_lanes<WIDTH>(sum[i]);

  if constexpr (WARPS > 1) {
    __shared__ float partial[BLOCK_ROWS][WARPS][N];
    if (threadIdx.x % 32 == 0)
#pragma unroll
      for (int i = 0; i < N; ++i)
        partial[threadIdx.y][threadIdx.x / 32][i] = sum[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; ++i) {
      sum[i] = partial[threadIdx.y][0][i];
#pragma unroll
      for (int warp = 1; warp < WARPS; ++warp)
        sum[i] += partial[threadIdx.y][warp][i];
    }
  }
}

template <int ROW_THREADS, int BLOCK_ROWS> static __device__ __forceinline__ float sum_row(float sum) {
  float sums[1] = {sum};
  sum_rows<ROW_THREADS, BLOCK_ROWS>(sums);
  return sums[0];
}
