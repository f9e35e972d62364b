//! problem:   generic
//! id:        row-sums-thread
//! ladder:    row-sums
//! size:      N = 16M
//! param:     COLS = 128
//! buffer:    x = fp32[2 * N]; init = random
//! buffer:    sums = fp32[2 * N / COLS]
//! output:    sums
//! step:      kernel = sum_thread_a_row; grid = 2 * N / COLS / 256; block = 256; args = x, sums
//! reference: kernel = sums_double; grid = 2 * N / COLS / 256; block = 256; args = x, sums
//! tolerance: 1e-4 1e-5
//! flops:     2 * N

//! id:        row-sums-warp
//! parent:    row-sums-thread
//! change:    a warp a row, its lanes reading neighbouring words, instead of a thread a row
//! predicts:  sectors_per_request < 0.5x; time < 0.8x
//! step:      kernel = sum_warp_a_row; grid = 2 * N / COLS / 8; block = 256; args = x, sums

extern "C" __global__ void sum_thread_a_row(const float *__restrict__ x, float *__restrict__ sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 8
  for (int i = 0; i < COLS; i++)
    s += x[(size_t)row * COLS + i];
  sums[row] = s;
}

extern "C" __global__ void sum_warp_a_row(const float *__restrict__ x, float *__restrict__ sums) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float s = 0;
#pragma unroll
  for (int i = lane; i < COLS; i += 32)
    s += x[(size_t)row * COLS + i];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (lane == 0)
    sums[row] = s;
}

extern "C" __global__ void sums_double(const float *x, float *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++)
    s += x[(size_t)row * COLS + i];
  sums[row] = s;
}
