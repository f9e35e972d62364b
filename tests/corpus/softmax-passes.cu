//! problem:   generic
//! id:        softmax-kernels
//! ladder:    softmax-passes
//! size:      N = 16M
//! param:     COLS = 4096
//! buffer:    x = fp32[2 * N]; init = random
//! buffer:    y = fp32[2 * N]
//! output:    y
//! scratch:   top = 4 * 2 * N / COLS
//! scratch:   total = 4 * 2 * N / COLS
//! step:      kernel = row_max; grid = 2 * N / COLS; block = 256; args = x, top
//! step:      kernel = row_sum; grid = 2 * N / COLS; block = 256; args = x, top, total
//! step:      kernel = row_scale; grid = 2 * N / COLS; block = 256; args = x, top, total, y
//! reference: kernel = softmax_plain; grid = 2 * N / COLS / 64; block = 64; args = x, y
//! tolerance: 1e-7 1e-4
//! flops:     10 * N

//! id:        softmax-one-kernel
//! parent:    softmax-kernels
//! change:    one kernel that keeps a row in registers between its one read and its one write
//! predicts:  dram_bytes < 0.7x; time < 0.7x
//! step:      kernel = softmax; grid = 2 * N / COLS; block = 256; args = x, y

enum { PER = COLS / 256 };

template <bool MAX> __device__ float block_all(float s) {
  __shared__ float warps[8];
  for (int offset = 16; offset; offset /= 2) {
    float other = __shfl_xor_sync(0xffffffff, s, offset);
    s = MAX ? fmaxf(s, other) : s + other;
  }
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = warps[0];
  for (int i = 1; i < 8; i++)
    s = MAX ? fmaxf(s, warps[i]) : s + warps[i];
  return s;
}

enum { MAX = 1, SUM = 2, STORE = 4 };

// The steps that a kernel makes; it reads what the others have left.
template <int STEPS> __device__ void row_softmax(const float *x, float *top, float *total, float *y) {
  float v[PER], m = -1e30f, s = 0;
#pragma unroll
  for (int i = 0; i < PER; i++)
    v[i] = x[(size_t)blockIdx.x * COLS + i * 256 + threadIdx.x];
  if (STEPS & MAX) {
#pragma unroll
    for (int i = 0; i < PER; i++)
      m = fmaxf(m, v[i]);
    m = block_all<true>(m);
  }
  if (STEPS == MAX)
    top[blockIdx.x] = m;
  if (!(STEPS & MAX))
    m = top[blockIdx.x];
  if (STEPS & SUM) {
#pragma unroll
    for (int i = 0; i < PER; i++)
      s += __expf(v[i] - m);
    s = block_all<false>(s);
  }
  if (STEPS == SUM)
    total[blockIdx.x] = s;
  if (STEPS == STORE)
    s = total[blockIdx.x];
#pragma unroll
  for (int i = 0; i < PER && STEPS & STORE; i++)
    y[(size_t)blockIdx.x * COLS + i * 256 + threadIdx.x] = __expf(v[i] - m) / s;
}

extern "C" __global__ void row_max(const float *x, float *top) { row_softmax<MAX>(x, top, 0, 0); }
extern "C" __global__ void row_sum(const float *x, float *top, float *total) { row_softmax<SUM>(x, top, total, 0); }
extern "C" __global__ void row_scale(const float *x, float *top, float *total, float *y) {
  row_softmax<STORE>(x, top, total, y);
}
extern "C" __global__ void softmax(const float *x, float *y) { row_softmax<MAX | SUM | STORE>(x, 0, 0, y); }

extern "C" __global__ void softmax_plain(const float *x, float *y) {
  size_t row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++)
    s += expf(x[row * COLS + i]);
  for (int i = 0; i < COLS; i++)
    y[row * COLS + i] = expf(x[row * COLS + i]) / s;
}
