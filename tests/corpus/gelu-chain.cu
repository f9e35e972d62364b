//! problem:   generic
//! id:        chain-kernels
//! ladder:    gelu-chain
//! size:      N = 16M
//! buffer:    x = fp32[2 * N]; init = random
//! buffer:    residual = fp32[2 * N]; init = random
//! buffer:    y = fp32[2 * N]
//! output:    y
//! scratch:   scaled = 4 * 2 * N
//! scratch:   active = 4 * 2 * N
//! step:      kernel = scale; grid = 2 * N / 1024; block = 256; args = x, scaled
//! step:      kernel = silu; grid = 2 * N / 1024; block = 256; args = scaled, active
//! step:      kernel = add; grid = 2 * N / 1024; block = 256; args = active, residual, y
//! reference: kernel = chain_plain; grid = 2 * N / 256; block = 256; args = x, residual, y
//! tolerance: 1e-5 1e-5
//! flops:     12 * N

//! id:        chain-fused
//! parent:    chain-kernels
//! change:    scale, activation and residual in one kernel: no temporary arrays
//! predicts:  dram_bytes < 0.6x; time < 0.6x
//! step:      kernel = fused; grid = 2 * N / 1024; block = 256; args = x, residual, y

__device__ int here() { return blockIdx.x * 256 + threadIdx.x; }
__device__ float silu1(float v) { return v / (1 + __expf(-v)); }
__device__ float4 scale4(float4 v) { return make_float4(1.7f * v.x, 1.7f * v.y, 1.7f * v.z, 1.7f * v.w); }
__device__ float4 silu4(float4 v) { return make_float4(silu1(v.x), silu1(v.y), silu1(v.z), silu1(v.w)); }
__device__ float4 add4(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

extern "C" __global__ void scale(const float4 *x, float4 *y) { y[here()] = scale4(x[here()]); }
extern "C" __global__ void silu(const float4 *x, float4 *y) { y[here()] = silu4(x[here()]); }
extern "C" __global__ void add(const float4 *a, const float4 *b, float4 *y) { y[here()] = add4(a[here()], b[here()]); }
extern "C" __global__ void fused(const float4 *x, const float4 *r, float4 *y) {
  y[here()] = add4(silu4(scale4(x[here()])), r[here()]);
}

extern "C" __global__ void chain_plain(const float *x, const float *residual, float *y) {
  float v = 1.7f * x[here()];
  y[here()] = v / (1 + expf(-v)) + residual[here()];
}
