//! problem:   generic
//! id:        rotate-fma
//! ladder:    quarot-rotate
//! size:      N = 16M
//! buffer:    x = fp16[N]; init = random
//! buffer:    r = fp16[64 * 64]; init = random
//! buffer:    y = fp16[N]
//! output:    y
//! step:      kernel = rotate_fma; grid = N / 4096; block = 128; args = x, r, y
//! reference: kernel = rotate_plain; grid = N / 64; block = 64; args = x, r, y
//! flops:     128 * N
//! note:      64 channels times a fixed 64 x 64 matrix, as before a quantised layer; a row of r makes a column

//! id:        rotate-mma
//! parent:    rotate-fma
//! change:    the tensor cores multiply (mma.m16n8k16), instead of fp32 multiply-adds
//! predicts:  inst < 0.4x; time < 0.6x; dram_bytes within 5%
//! step:      kernel = rotate_mma; grid = N / 4096; block = 128; args = x, r, y

#include <cuda_fp16.h>

struct __align__(16) tiles {
  __half x[64][72], r[64][72]; // rows begin four banks apart
};

__device__ void load(tiles &t, const __half *x, const __half *r) {
#pragma unroll
  for (int i = threadIdx.x * 8; i < 4096; i += 1024) {
    *(uint4 *)&t.x[i / 64][i % 64] = *(const uint4 *)&x[blockIdx.x * 4096 + i];
    *(uint4 *)&t.r[i / 64][i % 64] = *(const uint4 *)&r[i];
  }
  __syncthreads();
}

// Rows ty + 16 i and columns tx + 8 j.
extern "C" __global__ void rotate_fma(const __half *x, const __half *r, __half *y) {
  __shared__ tiles t;
  int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  float s[4][8] = {};
  load(t, x, r);
#pragma unroll 4
  for (int k = 0; k < 64; k += 2) {
    float2 a[4], b[8];
    for (int i = 0; i < 4; i++)
      a[i] = __half22float2(*(__half2 *)&t.x[ty + 16 * i][k]);
    for (int j = 0; j < 8; j++)
      b[j] = __half22float2(*(__half2 *)&t.r[tx + 8 * j][k]);
    for (int i = 0; i < 32; i++)
      s[i / 8][i % 8] += a[i / 8].x * b[i % 8].x + a[i / 8].y * b[i % 8].y;
  }
  for (int i = 0; i < 32; i++)
    y[blockIdx.x * 4096 + (ty + i / 8 * 16) * 64 + tx + i % 8 * 8] = __float2half(s[i / 8][i % 8]);
}

__device__ void mma(float *c, const unsigned *a, unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A warp 16 rows.
extern "C" __global__ void rotate_mma(const __half *x, const __half *r, __half *y) {
  __shared__ tiles t;
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, pair = threadIdx.x % 4 * 2;
  float s[8][4] = {};
  load(t, x, r);
#pragma unroll
  for (int k = 0; k < 64; k += 16) {
    unsigned a[4];
    for (int i = 0; i < 4; i++)
      a[i] = *(unsigned *)&t.x[row + i % 2 * 8][k + pair + i / 2 * 8];
    for (int j = 0; j < 8; j++) {
      const __half *b = &t.r[j * 8 + threadIdx.x % 32 / 4][k + pair];
      mma(s[j], a, *(unsigned *)b, *(unsigned *)(b + 8));
    }
  }
  __half2 *out = (__half2 *)&y[blockIdx.x * 4096 + row * 64 + pair];
  for (int j = 0; j < 8; j++) {
    out[j * 4] = __floats2half2_rn(s[j][0], s[j][1]);
    out[j * 4 + 8 * 32] = __floats2half2_rn(s[j][2], s[j][3]);
  }
}

extern "C" __global__ void rotate_plain(const __half *x, const __half *r, __half *y) {
  double s = 0;
  for (int k = 0; k < 64; k++)
    s += (double)__half2float(x[(size_t)blockIdx.x * 64 + k]) * __half2float(r[threadIdx.x * 64 + k]);
  y[(size_t)blockIdx.x * 64 + threadIdx.x] = __float2half((float)s);
}
