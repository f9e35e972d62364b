//! problem:   generic
//! id:        task-vectors
//! ladder:    task-vectors
//! size:      N = 16M
//! buffer:    base = bf16[N]; init = random
//! buffer:    tuned = bf16[4 * N]; init = random
//! buffer:    merged = fp32[N]
//! output:    merged
//! step:      kernel = merge_start; grid = N / 4 / 256; block = 256; args = base, tuned, merged, N
//! step:      kernel = merge_next; grid = N / 4 / 256; block = 256; args = base, tuned, merged, N, 1
//! step:      kernel = merge_next; grid = N / 4 / 256; block = 256; args = base, tuned, merged, N, 2
//! step:      kernel = merge_next; grid = N / 4 / 256; block = 256; args = base, tuned, merged, N, 3
//! reference: kernel = merge_plain; grid = N / 256; block = 256; args = base, tuned, merged, N
//! tolerance: 1e-5 1e-5
//! note:      four fine-tuned checkpoints merged into their base: differences below a threshold are dropped

//! id:        task-vectors-b
//! parent:    task-vectors
//! change:    all four checkpoints in one kernel
//! step:      kernel = merge_all; grid = N / 4 / 256; block = 256; args = base, tuned, merged, N

#include <cuda_bf16.h>

struct __align__(8) four {
  __nv_bfloat162 v[2];
};

__device__ float at(const four &x, int k) {
  return k % 2 ? __high2float(x.v[k / 2]) : __low2float(x.v[k / 2]);
}

__device__ four load(const uint2 *from) {
  uint2 u = *from;
  return *(four *)&u;
}

__device__ void apply(float4 &w, four base, four tuned) {
  float *f = &w.x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float d = at(tuned, k) - at(base, k);
    f[k] += fabsf(d) < 0.2f ? 0.f : 0.25f * d;
  }
}

__device__ float4 widen(const four &b) {
  return make_float4(at(b, 0), at(b, 1), at(b, 2), at(b, 3));
}

// the base and the first checkpoint
extern "C" __global__ void merge_start(const uint2 *__restrict__ base, const uint2 *__restrict__ tuned,
                                       float4 *__restrict__ merged, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  four b = load(&base[i]);
  float4 w = widen(b);
  apply(w, b, load(&tuned[i]));
  merged[i] = w;
}

// one more
extern "C" __global__ void merge_next(const uint2 *__restrict__ base, const uint2 *__restrict__ tuned,
                                      float4 *__restrict__ merged, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 w = merged[i];
  apply(w, load(&base[i]), load(&tuned[which * (n / 4) + i]));
  merged[i] = w;
}

extern "C" __global__ void merge_all(const uint2 *__restrict__ base, const uint2 *__restrict__ tuned,
                                     float4 *__restrict__ merged, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  four b = load(&base[i]);
  float4 w = widen(b);
#pragma unroll
  for (int which = 0; which < 4; which++)
    apply(w, b, load(&tuned[which * (n / 4) + i]));
  merged[i] = w;
}

extern "C" __global__ void merge_plain(const __nv_bfloat16 *base, const __nv_bfloat16 *tuned, float *merged, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float b = __bfloat162float(base[i]);
  double w = b;
  for (int k = 0; k < 4; k++) {
    float d = __bfloat162float(tuned[(size_t)k * n + i]) - b;
    w += fabsf(d) < 0.2f ? 0. : 0.25 * d;
  }
  merged[i] = w;
}
