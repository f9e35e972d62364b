//! problem:   generic
//! id:        sparse-index-64
//! ladder:    sparse-index
//! size:      N = 16M
//! param:     ROWS = 262144
//! param:     PER_ROW = 64
//! buffer:    values = fp32[ROWS * PER_ROW]; init = random
//! buffer:    x = fp32[ROWS]; init = random
//! buffer:    y = fp32[ROWS]
//! output:    y
//! scratch:   wide = 8 * ROWS * PER_ROW
//! scratch:   narrow = 4 * ROWS * PER_ROW
//! setup:     kernel = make_columns; grid = ROWS * PER_ROW / 256; block = 256; args = wide, narrow
//! step:      kernel = spmv_wide; grid = ROWS / 16; block = 256; args = wide, values, x, y
//! reference: kernel = spmv_plain; grid = ROWS / 256; block = 256; args = values, x, y
//! tolerance: 1e-4 1e-5
//! flops:     2 * ROWS * PER_ROW
//! note:      64 entries a row, N in all, with the 64-bit column indices that a framework gives by default

//! id:        sparse-index-32
//! parent:    sparse-index-64
//! change:    column indices of 32 bits
//! predicts:  dram_bytes < 0.75x; time < 0.85x
//! step:      kernel = spmv_narrow; grid = ROWS / 16; block = 256; args = narrow, values, x, y

__device__ int column_of(int row, int k) { return (row + 3 * k) % ROWS; }

extern "C" __global__ void make_columns(long long *wide, int *narrow) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  wide[i] = narrow[i] = column_of(i / PER_ROW, i % PER_ROW);
}

// A warp two rows, a lane two entries of each.
template <class Pair>
__device__ void spmv(const Pair *__restrict__ columns, const float2 *__restrict__ values, const float *__restrict__ x,
                     float *__restrict__ y) {
  int lane = threadIdx.x % 32, row = (blockIdx.x * 8 + threadIdx.x / 32) * 2;
  Pair c[2];
  float2 v[2];
#pragma unroll
  for (int r = 0; r < 2; r++) {
    c[r] = columns[(row + r) * (PER_ROW / 2) + lane];
    v[r] = values[(row + r) * (PER_ROW / 2) + lane];
  }
#pragma unroll
  for (int r = 0; r < 2; r++) {
    float s = v[r].x * x[c[r].x] + v[r].y * x[c[r].y];
    for (int offset = 16; offset; offset /= 2)
      s += __shfl_down_sync(0xffffffff, s, offset);
    if (lane == 0)
      y[row + r] = s;
  }
}

extern "C" __global__ void spmv_wide(const longlong2 *columns, const float2 *values, const float *x, float *y) {
  spmv(columns, values, x, y);
}
extern "C" __global__ void spmv_narrow(const int2 *columns, const float2 *values, const float *x, float *y) {
  spmv(columns, values, x, y);
}

extern "C" __global__ void spmv_plain(const float *values, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < PER_ROW; k++)
    s += (double)values[row * PER_ROW + k] * x[column_of(row, k)];
  y[row] = s;
}
