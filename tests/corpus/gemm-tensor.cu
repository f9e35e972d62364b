//! problem:   generic
//! id:        gemm-fma
//! ladder:    gemm-tensor
//! size:      N = 16M
//! param:     SIDE = 2048
//! param:     DEPTH = 512
//! buffer:    a = fp16[SIDE * DEPTH]; init = random
//! buffer:    b = fp16[DEPTH * SIDE]; init = random
//! buffer:    c = fp32[SIDE * SIDE]
//! output:    c
//! step:      kernel = gemm_fma; grid = SIDE / 64, SIDE / 64; block = 256; args = a, b, c
//! reference: kernel = gemm_plain; grid = SIDE / 256, SIDE; block = 256; args = a, b, c
//! tolerance: 1e-3 1e-4
//! flops:     2 * SIDE * SIDE * DEPTH

//! id:        gemm-mma
//! parent:    gemm-fma
//! change:    the tensor cores multiply the tiles, instead of 4 x 4 fp32 multiply-adds a thread
//! predicts:  inst < 0.4x; time < 0.5x
//! step:      kernel = gemm_mma; grid = SIDE / 64, SIDE / 64; block = 256; args = a, b, c

#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

enum { PITCH = 72 }; // of a tile's row: 64 numbers and what parts the banks

// 64 x 32 of a and 32 x 64 of b; eight numbers a load.
__device__ void load_tiles(__half (*as)[40], __half (*bs)[PITCH], const __half *a, const __half *b, int k0) {
  int t = threadIdx.x;
  __syncthreads();
  *(uint4 *)&as[t / 4][t % 4 * 8] = *(const uint4 *)&a[(blockIdx.y * 64 + t / 4) * DEPTH + k0 + t % 4 * 8];
  *(uint4 *)&bs[t / 8][t % 8 * 8] = *(const uint4 *)&b[(k0 + t / 8) * SIDE + blockIdx.x * 64 + t % 8 * 8];
  __syncthreads();
}

extern "C" __global__ void gemm_fma(const __half *a, const __half *b, float *c) {
  __shared__ __align__(32) __half as[64][40], bs[32][PITCH];
  int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16 * 4;
  float s[4][4] = {};
  for (int k0 = 0; k0 < DEPTH; k0 += 32) {
    load_tiles(as, bs, a, b, k0);
#pragma unroll
    for (int k = 0; k < 32; k++) {
      float2 lo = __half22float2(*(__half2 *)&bs[k][x]), hi = __half22float2(*(__half2 *)&bs[k][x + 2]);
      float v[4] = {lo.x, lo.y, hi.x, hi.y};
#pragma unroll
      for (int i = 0; i < 16; i++)
        s[i / 4][i % 4] += __half2float(as[y + i / 4][k]) * v[i % 4];
    }
  }
  for (int i = 0; i < 16; i++)
    c[(blockIdx.y * 64 + y + i / 4) * SIDE + blockIdx.x * 64 + x + i % 4] = s[i / 4][i % 4];
}

extern "C" __global__ void gemm_mma(const __half *a, const __half *b, float *c) {
  __shared__ __align__(32) __half as[64][40], bs[32][PITCH];
  int x = threadIdx.x / 32 % 2 * 32, y = threadIdx.x / 64 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> s[2];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> v;
  wmma::fill_fragment(s[0], 0);
  wmma::fill_fragment(s[1], 0);
  for (int k0 = 0; k0 < DEPTH; k0 += 32) {
    load_tiles(as, bs, a, b, k0);
#pragma unroll
    for (int i = 0; i < 4; i++) { // two steps of 16 along k, two tiles side by side
      wmma::load_matrix_sync(u, &as[y][i / 2 * 16], 40);
      wmma::load_matrix_sync(v, &bs[i / 2 * 16][x + i % 2 * 16], PITCH);
      wmma::mma_sync(s[i % 2], u, v, s[i % 2]);
    }
  }
  for (int i = 0; i < 2; i++)
    wmma::store_matrix_sync(&c[(blockIdx.y * 64 + y) * SIDE + blockIdx.x * 64 + x + i * 16], s[i], SIDE,
                            wmma::mem_row_major);
}

extern "C" __global__ void gemm_plain(const __half *a, const __half *b, float *c) {
  int row = blockIdx.y, col = blockIdx.x * 256 + threadIdx.x;
  double s = 0;
  for (int k = 0; k < DEPTH; k++)
    s += (double)__half2float(a[row * DEPTH + k]) * (double)__half2float(b[k * SIDE + col]);
  c[row * SIDE + col] = s;
}
