//! problem:   generic
//! id:        transpose-rows
//! ladder:    transpose-plain
//! size:      N = 16M
//! param:     SIDE = 4096
//! buffer:    in = fp32[SIDE * SIDE]; init = iota
//! buffer:    out = fp32[SIDE * SIDE]
//! output:    out
//! step:      kernel = transpose_rows; grid = SIDE / 32, SIDE / 8; block = 32, 8; args = in, out
//! reference: kernel = transpose_slow; grid = SIDE; block = 256; args = in, out
//! note:      SIDE * SIDE is N

//! id:        transpose-through-tile
//! parent:    transpose-rows
//! change:    a tile through shared memory: rows are read and rows are written
//! predicts:  time < 0.7x
//! step:      kernel = transpose_tile; grid = SIDE / 32, SIDE / 32; block = 32, 8; args = in, out

extern "C" __global__ void transpose_rows(const float *in, float *out) {
  int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  out[col * SIDE + row] = in[row * SIDE + col];
}

extern "C" __global__ void transpose_tile(const float *in, float *out) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * SIDE + col];
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    out[(row + i) * SIDE + col] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose_slow(const float *in, float *out) {
  for (int col = threadIdx.x; col < SIDE; col += blockDim.x)
    out[col * SIDE + blockIdx.x] = in[blockIdx.x * SIDE + col];
}
