//! problem:   generic
//! id:        roll-divisions
//! ladder:    roll-axes
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = roll_flat; grid = N / 256; block = 256; args = x, y, i64(N), 64, 256, 1024
//! reference: kernel = roll_plain; grid = 64, 256; block = 256; args = x, y, 256, 1024
//! note:      a tensor of 64 x 256 x 1024 rolled by 5 rows and 32 columns; the extents are known at run time

//! id:        roll-grid
//! parent:    roll-divisions
//! change:    a three-dimensional grid, so that no index is divided, instead of one 64-bit index
//! predicts:  inst < 0.3x; time < 0.8x; dram_bytes within 10%
//! step:      kernel = roll_grid; grid = 1024 / 256, 256, 64; block = 256; args = x, y, 256, 1024

extern "C" __global__ void roll_flat(const float *x, float *y, size_t n, int images, int rows, int cols) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  size_t col = i % cols, row = i / cols % rows, image = i / ((size_t)rows * cols) % images;
  y[i] = x[(image * rows + (row + 5) % rows) * cols + (col + 32) % cols];
}

extern "C" __global__ void roll_grid(const float *x, float *y, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, image = blockIdx.z;
  int from_row = row + 5 < rows ? row + 5 : row + 5 - rows, from_col = col + 32 < cols ? col + 32 : col + 32 - cols;
  y[(image * rows + row) * cols + col] = x[(image * rows + from_row) * cols + from_col];
}

extern "C" __global__ void roll_plain(const float *x, float *y, int rows, int cols) {
  size_t plane = (size_t)blockIdx.x * rows * cols;
  for (int col = threadIdx.x; col < cols; col += blockDim.x)
    y[plane + blockIdx.y * cols + col] = x[plane + (blockIdx.y + 5) % 256 * cols + (col + 32) % 1024];
}
