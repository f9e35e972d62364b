//! problem:   generic
//! id:        gelu-double
//! ladder:    gelu-literals
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = gelu_double; grid = N / 256; block = 256; args = x, y
//! reference: kernel = gelu_double; grid = N / 256; block = 256; args = x, y
//! tolerance: 1e-6 1e-5
//! flops:     12 * N

//! id:        gelu-float
//! parent:    gelu-double
//! change:    the suffix f at the constants and at tanh
//! predicts:  inst < 0.7x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = gelu_float; grid = N / 256; block = 256; args = x, y

extern "C" __global__ void gelu_double(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  y[i] = 0.5 * v * (1.0 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
}

extern "C" __global__ void gelu_float(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}
