//! problem:   generic
//! id:        rope-double-power
//! ladder:    rope-angles
//! size:      N = 16M
//! param:     DIM = 128
//! param:     HEADS = 32
//! param:     CONTEXT = 1024
//! buffer:    q = fp16[2 * N]; init = random
//! buffer:    r = fp16[2 * N]
//! output:    r
//! step:      kernel = rope_double; grid = N / 256; block = 256; args = q, r
//! reference: kernel = rope_plain; grid = N / 256; block = 256; args = q, r
//! tolerance: 4e-3 4e-3
//! flops:     20 * N
//! note:      rotary embedding of the queries of eight sequences of 1024 tokens

//! id:        rope-float-power
//! parent:    rope-double-power
//! change:    the frequency by powf, instead of by pow of double literals
//! predicts:  time < 0.7x; dram_bytes within 5%
//! step:      kernel = rope_float; grid = N / 256; block = 256; args = q, r

#include <cuda_fp16.h>

struct place {
  int pair, token;
};

__device__ place place_of(int i) { return {i % (DIM / 2), i / (HEADS * DIM / 2) % CONTEXT}; }

__device__ __half2 rotate(__half2 v, float angle) {
  float2 f = __half22float2(v);
  float s, c;
  sincosf(angle, &s, &c);
  return __floats2half2_rn(f.x * c - f.y * s, f.x * s + f.y * c);
}

extern "C" __global__ void rope_double(const __half2 *__restrict__ q, __half2 *__restrict__ r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  place p = place_of(i);
  float frequency = 1.0 / pow(10000.0, 2.0 * p.pair / DIM);
  r[i] = rotate(q[i], p.token * frequency);
}

extern "C" __global__ void rope_float(const __half2 *__restrict__ q, __half2 *__restrict__ r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  place p = place_of(i);
  float frequency = 1.0f / powf(10000.0f, 2.0f * p.pair / DIM);
  r[i] = rotate(q[i], p.token * frequency);
}

extern "C" __global__ void rope_plain(const __half *q, __half *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double angle = i / (HEADS * DIM / 2) % CONTEXT * exp(i % (DIM / 2) * -2.0 / DIM * log(10000.0));
  double x = __half2float(q[2 * i]), y = __half2float(q[2 * i + 1]);
  r[2 * i] = __float2half((float)(x * cos(angle) - y * sin(angle)));
  r[2 * i + 1] = __float2half((float)(x * sin(angle) + y * cos(angle)));
}
