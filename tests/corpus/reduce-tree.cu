//! problem:   generic
//! id:        tree-interleaved
//! ladder:    reduce-tree
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    sums = fp32[N / 1024]
//! output:    sums
//! step:      kernel = sum_interleaved; grid = N / 1024; block = 1024; args = x, sums
//! reference: kernel = sums_double; grid = N / 1024 / 64; block = 64; args = x, sums
//! tolerance: 1e-3 1e-5
//! flops:     N

//! id:        tree-sequential
//! parent:    tree-interleaved
//! change:    each step adds the upper half to the lower, instead of neighbours at a growing stride
//! predicts:  shared_bank_conflicts < 0.1x; time < 0.9x; dram_bytes within 5%
//! step:      kernel = sum_sequential; grid = N / 1024; block = 1024; args = x, sums

extern "C" __global__ void sum_interleaved(const float *x, float *sums) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  for (int stride = 1; stride < 1024; stride *= 2) {
    int at = 2 * stride * threadIdx.x;
    if (at < 1024)
      s[at] += s[at + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = s[0];
}

extern "C" __global__ void sum_sequential(const float *x, float *sums) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  for (int stride = 512; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = s[0];
}

extern "C" __global__ void sums_double(const float *x, float *sums) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < 1024; i++)
    s += x[block * 1024 + i];
  sums[block] = s;
}
