//! problem:   generic
//! id:        spmv-scalar
//! ladder:    spmv-csr
//! size:      N = 16M
//! param:     ROWS = 262144
//! param:     PER_ROW = 64
//! buffer:    values = fp32[ROWS * PER_ROW]; init = random
//! buffer:    x = fp32[ROWS]; init = random
//! buffer:    y = fp32[ROWS]
//! output:    y
//! scratch:   row_begin = 4 * (ROWS + 1)
//! scratch:   column = 4 * ROWS * PER_ROW
//! setup:     kernel = make_matrix; grid = ROWS / 256; block = 256; args = row_begin, column
//! step:      kernel = spmv_scalar; grid = ROWS / 256; block = 256; args = row_begin, column, values, x, y
//! reference: kernel = spmv_double; grid = ROWS / 256; block = 256; args = row_begin, column, values, x, y
//! tolerance: 1e-4 1e-5
//! bytes:     8 * ROWS * PER_ROW + 12 * ROWS
//! flops:     2 * ROWS * PER_ROW
//! note:      a band matrix of 64 entries a row, N in all

//! id:        spmv-vector
//! parent:    spmv-scalar
//! change:    a warp a row instead of a thread a row
//! predicts:  sectors_per_request < 0.5x; time < 0.8x
//! step:      kernel = spmv_vector; grid = ROWS / 8; block = 256; args = row_begin, column, values, x, y

extern "C" __global__ void make_matrix(int *row_begin, int *column) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  row_begin[row] = row * PER_ROW;
  if (row == ROWS - 1)
    row_begin[ROWS] = ROWS * PER_ROW;
  for (int k = 0; k < PER_ROW; k++)
    column[row * PER_ROW + k] = (row + 3 * k) % ROWS;
}

extern "C" __global__ void spmv_scalar(const int *__restrict__ row_begin, const int *__restrict__ column,
                                       const float *__restrict__ values, const float *__restrict__ x,
                                       float *__restrict__ y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = row_begin[row]; k < row_begin[row + 1]; k++)
    s += values[k] * x[column[k]];
  y[row] = s;
}

extern "C" __global__ void spmv_vector(const int *__restrict__ row_begin, const int *__restrict__ column,
                                       const float *__restrict__ values, const float *__restrict__ x,
                                       float *__restrict__ y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float s = 0;
  for (int k = row_begin[row] + lane; k < row_begin[row + 1]; k += 32)
    s += values[k] * x[column[k]];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (lane == 0)
    y[row] = s;
}

extern "C" __global__ void spmv_double(const int *row_begin, const int *column, const float *values, const float *x,
                                       float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = row_begin[row]; k < row_begin[row + 1]; k++)
    s += (double)values[k] * x[column[k]];
  y[row] = s;
}
