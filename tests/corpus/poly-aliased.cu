//! problem:   generic
//! id:        poly-aliased
//! ladder:    poly-aliased
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    c = fp32[48]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = poly_aliased; grid = 4 * sms; block = 256; args = x, c, y, N
//! reference: kernel = poly_double; grid = N / 256; block = 256; args = x, c, y
//! tolerance: 1e-4 1e-5
//! flops:     2 * 48 * N

//! id:        poly-restrict
//! parent:    poly-aliased
//! change:    __restrict__: the 48 coefficients are loaded once a thread, since no store can change them
//! predicts:  inst < 0.8x; time < 0.9x
//! step:      kernel = poly_restrict; grid = 4 * sms; block = 256; args = x, c, y, N

extern "C" __global__ void __launch_bounds__(256, 4) poly_aliased(const float *x, const float *c, float *y, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i], s = 0;
#pragma unroll
    for (int k = 0; k < 48; k++)
      s = s * v + c[k];
    y[i] = s;
  }
}

extern "C" __global__ void __launch_bounds__(256, 3)
    poly_restrict(const float *__restrict__ x, const float *__restrict__ c, float *__restrict__ y, int n) {
  float own[48];
#pragma unroll
  for (int k = 0; k < 48; k++)
    own[k] = c[k];
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i], s = 0;
#pragma unroll
    for (int k = 0; k < 48; k++)
      s = s * v + own[k];
    y[i] = s;
  }
}

extern "C" __global__ void poly_double(const float *x, const float *c, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < 48; k++)
    s = s * x[i] + c[k];
  y[i] = s;
}
