//! problem:   generic
//! id:        dot-one-load
//! ladder:    dot-flight
//! size:      N = 16M
//! param:     AT_ONCE = 1
//! buffer:    x = fp32[2 * N]; init = random
//! buffer:    y = fp32[2 * N]; init = random
//! buffer:    sum = fp32[1]
//! output:    sum
//! reset:     fill sum = 0
//! step:      kernel = dot; grid = 3 * sms; block = 256; args = x, y, sum, 2 * N
//! reference: kernel = dot_double; grid = 1; block = 1024; args = x, y, sum, 2 * N
//! tolerance: 0.5 1e-3
//! flops:     4 * N

//! id:        dot-eight-loads
//! parent:    dot-one-load
//! change:    eight loads of each vector under way before the first is used
//! param:     AT_ONCE = 8
//! predicts:  time < 0.6x; dram_bytes within 5%

extern "C" __global__ void dot(const float *__restrict__ x, const float *__restrict__ y, float *sum, int n) {
  float s = 0;
  int all = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += AT_ONCE * all) {
    float a[AT_ONCE], b[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
      bool there = i + k * all < n;
      a[k] = there ? x[i + k * all] : 0;
      b[k] = there ? y[i + k * all] : 0;
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
      s += a[k] * b[k];
  }
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, s);
}

extern "C" __global__ void dot_double(const float *x, const float *y, float *sum, int n) {
  __shared__ double s[1024];
  s[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    s[threadIdx.x] += (double)x[i] * y[i];
  __syncthreads();
  for (int stride = 512; stride; stride /= 2) {
    if (threadIdx.x < stride)
      s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *sum = s[0];
}
