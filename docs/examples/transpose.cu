//! problem:   generic
//! id:        transpose-naive
//! ladder:    transpose
//! size:      ROWS = 8192
//! size:      COLS = ROWS
//! buffer:    in = fp32[ROWS * COLS]; init = iota
//! buffer:    out = fp32[ROWS * COLS]
//! output:    out
//! step:      kernel = transpose_naive; grid = ceil(COLS / 32), ceil(ROWS / 8); block = 32, 8
//! reference: kernel = transpose_slow; grid = ROWS; block = 256
//! bytes:     2 * 4 * ROWS * COLS
//! note:      iota: in[i] = i modulo 2^24, so that an element in the wrong place is a wrong number

//! id:        transpose-tiled
//! parent:    transpose-naive
//! change:    a tile through shared memory: reads and writes both contiguous
//! predicts:  time < 0.7x; dram_bytes within 20%
//! param:     PAD = 0
//! step:      kernel = transpose_tiled; grid = ceil(COLS / 32), ceil(ROWS / 32); block = 32, 8

//! id:        transpose-padded
//! parent:    transpose-tiled
//! change:    one word of padding a row of the tile: its columns lie in 32 banks
//! param:     PAD = 1
//! step:      kernel = transpose_tiled; grid = ceil(COLS / 32), ceil(ROWS / 32); block = 32, 8

extern "C" __global__ void transpose_naive(const float *in, float *out, int rows, int cols) {
  int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols)
    out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

#ifdef PAD
extern "C" __global__ void transpose_tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][32 + PAD];
  int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (row + i < rows && col < cols)
      tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (row + i < cols && col < rows)
      out[(size_t)(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
}
#endif

extern "C" __global__ void transpose_slow(const float *in, float *out, int rows, int cols) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int col = threadIdx.x; col < cols; col += blockDim.x)
      out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}
