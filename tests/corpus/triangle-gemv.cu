//! problem:   generic
//! id:        triangle-bands
//! ladder:    triangle-gemv
//! size:      N = 16M
//! param:     SIDE = 8192
//! buffer:    a = fp32[SIDE * SIDE]; init = random
//! buffer:    x = fp32[SIDE]; init = random
//! buffer:    y = fp32[SIDE]
//! output:    y
//! step:      kernel = bands; grid = sms; block = 1024; args = a, x, y
//! reference: kernel = triangle_double; grid = SIDE / 32; block = 32; args = a, x, y
//! tolerance: 1e-3 1e-4
//! bytes:     2 * SIDE * SIDE
//! flops:     SIDE * SIDE
//! note:      the lower triangle of a matrix times a vector; SIDE * SIDE is 4 N

//! id:        triangle-dealt
//! parent:    triangle-bands
//! change:    the rows dealt out to the warps of all blocks in turn, instead of a band of neighbours a block
//! predicts:  time < 0.8x; dram_bytes within 5%; inst within 5%
//! step:      kernel = dealt; grid = sms; block = 1024; args = a, x, y

// A warp a row.
__device__ void row_dot(int row, const float *__restrict__ a, const float *__restrict__ x, float *y) {
  float s = 0;
#pragma unroll 8
  for (int i = threadIdx.x % 32; i <= row; i += 32)
    s += a[(size_t)row * SIDE + i] * x[i];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    y[row] = s;
}

extern "C" __global__ void bands(const float *a, const float *x, float *y) {
  int rows = (SIDE + gridDim.x - 1) / gridDim.x, end = min((blockIdx.x + 1) * rows, SIDE);
  for (int row = blockIdx.x * rows + threadIdx.x / 32; row < end; row += 32)
    row_dot(row, a, x, y);
}

extern "C" __global__ void dealt(const float *a, const float *x, float *y) {
  for (int row = threadIdx.x / 32 * gridDim.x + blockIdx.x; row < SIDE; row += 32 * gridDim.x)
    row_dot(row, a, x, y);
}

extern "C" __global__ void triangle_double(const float *a, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i <= row; i++)
    s += (double)a[(size_t)row * SIDE + i] * x[i];
  y[row] = s;
}
