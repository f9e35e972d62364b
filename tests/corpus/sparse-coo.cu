//! problem:   generic
//! id:        sparse-coo-atomics
//! ladder:    sparse-coo
//! size:      N = 16M
//! param:     ROWS = 1048576
//! buffer:    values = fp32[N]; init = random
//! buffer:    x = fp32[ROWS]; init = random
//! buffer:    y = fp32[ROWS]
//! output:    y
//! scratch:   row = 4 * N
//! scratch:   column = 4 * N
//! setup:     kernel = make_entries; grid = N / 256; block = 256; args = row, column
//! reset:     fill y = 0
//! step:      kernel = add_each; grid = N / 256; block = 256; args = row, column, values, x, y
//! reference: kernel = spmv_plain; grid = ROWS / 256; block = 256; args = values, x, y
//! tolerance: 1e-4 1e-5
//! bytes:     12 * N + 8 * ROWS
//! flops:     2 * N
//! note:      a matrix as a list of entries (row, column, value) in order of rows, 16 a row

//! id:        sparse-coo-segments
//! parent:    sparse-coo-atomics
//! change:    the lanes of a warp that hold entries of one row add them up first, and one of them adds the sum
//! predicts:  time < 0.8x; dram_bytes within 10%
//! step:      kernel = add_segments; grid = N / 256; block = 256; args = row, column, values, x, y

__device__ int row_of(int entry) { return entry / 16; }
__device__ int column_of(int entry) { return (row_of(entry) + entry % 16 * 5) % ROWS; }

extern "C" __global__ void make_entries(int *row, int *column) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[i] = row_of(i);
  column[i] = column_of(i);
}

extern "C" __global__ void add_each(const int *__restrict__ row, const int *__restrict__ column,
                                    const float *__restrict__ values, const float *__restrict__ x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&y[row[i]], values[i] * x[column[i]]);
}

extern "C" __global__ void add_segments(const int *__restrict__ row, const int *__restrict__ column,
                                        const float *__restrict__ values, const float *__restrict__ x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, mine = row[i];
  float s = values[i] * x[column[i]];
#pragma unroll
  for (int reach = 1; reach < 32; reach *= 2) {
    float right = __shfl_down_sync(0xffffffff, s, reach);
    int its_row = __shfl_down_sync(0xffffffff, mine, reach);
    s += lane + reach < 32 && its_row == mine ? right : 0;
  }
  int before = __shfl_up_sync(0xffffffff, mine, 1);
  if (lane == 0 || before != mine)
    atomicAdd(&y[mine], s);
}

extern "C" __global__ void spmv_plain(const float *values, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = row * 16; i < row * 16 + 16; i++)
    s += (double)values[i] * x[column_of(i)];
  y[row] = s;
}
