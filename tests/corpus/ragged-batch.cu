//! problem:   generic
//! id:        ragged-static
//! ladder:    ragged-batch
//! size:      N = 16M
//! param:     SEGMENTS = 8192
//! buffer:    x = fp32[2 * N]; init = random
//! buffer:    means = fp32[SEGMENTS]
//! output:    means
//! scratch:   begin = 4 * (SEGMENTS + 1)
//! scratch:   next = 4
//! setup:     kernel = make_segments; grid = 1; block = 1; args = begin, 2 * N
//! reset:     fill next = 0
//! step:      kernel = each_its_share; grid = sms; block = 1024; args = x, begin, means
//! reference: kernel = means_double; grid = SEGMENTS; block = 32; args = x, begin, means
//! tolerance: 1e-5 1e-4
//! flops:     2 * N
//! note:      sequences sorted by length, as a batch often is: the longest sixteen times as long as the shortest

//! id:        ragged-queue
//! parent:    ragged-static
//! change:    a block takes the next sequence when it has done one, instead of a share of neighbours
//! predicts:  time < 0.8x; dram_bytes within 5%
//! step:      kernel = as_they_come; grid = sms; block = 1024; args = x, begin, means, next

extern "C" __global__ void make_segments(int *begin, int n) {
  double at = 0, total = 0;
  for (int s = 0; s < SEGMENTS; s++)
    total += exp2(4.0 * (SEGMENTS - s) / SEGMENTS);
  for (int s = 0; s < SEGMENTS; s++) {
    begin[s] = at;
    at += exp2(4.0 * (SEGMENTS - s) / SEGMENTS) * n / total;
  }
  begin[SEGMENTS] = n;
}

__device__ void mean_of(int s, const float *__restrict__ x, const int *__restrict__ begin, float *means) {
  __shared__ float warps[32];
  float sum = 0;
#pragma unroll 8
  for (int i = begin[s] + threadIdx.x; i < begin[s + 1]; i += 1024)
    sum += x[i];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 32; i++)
      sum += warps[i];
    means[s] = sum / (begin[s + 1] - begin[s]);
  }
  __syncthreads();
}

extern "C" __global__ void each_its_share(const float *x, const int *begin, float *means) {
  int share = (SEGMENTS + gridDim.x - 1) / gridDim.x;
  for (int s = blockIdx.x * share; s < min((blockIdx.x + 1) * share, SEGMENTS); s++)
    mean_of(s, x, begin, means);
}

extern "C" __global__ void as_they_come(const float *x, const int *begin, float *means, int *next) {
  __shared__ int s;
  for (;;) {
    if (threadIdx.x == 0)
      s = atomicAdd(next, 1);
    __syncthreads();
    if (s >= SEGMENTS)
      return;
    mean_of(s, x, begin, means);
  }
}

extern "C" __global__ void means_double(const float *x, const int *begin, float *means) {
  double sum = 0;
  for (int i = begin[blockIdx.x] + threadIdx.x; i < begin[blockIdx.x + 1]; i += 32)
    sum += x[i];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0)
    means[blockIdx.x] = sum / (begin[blockIdx.x + 1] - begin[blockIdx.x]);
}
