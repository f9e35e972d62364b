//! problem:   generic
//! id:        spring-no-fma
//! ladder:    spring-flags
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! options:   --fmad=false
//! step:      kernel = spring; grid = N / 1024; block = 256; args = x, y
//! reference: kernel = spring_double; grid = N / 256; block = 256; args = x, y
//! tolerance: 1e-4 1e-4
//! flops:     4 * 48 * N
//! note:      48 steps of a damped spring, four springs a thread

//! id:        spring-fma
//! parent:    spring-no-fma
//! change:    the compiler may fuse: no --fmad=false
//! options:
//! predicts:  inst < 0.7x; time < 0.8x; dram_bytes within 5%

extern "C" __global__ void spring(const float4 *x, float4 *y) {
  float4 start = x[blockIdx.x * 256 + threadIdx.x];
  float at[4] = {start.x, start.y, start.z, start.w}, speed[4] = {};
#pragma unroll
  for (int step = 0; step < 48; step++)
#pragma unroll
    for (int c = 0; c < 4; c++) {
      speed[c] = speed[c] * 0.98f + at[c] * -0.01f;
      at[c] = at[c] + speed[c] * 0.1f;
    }
  y[blockIdx.x * 256 + threadIdx.x] = make_float4(at[0], at[1], at[2], at[3]);
}

extern "C" __global__ void spring_double(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double at = x[i], speed = 0;
  for (int step = 0; step < 48; step++) {
    speed = speed * 0.98f + at * -0.01f;
    at = at + speed * 0.1f;
  }
  y[i] = at;
}
