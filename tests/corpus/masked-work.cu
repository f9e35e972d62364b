//! problem:   generic
//! id:        masked-in-place
//! ladder:    masked-work
//! size:      N = 16M
//! buffer:    live = u8[N / 2]; init = random
//! buffer:    x = fp32[N / 2]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! step:      kernel = in_place; grid = N / 2 / 2048; block = 256; args = live, x, y
//! reference: kernel = in_place; grid = N / 2 / 2048; block = 256; args = live, x, y
//! flops:     128 * N / 16
//! note:      about one cell in eight is alive; the others are copied

//! id:        masked-compacted
//! parent:    masked-in-place
//! change:    a block first lists its live cells in shared memory, so that full warps do the work
//! predicts:  time < 0.7x; inst < 0.5x; dram_bytes within 10%
//! step:      kernel = compacted; grid = N / 2 / 2048; block = 256; args = live, x, y

enum { CELLS = 2048 };

__device__ float react(float v) {
  float s = v;
#pragma unroll
  for (int k = 0; k < 128; k++)
    s = fmaf(s, 0.98f, v * s);
  return s;
}

extern "C" __global__ void in_place(const unsigned char *live, const float *x, float *y) {
#pragma unroll 1
  for (int i = blockIdx.x * CELLS + threadIdx.x; i < (blockIdx.x + 1) * CELLS; i += 256)
    y[i] = live[i] < 13 ? react(x[i] * 0.01f) : x[i];
}

extern "C" __global__ void compacted(const unsigned char *live, const float *x, float *y) {
  __shared__ int cells[CELLS], n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  for (int i = blockIdx.x * CELLS + threadIdx.x; i < (blockIdx.x + 1) * CELLS; i += 256) {
    if (live[i] < 13)
      cells[atomicAdd(&n, 1)] = i;
    else
      y[i] = x[i];
  }
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < n; k += 256)
    y[cells[k]] = react(x[cells[k]] * 0.01f);
}
