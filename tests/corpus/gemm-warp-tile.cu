//! problem:   generic
//! id:        mma-tile-16
//! ladder:    gemm-warp-tile
//! size:      N = 16M
//! param:     SIDE = 2048
//! param:     TILE = 1
//! buffer:    a = fp16[SIDE * SIDE]; init = random
//! buffer:    b = fp16[SIDE * SIDE]; init = random
//! buffer:    c = fp32[SIDE * SIDE]
//! output:    c
//! step:      kernel = gemm_warp; grid = SIDE / 16 / TILE, SIDE / 64 / TILE; block = 32, 4; args = a, b, c
//! reference: kernel = gemm_plain; grid = SIDE / 256, SIDE; block = 256; args = a, b, c
//! tolerance: 1e-3 1e-4
//! flops:     2 * SIDE * SIDE * SIDE
//! note:      b is stored by columns; SIDE * SIDE is N / 4

//! id:        mma-tile-64
//! parent:    mma-tile-16
//! change:    a warp makes 64 x 64 results instead of 16 x 16: it reads a quarter as much
//! param:     TILE = 4
//! predicts:  l2_read_bytes < 0.6x; time < 0.6x

#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(128) gemm_warp(const __half *a, const __half *b, float *c) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> s[TILE][TILE];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u[TILE];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> v;
  int row = (blockIdx.y * 4 + threadIdx.y) * 16 * TILE, col = blockIdx.x * 16 * TILE;
#pragma unroll
  for (int i = 0; i < TILE * TILE; i++)
    wmma::fill_fragment(s[i / TILE][i % TILE], 0);
  for (int k = 0; k < SIDE; k += 16) {
#pragma unroll
    for (int i = 0; i < TILE; i++)
      wmma::load_matrix_sync(u[i], a + (row + 16 * i) * SIDE + k, SIDE);
#pragma unroll
    for (int j = 0; j < TILE; j++) {
      wmma::load_matrix_sync(v, b + (col + 16 * j) * SIDE + k, SIDE);
#pragma unroll
      for (int i = 0; i < TILE; i++)
        wmma::mma_sync(s[i][j], u[i], v, s[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < TILE * TILE; i++)
    wmma::store_matrix_sync(c + (row + i / TILE * 16) * SIDE + col + i % TILE * 16, s[i / TILE][i % TILE], SIDE,
                            wmma::mem_row_major);
}

extern "C" __global__ void gemm_plain(const __half *a, const __half *b, float *c) {
  int row = blockIdx.y, col = blockIdx.x * 256 + threadIdx.x;
  float s = 0;
  for (int k = 0; k < SIDE; k++)
    s += __half2float(a[row * SIDE + k]) * __half2float(b[col * SIDE + k]);
  c[row * SIDE + col] = s;
}
