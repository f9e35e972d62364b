//! problem:   generic
//! id:        router-balance
//! ladder:    router-balance
//! size:      N = 16M
//! buffer:    logit = fp32[N / 2]; init = random
//! buffer:    load = fp32[128]
//! output:    load
//! reset:     fill load = 0
//! step:      kernel = balance; grid = N / 2 / 64 / 64; block = 256; args = logit, load
//! reference: kernel = balance_plain; grid = 64; block = 1024; args = logit, load, N / 2 / 64
//! tolerance: 4 2e-3
//! note:      for the auxiliary loss of a mixture of 64 experts: each one's probability, and how often it is first

//! id:        router-balance-b
//! parent:    router-balance
//! change:    what a block has found is joined in shared memory
//! step:      kernel = balance_joined; grid = N / 2 / 64 / 64; block = 256; args = logit, load

#define WARPS 8
#define TOKENS 8

// eight tokens a warp, two experts a lane
__device__ void count_tokens(const float2 *logit, float2 &share, float2 &first) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float2 v[TOKENS];
#pragma unroll
  for (int k = 0; k < TOKENS; k++)
    v[k] = logit[(warp * TOKENS + k) * 32 + lane];
#pragma unroll
  for (int k = 0; k < TOKENS; k++) {
    float top = fmaxf(v[k].x, v[k].y);
    for (int d = 16; d; d /= 2)
      top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    first.x += v[k].x == top;
    first.y += v[k].y == top;
    float x = __expf(v[k].x - top), y = __expf(v[k].y - top), sum = x + y;
    for (int d = 16; d; d /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, d);
    share.x += __fdividef(x, sum);
    share.y += __fdividef(y, sum);
  }
}

extern "C" __global__ void __launch_bounds__(256) balance(const float2 *__restrict__ logit, float *load) {
  int lane = threadIdx.x % 32;
  float2 share = {0, 0}, first = {0, 0};
  count_tokens(logit, share, first);
  atomicAdd(&load[2 * lane], share.x);
  atomicAdd(&load[2 * lane + 1], share.y);
  atomicAdd(&load[64 + 2 * lane], first.x);
  atomicAdd(&load[64 + 2 * lane + 1], first.y);
}

extern "C" __global__ void __launch_bounds__(256) balance_joined(const float2 *__restrict__ logit, float *load) {
  __shared__ float part[WARPS][128];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float2 share = {0, 0}, first = {0, 0};
  count_tokens(logit, share, first);
  *(float2 *)&part[warp][2 * lane] = share;
  *(float2 *)&part[warp][64 + 2 * lane] = first;
  __syncthreads();
  if (threadIdx.x < 128) {
    float sum = 0;
    for (int w = 0; w < WARPS; w++)
      sum += part[w][threadIdx.x];
    atomicAdd(&load[threadIdx.x], sum);
  }
}

extern "C" __global__ void balance_plain(const float *logit, float *load, int tokens) {
  __shared__ double share[1024], first[1024];
  int e = blockIdx.x, i = threadIdx.x;
  share[i] = first[i] = 0;
  for (int t = i; t < tokens; t += 1024) {
    float own = logit[t * 64 + e], top = own;
    double sum = 0;
    for (int k = 0; k < 64; k++) {
      top = fmaxf(top, logit[t * 64 + k]);
      sum += exp((double)logit[t * 64 + k]);
    }
    share[i] += exp((double)own) / sum;
    first[i] += own == top;
  }
  __syncthreads();
  if (i == 0) {
    for (int k = 1; k < 1024; k++) {
      share[0] += share[k];
      first[0] += first[k];
    }
    load[e] = share[0];
    load[64 + e] = first[0];
  }
}
