//! problem:   generic
//! id:        bias-block-a-row
//! ladder:    bias-rows
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    bias = fp32[64]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = bias_relu_row; grid = N / 64; block = 64; args = x, bias, y
//! reference: kernel = bias_plain; grid = 1024; block = 256; args = x, bias, y, N
//! flops:     2 * N
//! note:      bias and ReLU behind a narrow layer of 64 channels

//! id:        bias-persistent
//! parent:    bias-block-a-row
//! change:    blocks that stay and walk over the rows, each thread keeping its bias, instead of a block a row
//! predicts:  blocks < 0.1x; time < 0.7x; dram_bytes within 10%
//! step:      kernel = bias_relu_rows; grid = 32 * sms; block = 64; args = x, bias, y, N / 64

extern "C" __global__ void bias_relu_row(const float *__restrict__ x, const float *__restrict__ bias,
                                         float *__restrict__ y) {
  int i = blockIdx.x * 64 + threadIdx.x;
  y[i] = fmaxf(x[i] + bias[threadIdx.x], 0);
}

extern "C" __global__ void bias_relu_rows(const float *__restrict__ x, const float *__restrict__ bias,
                                          float *__restrict__ y, int rows) {
  float b = bias[threadIdx.x];
#pragma unroll 8
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    y[row * 64 + threadIdx.x] = fmaxf(x[row * 64 + threadIdx.x] + b, 0);
}

extern "C" __global__ void bias_plain(const float *x, const float *bias, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i] + bias[i % 64];
    y[i] = v > 0 ? v : 0;
  }
}
