//! problem:   generic
//! id:        adam-float-moments
//! ladder:    adam-moments
//! size:      N = 16M
//! buffer:    w = fp32[N / 2]; init = random
//! buffer:    g = fp32[N / 2]; init = random
//! buffer:    m = bf16[N / 2]; init = random
//! buffer:    s = bf16[N / 2]; init = random
//! buffer:    next = fp32[N / 2]
//! output:    next
//! scratch:   wide_m = 4 * N / 2
//! scratch:   wide_s = 4 * N / 2
//! scratch:   next_m = 4 * N / 2
//! scratch:   next_s = 4 * N / 2
//! setup:     kernel = widen; grid = N / 2 / 256; block = 256; args = m, s, wide_m, wide_s
//! step:      kernel = adam_float; grid = N / 8 / 256; block = 256; args = w, g, wide_m, wide_s, next, next_m, next_s
//! reference: kernel = adam_double; grid = N / 2 / 256; block = 256; args = w, g, m, s, next
//! tolerance: 2e-5 1e-5
//! flops:     12 * N / 2
//! note:      a step of Adam; of the second moment the root is kept

//! id:        adam-bf16-moments
//! parent:    adam-float-moments
//! change:    both moments are kept in bf16
//! predicts:  dram_bytes < 0.8x; time < 0.85x
//! step:      kernel = adam_bf16; grid = N / 8 / 256; block = 256; args = w, g, m, s, next, next_m, next_s

#include <cuda_bf16.h>

template <class T> struct __align__(4 * sizeof(T)) four {
  T v[4];
};

template <class T>
__device__ void adam(const float *w, const float *g, const T *m, const T *s, float *next, T *next_m, T *next_s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  four<float> wi = ((const four<float> *)w)[i], gi = ((const four<float> *)g)[i];
  four<T> mi = ((const four<T> *)m)[i], si = ((const four<T> *)s)[i];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float root = (float)si.v[k], mean = 0.9f * (float)mi.v[k] + 0.1f * gi.v[k];
    root = sqrtf(0.999f * root * root + 0.001f * gi.v[k] * gi.v[k]);
    wi.v[k] -= 1e-2f * (mean / (root + 1e-3f) + 0.01f * wi.v[k]);
    mi.v[k] = (T)mean;
    si.v[k] = (T)root;
  }
  ((four<float> *)next)[i] = wi;
  ((four<T> *)next_m)[i] = mi;
  ((four<T> *)next_s)[i] = si;
}

extern "C" __global__ void adam_float(const float *w, const float *g, const float *m, const float *s, float *next,
                                      float *next_m, float *next_s) {
  adam(w, g, m, s, next, next_m, next_s);
}

extern "C" __global__ void adam_bf16(const float *w, const float *g, const __nv_bfloat16 *m, const __nv_bfloat16 *s,
                                     float *next, __nv_bfloat16 *next_m, __nv_bfloat16 *next_s) {
  adam(w, g, m, s, next, next_m, next_s);
}

extern "C" __global__ void widen(const __nv_bfloat16 *m, const __nv_bfloat16 *s, float *wide_m, float *wide_s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  wide_m[i] = __bfloat162float(m[i]);
  wide_s[i] = __bfloat162float(s[i]);
}

extern "C" __global__ void adam_double(const float *w, const float *g, const __nv_bfloat16 *m, const __nv_bfloat16 *s,
                                       float *next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double gi = g[i], root = __bfloat162float(s[i]), mean = 0.9 * __bfloat162float(m[i]) + 0.1 * gi;
  root = sqrt(0.999 * root * root + 0.001 * gi * gi);
  next[i] = w[i] - 1e-2 * (mean / (root + 1e-3) + 0.01 * w[i]);
}
