//! problem:   generic
//! id:        layernorm-rereads
//! ladder:    layernorm-wide
//! size:      N = 16M
//! param:     COLS = 32768
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = norm_rereads; grid = N / COLS; block = 1024; args = x, y
//! reference: kernel = norm_double; grid = N / COLS; block = 1; args = x, y
//! tolerance: 1e-4 1e-4
//! flops:     7 * N
//! note:      rows of 128 KiB: those at work fill the L2, not the L1

//! id:        layernorm-registers
//! parent:    layernorm-rereads
//! change:    a row kept in registers, 32 numbers a thread, instead of read for mean, variance and result
//! predicts:  l2_read_bytes < 0.6x; dram_bytes within 15%; time < 0.9x
//! step:      kernel = norm_registers; grid = N / COLS; block = 1024; args = x, y

enum { PER = COLS / 1024 };

__device__ float block_sum(float s) {
  __shared__ float warps[32];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_xor_sync(0xffffffff, s, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = warps[threadIdx.x % 32];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_xor_sync(0xffffffff, s, offset);
  return s;
}

extern "C" __global__ void __launch_bounds__(1024, 1) norm_rereads(const float *x, float *y) {
  x += (size_t)blockIdx.x * COLS + threadIdx.x;
  y += (size_t)blockIdx.x * COLS + threadIdx.x;
  float s = 0, mean, scale;
#pragma unroll
  for (int i = 0; i < PER; i++)
    s += __ldcg(x + i * 1024);
  mean = block_sum(s) / COLS, s = 0;
#pragma unroll
  for (int i = 0; i < PER; i++)
    s += (__ldcg(x + i * 1024) - mean) * (__ldcg(x + i * 1024) - mean);
  scale = rsqrtf(block_sum(s) / COLS + 1e-5f);
#pragma unroll
  for (int i = 0; i < PER; i++)
    y[i * 1024] = (__ldcg(x + i * 1024) - mean) * scale;
}

extern "C" __global__ void __launch_bounds__(1024, 1) norm_registers(const float *x, float *y) {
  x += (size_t)blockIdx.x * COLS + threadIdx.x;
  y += (size_t)blockIdx.x * COLS + threadIdx.x;
  float v[PER], s = 0, mean, scale;
#pragma unroll
  for (int i = 0; i < PER; i++)
    s += v[i] = __ldcg(x + i * 1024);
  mean = block_sum(s) / COLS, s = 0;
#pragma unroll
  for (int i = 0; i < PER; i++)
    s += (v[i] - mean) * (v[i] - mean);
  scale = rsqrtf(block_sum(s) / COLS + 1e-5f);
#pragma unroll
  for (int i = 0; i < PER; i++)
    y[i * 1024] = (v[i] - mean) * scale;
}

extern "C" __global__ void norm_double(const float *x, float *y) {
  double s = 0, q = 0;
  for (size_t i = (size_t)blockIdx.x * COLS; i < (blockIdx.x + (size_t)1) * COLS; i++)
    s += x[i], q += (double)x[i] * x[i];
  s /= COLS;
  for (size_t i = (size_t)blockIdx.x * COLS; i < (blockIdx.x + (size_t)1) * COLS; i++)
    y[i] = (x[i] - s) / sqrt(q / COLS - s * s + 1e-5);
}
