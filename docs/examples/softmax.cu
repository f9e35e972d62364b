//! problem:   generic
//! id:        softmax-three-kernels
//! ladder:    softmax
//! size:      ROWS = 8192
//! size:      COLS = 4096
//! buffer:    x = fp16[ROWS * COLS]; init = random
//! buffer:    y = fp16[ROWS * COLS]
//! output:    y
//! scratch:   row_max = 4 * ROWS
//! scratch:   row_sum = 4 * ROWS
//! step:      kernel = rows_max; grid = ROWS; block = 256; args = x, row_max, COLS
//! step:      kernel = rows_sum; grid = ROWS; block = 256; args = x, row_max, row_sum, COLS
//! step:      kernel = rows_divide; grid = ROWS; block = 256; args = x, row_max, row_sum, y, COLS
//! reference: kernel = softmax_double; grid = ceil(ROWS / 64); block = 64; args = x, y, ROWS, COLS
//! tolerance: 1e-6 2e-3
//! bytes:     2 * 2 * ROWS * COLS
//! flops:     5 * ROWS * COLS

//! id:        softmax-fused
//! parent:    softmax-three-kernels
//! change:    one kernel: a block a row, the row kept in registers between its one read and its one write
//! predicts:  time < 0.7x
//! constants: COLS
//! step:      kernel = softmax_fused; grid = ROWS; block = 256; args = x, y

#include <cuda_fp16.h>

constexpr float LOWEST = -65504; // of fp16

struct maximum {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Every thread of the block of 256 gets the result.
template <class Op> __device__ float block_reduce(float s, Op op) {
  __shared__ float warps[8];
  for (int offset = 16; offset; offset /= 2)
    s = op(s, __shfl_xor_sync(0xffffffff, s, offset));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = warps[0];
  for (int i = 1; i < 8; i++)
    s = op(s, warps[i]);
  return s;
}

extern "C" __global__ void rows_max(const __half *x, float *row_max, int cols) {
  float m = LOWEST;
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    m = fmaxf(m, __half2float(x[(size_t)blockIdx.x * cols + i]));
  m = block_reduce(m, maximum());
  if (threadIdx.x == 0)
    row_max[blockIdx.x] = m;
}

extern "C" __global__ void rows_sum(const __half *x, const float *row_max, float *row_sum, int cols) {
  float s = 0, m = row_max[blockIdx.x];
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    s += __expf(__half2float(x[(size_t)blockIdx.x * cols + i]) - m);
  s = block_reduce(s, sum());
  if (threadIdx.x == 0)
    row_sum[blockIdx.x] = s;
}

extern "C" __global__ void rows_divide(const __half *x, const float *row_max, const float *row_sum, __half *y,
                                       int cols) {
  float m = row_max[blockIdx.x], scale = 1 / row_sum[blockIdx.x];
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    size_t at = (size_t)blockIdx.x * cols + i;
    y[at] = __float2half(__expf(__half2float(x[at]) - m) * scale);
  }
}

#ifdef SHAPE_COLS
extern "C" __global__ void __launch_bounds__(256) softmax_fused(const __half *x, __half *y) {
  constexpr int PAIRS = SHAPE_COLS / 2 / 256;
  static_assert(SHAPE_COLS % 512 == 0, "a row is whole pairs for 256 threads");
  const __half2 *in = reinterpret_cast<const __half2 *>(x + (size_t)blockIdx.x * SHAPE_COLS);
  __half2 *out = reinterpret_cast<__half2 *>(y + (size_t)blockIdx.x * SHAPE_COLS);
  float2 v[PAIRS];
  float m = LOWEST, s = 0;
  for (int i = 0; i < PAIRS; i++) {
    v[i] = __half22float2(in[threadIdx.x + i * 256]);
    m = fmaxf(m, fmaxf(v[i].x, v[i].y));
  }
  m = block_reduce(m, maximum());
  for (int i = 0; i < PAIRS; i++) {
    v[i].x = __expf(v[i].x - m);
    v[i].y = __expf(v[i].y - m);
    s += v[i].x + v[i].y;
  }
  float scale = 1 / block_reduce(s, sum());
  for (int i = 0; i < PAIRS; i++)
    out[threadIdx.x + i * 256] = __floats2half2_rn(v[i].x * scale, v[i].y * scale);
}
#endif

extern "C" __global__ void softmax_double(const __half *x, __half *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const __half *in = x + (size_t)row * cols;
  double m = LOWEST, s = 0;
  for (int i = 0; i < cols; i++)
    m = fmax(m, (double)__half2float(in[i]));
  for (int i = 0; i < cols; i++)
    s += exp((double)__half2float(in[i]) - m);
  for (int i = 0; i < cols; i++)
    y[(size_t)row * cols + i] = __double2half(exp((double)__half2float(in[i]) - m) / s);
}
