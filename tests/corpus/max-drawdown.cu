//! problem:   generic
//! id:        max-drawdown-direct
//! ladder:    max-drawdown
//! size:      N = 16M
//! param:     DAYS = 64
//! buffer:    profit = fp16[N]; init = random
//! buffer:    drawdown = fp32[N / DAYS]
//! output:    drawdown
//! step:      kernel = drawdowns; grid = N / DAYS / 128; block = 128; args = profit, drawdown
//! reference: kernel = drawdowns_plain; grid = N / DAYS / 256; block = 256; args = profit, drawdown
//! tolerance: 1e-4 1e-5
//! note:      the largest fall from a peak of each of 256 K accounts, whose daily profits, in fp16, lie one after the other

//! id:        max-drawdown
//! parent:    max-drawdown-direct
//! change:    a block brings 32 days of its accounts to shared memory, a warp a row
//! predicts:  time < 0.7x
//! step:      kernel = drawdowns_tiled; grid = N / DAYS / 128; block = 128; args = profit, drawdown

#include <cuda_fp16.h>

struct account {
  float equity = 0, peak = 0, fall = 0;
  __device__ void day(float profit) {
    equity += profit;
    peak = fmaxf(peak, equity);
    fall = fmaxf(fall, peak - equity);
  }
};

extern "C" __global__ void __launch_bounds__(128) drawdowns(const __half *__restrict__ profit,
                                                            float *__restrict__ drawdown) {
  int i = blockIdx.x * 128 + threadIdx.x;
  const __half *own = profit + (size_t)i * DAYS;
  account a;
#pragma unroll 4
  for (int d = 0; d < DAYS; d++)
    a.day(__half2float(own[d]));
  drawdown[i] = a.fall;
}

extern "C" __global__ void __launch_bounds__(128) drawdowns_tiled(const __half *__restrict__ profit,
                                                                  float *__restrict__ drawdown) {
  __shared__ float tile[128][33];
  int first = blockIdx.x * 128, lane = threadIdx.x % 32;
  account a;
  for (int from = 0; from < DAYS; from += 32) {
    __syncthreads();
#pragma unroll 8
    for (int row = threadIdx.x / 32; row < 128; row += 4)
      tile[row][lane] = __half2float(profit[(size_t)(first + row) * DAYS + from + lane]);
    __syncthreads();
#pragma unroll 8
    for (int d = 0; d < 32; d++)
      a.day(tile[threadIdx.x][d]);
  }
  drawdown[first + threadIdx.x] = a.fall;
}

extern "C" __global__ void drawdowns_plain(const __half *profit, float *drawdown) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double equity = 0, peak = 0, fall = 0;
  for (int d = 0; d < DAYS; d++) {
    equity += __half2float(profit[(size_t)i * DAYS + d]);
    peak = fmax(peak, equity);
    fall = fmax(fall, peak - equity);
  }
  drawdown[i] = fall;
}
