//! problem:   generic
//! id:        awq-convert
//! ladder:    awq-gemv
//! size:      N = 16M
//! param:     COLS = 8192
//! buffer:    w = i8[4 * N]; init = random
//! buffer:    scale = fp32[8 * N / COLS]; init = random
//! buffer:    x = fp16[COLS]; init = random
//! buffer:    y = fp32[8 * N / COLS]
//! output:    y
//! step:      kernel = gemv_convert; grid = N / COLS; block = 256; args = w, scale, x, y
//! reference: kernel = gemv_plain; grid = 8 * N / COLS / 32; block = 32; args = w, scale, x, y
//! tolerance: 1 1e-2
//! flops:     16 * N
//! note:      4-bit weights, eight a word: the even columns in its lower half, the odd ones in its upper half

//! id:        awq-magic
//! parent:    awq-convert
//! change:    two nibbles are put below the exponent of 1024 (half2), instead of converting each from an integer
//! predicts:  time < 0.85x; dram_bytes within 5%
//! step:      kernel = gemv_magic; grid = N / COLS; block = 256; args = w, scale, x, y

#include <cuda_fp16.h>

// Columns 2k and 2k + 1 of a word, less 8.
struct convert {
  __device__ static __half2 pair(unsigned w, int k) {
    int low = w >> 4 * k & 15, high = w >> (16 + 4 * k) & 15;
    return __halves2half2(__int2half_rn(low - 8), __int2half_rn(high - 8));
  }
};

struct magic {
  __device__ static __half2 pair(unsigned w, int k) {
    unsigned bits = (w >> 4 * k & 0x000f000f) | 0x64006400;
    return __hsub2(*(__half2 *)&bits, __float2half2_rn(1032));
  }
};

// A warp a row.
template <class Decode>
__device__ void gemv(const unsigned *__restrict__ w, const float *scale, const uint4 *__restrict__ x, float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 8
  for (int i = lane; i < COLS / 8; i += 32) {
    unsigned word = w[row * (COLS / 8) + i];
    uint4 v = x[i];
    const __half2 *pairs = (const __half2 *)&v;
    __half2 s = __float2half2_rn(0);
#pragma unroll
    for (int k = 0; k < 4; k++)
      s = __hfma2(Decode::pair(word, k), pairs[k], s);
    sum += __low2float(s) + __high2float(s);
  }
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    y[row] = sum * scale[row];
}

extern "C" __global__ void gemv_convert(const unsigned *w, const float *scale, const uint4 *x, float *y) {
  gemv<convert>(w, scale, x, y);
}

extern "C" __global__ void gemv_magic(const unsigned *w, const float *scale, const uint4 *x, float *y) {
  gemv<magic>(w, scale, x, y);
}

extern "C" __global__ void gemv_plain(const unsigned *w, const float *scale, const __half *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++) {
    unsigned word = w[row * (COLS / 8) + i / 8];
    s += ((int)(word >> (i % 2 * 16 + i % 8 / 2 * 4) & 15) - 8) * (double)__half2float(x[i]);
  }
  y[row] = s * scale[row];
}
