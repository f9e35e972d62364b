//! problem:   generic
//! id:        reduce-atomic
//! ladder:    reduce
//! size:      N = 64M
//! buffer:    x = fp32[N]; init = random
//! buffer:    sum = fp32[1]
//! output:    sum
//! reset:     fill sum = 0
//! step:      kernel = reduce_atomic; grid = 8 * sms; block = 256; args = x, sum, N
//! reference: kernel = reduce_double; grid = 1; block = 1024; args = x, sum, N
//! tolerance: 0.5 1e-4
//! bytes:     4 * N
//! flops:     N
//! note:      the sum of N numbers in [-1, 1) is of the order of sqrt(N / 3): 4700

//! id:        reduce-float4
//! parent:    reduce-atomic
//! change:    16-byte loads, four sums a thread
//! predicts:  inst < 0.5x; dram_bytes within 5%
//! step:      kernel = reduce_float4; grid = 8 * sms; block = 256; args = x, sum, N

//! id:        reduce-two-pass
//! parent:    reduce-float4
//! change:    one partial sum a block, added by a second kernel: no atomics, and no reset
//! reset:
//! scratch:   partial = 4 * 8 * sms
//! step:      kernel = reduce_blocks; grid = 8 * sms; block = 256; args = x, partial, N
//! step:      kernel = reduce_blocks; grid = 1; block = 256; args = partial, sum, 8 * sms

__device__ float warp_sum(float s) {
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  return s;
}

extern "C" __global__ void reduce_atomic(const float *x, float *sum, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += x[i];
  s = warp_sum(s);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, s);
}

__device__ float thread_sum(const float *x, int n) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  float4 s = {0, 0, 0, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    float4 v = x4[i];
    s.x += v.x;
    s.y += v.y;
    s.z += v.z;
    s.w += v.w;
  }
  return s.x + s.y + s.z + s.w;
}

extern "C" __global__ void reduce_float4(const float *x, float *sum, int n) {
  float s = warp_sum(thread_sum(x, n));
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, s);
}

extern "C" __global__ void reduce_blocks(const float *x, float *out, int n) {
  __shared__ float warps[32];
  float s = warp_sum(thread_sum(x, n));
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = warp_sum(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0);
    if (threadIdx.x == 0)
      out[blockIdx.x] = s;
  }
}

extern "C" __global__ void reduce_double(const float *x, float *sum, int n) {
  __shared__ double parts[1024];
  double s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s += x[i];
  parts[threadIdx.x] = s;
  __syncthreads();
  for (int half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *sum = parts[0];
}
