//! problem:   generic
//! id:        topk-rereads
//! ladder:    topk-rows
//! size:      N = 16M
//! param:     COLS = 8192
//! param:     TOP = 8
//! buffer:    x = fp32[N]; init = random
//! buffer:    best = fp32[N / COLS * TOP]
//! output:    best
//! step:      kernel = topk_rereads; grid = N / COLS; block = 256; args = x, best
//! reference: kernel = topk_plain; grid = N / COLS / 32; block = 32; args = x, best
//! bytes:     4 * N + 4 * N / COLS * TOP

//! id:        topk-registers
//! parent:    topk-rereads
//! change:    the row kept in registers, 32 numbers a thread, instead of read again for each of the eight
//! predicts:  l1_load_bytes < 0.3x; time < 0.8x
//! step:      kernel = topk_registers; grid = N / COLS; block = 256; args = x, best

enum { PER = COLS / 256 };
typedef unsigned long long ordered; // a number and its place, which order as the number does

__device__ ordered order(float v, int i) {
  unsigned bits = __float_as_uint(v);
  return (ordered)(bits & 0x80000000u ? ~bits : bits | 0x80000000u) << 32 | i;
}

__device__ float number(ordered o) {
  unsigned bits = o >> 32;
  return __uint_as_float(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

__device__ ordered block_max(ordered m) {
  __shared__ ordered warps[8];
  for (int offset = 16; offset; offset /= 2)
    m = max(m, __shfl_xor_sync(0xffffffff, m, offset));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = m;
  __syncthreads();
  for (int i = 0; i < 8; i++)
    m = max(m, warps[i]);
  return m;
}

extern "C" __global__ void topk_rereads(const float *x, float *best) {
  ordered last = ~0ull;
  for (int t = 0; t < TOP; t++) {
    ordered m = 0;
#pragma unroll
    for (int i = 0; i < PER; i++) {
      ordered o = order(x[(size_t)blockIdx.x * COLS + i * 256 + threadIdx.x], i * 256 + threadIdx.x);
      m = o < last ? max(m, o) : m;
    }
    last = block_max(m);
    if (threadIdx.x == 0)
      best[blockIdx.x * TOP + t] = number(last);
  }
}

extern "C" __global__ void topk_registers(const float *x, float *best) {
  ordered last = ~0ull;
  float v[PER];
#pragma unroll
  for (int i = 0; i < PER; i++)
    v[i] = x[(size_t)blockIdx.x * COLS + i * 256 + threadIdx.x];
  for (int t = 0; t < TOP; t++) {
    ordered m = 0;
#pragma unroll
    for (int i = 0; i < PER; i++) {
      ordered o = order(v[i], i * 256 + threadIdx.x);
      m = o < last ? max(m, o) : m;
    }
    last = block_max(m);
    if (threadIdx.x == 0)
      best[blockIdx.x * TOP + t] = number(last);
  }
}

extern "C" __global__ void topk_plain(const float *x, float *best) {
  size_t row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int t = 0; t < TOP; t++)
    best[row * TOP + t] = -2;
  for (int i = 0; i < COLS; i++) {
    float v = x[row * COLS + i];
    for (int t = 0; t < TOP; t++)
      if (float less = best[row * TOP + t]; v > less)
        best[row * TOP + t] = v, v = less;
  }
}
