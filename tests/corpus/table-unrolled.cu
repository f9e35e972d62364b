//! problem:   generic
//! id:        rules-unrolled
//! ladder:    table-unrolled
//! size:      N = 16M
//! param:     RULES = 10240
//! buffer:    x = fp32[N / 128]; init = random
//! buffer:    y = fp32[N / 128]
//! output:    y
//! scratch:   rules = 4 * RULES
//! setup:     kernel = make_rules; grid = RULES / 256; block = 256; args = rules
//! step:      kernel = unrolled; grid = N / 128 / 256; block = 256; args = x, y
//! reference: kernel = looped; grid = N / 128 / 256; block = 256; args = x, y, rules
//! flops:     2 * RULES * N / 128
//! note:      generated code of 10240 steps, each with a constant of its own, as a decision table becomes

//! id:        rules-looped
//! parent:    rules-unrolled
//! change:    a loop over a table of the constants instead of straight code
//! predicts:  time < 0.9x
//! step:      kernel = looped; grid = N / 128 / 256; block = 256; args = x, y, rules

__host__ __device__ constexpr float rule(unsigned k) { return ((k * 2654435761u >> 20) - 2048.0f) / 4096; }

extern "C" __global__ void make_rules(float *rules) {
  unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  rules[k] = rule(k);
}

// 256 rules are a function of their own, as a generator puts them.
template <unsigned FIRST> __device__ __noinline__ float apply(float s, float v) {
#pragma unroll
  for (unsigned k = FIRST; k < FIRST + 256; k++)
    s = fmaf(s, v, rule(k));
  if constexpr (FIRST + 256 < RULES)
    s = apply<FIRST + 256>(s, v);
  return s;
}

extern "C" __global__ void unrolled(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = apply<0>(0, x[i]);
}

extern "C" __global__ void looped(const float *__restrict__ x, float *y, const float4 *__restrict__ rules) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i], s = 0;
#pragma unroll 8
  for (int k = 0; k < RULES / 4; k++) {
    float4 c = rules[k];
    s = fmaf(fmaf(fmaf(fmaf(s, v, c.x), v, c.y), v, c.z), v, c.w);
  }
  y[i] = s;
}
