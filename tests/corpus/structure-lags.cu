//! problem:   generic
//! id:        structure-lags-tiles
//! ladder:    structure-lags
//! size:      N = 16M
//! param:     TILE = 4096
//! buffer:    velocity = fp32[N]; init = random
//! buffer:    sum = fp32[8]
//! output:    sum
//! reset:     fill sum = 0
//! step:      kernel = lags; grid = 132; block = 512; args = velocity, sum, N / TILE
//! reference: kernel = lags_plain; grid = 8; block = 1024; args = velocity, sum, N / TILE
//! tolerance: 200 1e-3
//! note:      second-order structure functions of a hot-wire record: squared differences at lags of 1 to 8 samples, within records of 4096

//! id:        structure-lags
//! parent:    structure-lags-tiles
//! change:    the next record comes by cp.async while this one is worked on
//! predicts:  time < 0.8x
//! step:      kernel = lags_ahead; grid = 132; block = 512; args = velocity, sum, N / TILE

#define LAGS 8

// the last samples of a record begin no pair
__device__ void accumulate(const float *record, float *s) {
#pragma unroll
  for (int k = 0; k < TILE / 512; k++) {
    int i = k * 512 + threadIdx.x;
    if (k == TILE / 512 - 1 && i >= TILE - LAGS)
      break;
    float v = record[i];
#pragma unroll
    for (int lag = 1; lag <= LAGS; lag++) {
      float d = record[i + lag] - v;
      s[lag - 1] += d * d;
    }
  }
}

__device__ void deliver(const float *s, float *sum) {
#pragma unroll
  for (int k = 0; k < LAGS; k++) {
    float v = s[k];
    for (int offset = 16; offset; offset /= 2)
      v += __shfl_xor_sync(~0u, v, offset);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&sum[k], v);
  }
}

extern "C" __global__ void __launch_bounds__(512, 1) lags(const float4 *__restrict__ velocity, float *sum, int records) {
  __shared__ float4 record[TILE / 4];
  float s[LAGS] = {};
  for (int r = blockIdx.x; r < records; r += gridDim.x) {
#pragma unroll
    for (int k = 0; k < TILE / 4 / 512; k++)
      record[k * 512 + threadIdx.x] = velocity[(size_t)r * (TILE / 4) + k * 512 + threadIdx.x];
    __syncthreads();
    accumulate((const float *)record, s);
    __syncthreads();
  }
  deliver(s, sum);
}

__device__ void ask(float4 *record, const float4 *from) {
#pragma unroll
  for (int k = 0; k < TILE / 4 / 512; k++) {
    int i = k * 512 + threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(&record[i])),
                 "l"(from + i)
                 : "memory");
  }
}

extern "C" __global__ void __launch_bounds__(512, 1) lags_ahead(const float4 *__restrict__ velocity, float *sum,
                                                             int records) {
  __shared__ float4 record[2][TILE / 4];
  float s[LAGS] = {};
  int turn = 0;
  ask(record[0], velocity + (size_t)blockIdx.x * (TILE / 4));
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int r = blockIdx.x; r < records; r += gridDim.x, turn ^= 1) {
    int next = r + gridDim.x;
    if (next < records)
      ask(record[turn ^ 1], velocity + (size_t)next * (TILE / 4));
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    accumulate((const float *)record[turn], s);
    __syncthreads();
  }
  deliver(s, sum);
}

extern "C" __global__ void lags_plain(const float *velocity, float *sum, int records) {
  __shared__ double part[1024];
  int lag = blockIdx.x + 1;
  double s = 0;
  for (int i = threadIdx.x; i < records * TILE; i += 1024)
    if (i % TILE < TILE - LAGS) {
      double d = (double)velocity[i + lag] - velocity[i];
      s += d * d;
    }
  part[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 1024; k++)
      s += part[k];
    sum[blockIdx.x] = s;
  }
}
