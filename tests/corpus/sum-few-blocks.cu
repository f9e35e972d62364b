//! problem:   generic
//! id:        sum-few-blocks
//! ladder:    sum-few-blocks
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    sum = fp32[1]
//! output:    sum
//! reset:     fill sum = 0
//! step:      kernel = sum_squares; grid = 64; block = 256; args = x, sum, N / 4
//! reference: kernel = sum_double; grid = 1; block = 1024; args = x, sum, N
//! tolerance: 0.5 1e-4
//! flops:     2 * N

//! id:        sum-full-grid
//! parent:    sum-few-blocks
//! change:    eight blocks an SM instead of 64 blocks in all
//! predicts:  time < 0.6x; dram_bytes within 5%; inst within 20%
//! step:      kernel = sum_squares; grid = 8 * sms; block = 256; args = x, sum, N / 4

extern "C" __global__ void sum_squares(const float4 *__restrict__ x, float *sum, int n) {
  __shared__ float warps[8];
  float s = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += x[i].x * x[i].x + x[i].y * x[i].y + x[i].z * x[i].z + x[i].w * x[i].w;
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
    s[threadIdx.x] += (double)x[i] * x[i];
  __syncthreads();
  for (int stride = 512; stride; stride /= 2) {
    if (threadIdx.x < stride)
      s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *sum = s[0];
}
