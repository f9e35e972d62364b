//! problem:   generic
//! id:        sum-atomic-a-thread
//! ladder:    sum-atomics
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    sum = fp32[1]
//! output:    sum
//! reset:     fill sum = 0
//! step:      kernel = sum_threads; grid = N / 64 / 256; block = 256; args = x, sum, N
//! reference: kernel = sum_double; grid = 1; block = 1024; args = x, sum, N
//! tolerance: 0.5 1e-3
//! flops:     N

//! id:        sum-atomic-a-block
//! parent:    sum-atomic-a-thread
//! change:    one atomic addition a block, after shuffles and shared memory, instead of one a thread
//! predicts:  time < 0.8x; dram_bytes within 5%
//! step:      kernel = sum_blocks; grid = N / 64 / 256; block = 256; args = x, sum, N

__device__ float sum_thread(const float *x, int n) {
  float s = 0;
#pragma unroll 8
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += x[i];
  return s;
}

extern "C" __global__ void sum_threads(const float *__restrict__ x, float *sum, int n) {
  atomicAdd(sum, sum_thread(x, n));
}

extern "C" __global__ void sum_blocks(const float *__restrict__ x, float *sum, int n) {
  __shared__ float warps[8];
  float s = sum_thread(x, n);
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++)
      s += warps[i];
    atomicAdd(sum, s);
  }
}

extern "C" __global__ void sum_double(const float *x, float *sum, int n) {
  __shared__ double s[1024];
  s[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    s[threadIdx.x] += x[i];
  __syncthreads();
  for (int stride = 512; stride; stride /= 2) {
    if (threadIdx.x < stride)
      s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *sum = s[0];
}
