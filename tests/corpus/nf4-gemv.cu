//! problem:   generic
//! id:        nf4-own-table
//! ladder:    nf4-gemv
//! size:      N = 16M
//! param:     COLS = 4096
//! buffer:    w = i8[4 * N]; init = random
//! buffer:    level = fp32[16]; init = random
//! buffer:    x = fp32[COLS]; init = random
//! buffer:    y = fp32[8 * N / COLS]
//! output:    y
//! step:      kernel = gemv_own; grid = 8 * N / COLS / 4; block = 128; args = w, level, x, y
//! reference: kernel = gemv_plain; grid = 8 * N / COLS / 32; block = 32; args = w, level, x, y
//! tolerance: 1e-3 1e-4
//! flops:     16 * N
//! note:      weights of four bits, each the number of one of 16 levels

//! id:        nf4-shared-table
//! parent:    nf4-own-table
//! change:    the levels in shared memory, instead of in an array of each thread that is indexed by what was read
//! predicts:  time < 0.7x; dram_bytes within 5%
//! step:      kernel = gemv_shared; grid = 8 * N / COLS / 4; block = 128; args = w, level, x, y

// A warp a row, a word of eight weights a lane.
__device__ void row_dot(const unsigned *__restrict__ w, const float *levels, const float4 *__restrict__ x, float *y) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float s = 0;
#pragma unroll 4
  for (int i = lane; i < COLS / 8; i += 32) {
    unsigned word = w[row * (COLS / 8) + i];
    float4 a = x[2 * i], b = x[2 * i + 1];
    s += levels[word & 15] * a.x + levels[word >> 4 & 15] * a.y;
    s += levels[word >> 8 & 15] * a.z + levels[word >> 12 & 15] * a.w;
    s += levels[word >> 16 & 15] * b.x + levels[word >> 20 & 15] * b.y;
    s += levels[word >> 24 & 15] * b.z + levels[word >> 28] * b.w;
  }
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (lane == 0)
    y[row] = s;
}

extern "C" __global__ void gemv_own(const unsigned *w, const float *level, const float4 *x, float *y) {
  float levels[16];
#pragma unroll
  for (int i = 0; i < 16; i++)
    levels[i] = level[i];
  row_dot(w, levels, x, y);
}

extern "C" __global__ void gemv_shared(const unsigned *w, const float *level, const float4 *x, float *y) {
  __shared__ float levels[16];
  if (threadIdx.x < 16)
    levels[threadIdx.x] = level[threadIdx.x];
  __syncthreads();
  row_dot(w, levels, x, y);
}

extern "C" __global__ void gemv_plain(const unsigned *w, const float *level, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++)
    s += (double)level[w[row * (COLS / 8) + i / 8] >> i % 8 * 4 & 15] * x[i];
  y[row] = s;
}
