//! problem:   generic
//! id:        transpose-unpadded
//! ladder:    transpose-tile
//! size:      N = 16M
//! param:     SIDE = 4096
//! param:     PAD = 0
//! buffer:    in = fp16[SIDE * SIDE * 2]; init = random
//! buffer:    out = fp16[SIDE * SIDE * 2]
//! output:    out
//! step:      kernel = transpose_pairs; grid = SIDE / 32, SIDE / 32; block = 32, 8; args = in, out
//! reference: kernel = transpose_slow; grid = SIDE; block = 256; args = in, out
//! note:      a matrix of complex fp16 numbers, N words; SIDE * SIDE is N

//! id:        transpose-padded
//! parent:    transpose-unpadded
//! change:    one word of padding a row of the tile
//! param:     PAD = 1
//! predicts:  shared_bank_conflicts < 0.1x; time < 0.8x; dram_bytes within 10%

extern "C" __global__ void transpose_pairs(const unsigned *__restrict__ in, unsigned *__restrict__ out) {
  __shared__ unsigned tile[32][32 + PAD];
  int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * SIDE + col];
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    out[(row + i) * SIDE + col] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transpose_slow(const unsigned *in, unsigned *out) {
  for (int col = threadIdx.x; col < SIDE; col += blockDim.x)
    out[col * SIDE + blockIdx.x] = in[blockIdx.x * SIDE + col];
}
