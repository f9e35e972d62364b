//! problem:   generic
//! id:        lpc-lag-a-block
//! ladder:    lpc-lags
//! size:      N = 16M
//! param:     FRAME = 4096
//! param:     LAGS = 16
//! param:     EACH = 1
//! buffer:    x = fp32[N + LAGS]; init = random
//! buffer:    products = fp32[N / FRAME * LAGS]
//! output:    products
//! step:      kernel = lagged; grid = LAGS / EACH, N / FRAME; block = 256; args = x, products
//! reference: kernel = lagged_double; grid = LAGS, N / FRAME; block = 32; args = x, products
//! tolerance: 1e-3 1e-4
//! flops:     2 * LAGS * N
//! note:      linear prediction of speech begins with this: each frame's product with the signal 0 to 15 samples further on

//! id:        lpc-eight-lags
//! parent:    lpc-lag-a-block
//! change:    a block makes eight of a frame's sixteen sums instead of one
//! param:     EACH = 8
//! predicts:  time < 0.7x; dram_bytes within 10%

extern "C" __global__ void lagged(const float *__restrict__ x, float *__restrict__ products) {
  __shared__ float warps[EACH][8];
  const float *frame = x + blockIdx.y * FRAME;
  int lag = blockIdx.x * EACH;
  float sum[EACH] = {};
#pragma unroll 4
  for (int first = 0; first < FRAME; first += 256) {
    int i = first + threadIdx.x;
    float mine = frame[i];
#pragma unroll
    for (int k = 0; k < EACH; k++)
      sum[k] += mine * frame[i + lag + k];
  }
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    for (int offset = 16; offset; offset /= 2)
      sum[k] += __shfl_down_sync(0xffffffff, sum[k], offset);
    if (threadIdx.x % 32 == 0)
      warps[k][threadIdx.x / 32] = sum[k];
  }
  __syncthreads();
  if (threadIdx.x < EACH) {
    float total = 0;
    for (int i = 0; i < 8; i++)
      total += warps[threadIdx.x][i];
    products[blockIdx.y * LAGS + lag + threadIdx.x] = total;
  }
}

extern "C" __global__ void lagged_double(const float *x, float *products) {
  const float *frame = x + blockIdx.y * FRAME;
  double sum = 0;
  for (int i = threadIdx.x; i < FRAME; i += 32)
    sum += (double)frame[i] * frame[i + blockIdx.x];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0)
    products[blockIdx.y * LAGS + blockIdx.x] = sum;
}
