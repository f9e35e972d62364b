//! problem:   generic
//! id:        saxpy
//! ladder:    saxpy
//! size:      N = 64M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]; init = random
//! output:    y
//! param:     THREADS = 256 in {128, 256, 512, 1024}
//! step:      kernel = saxpy; grid = ceil(N / THREADS); block = THREADS; args = x, y, f32(1.5), N
//! reference: kernel = saxpy_plain; grid = 1024; block = 256; args = x, y, f32(1.5), N
//! bytes:     3 * 4 * N
//! flops:     2 * N

//! id:        saxpy-float4
//! parent:    saxpy
//! change:    16-byte loads and stores, four elements a thread
//! predicts:  inst < 0.5x; dram_bytes within 5%
//! step:      kernel = saxpy_float4; grid = ceil(N / 4 / THREADS); block = THREADS; args = x, y, f32(1.5), N

extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// Whole float4 only: N is a multiple of 4.
extern "C" __global__ void saxpy_float4(const float4 *x, float4 *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  float4 u = x[i], v = y[i];
  v.x = a * u.x + v.x;
  v.y = a * u.y + v.y;
  v.z = a * u.z + v.z;
  v.w = a * u.w + v.w;
  y[i] = v;
}

extern "C" __global__ void saxpy_plain(const float *x, float *y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}
