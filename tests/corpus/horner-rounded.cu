//! problem:   generic
//! id:        horner-rounded
//! ladder:    horner-rounded
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = rounded; grid = N / 1024; block = 256; args = x, y
//! reference: kernel = horner_double; grid = N / 256; block = 256; args = x, y
//! tolerance: 1e-5 1e-5
//! flops:     2 * 48 * N
//! note:      each product is rounded before it is added, as a port from another machine may ask for

//! id:        horner-fused
//! parent:    horner-rounded
//! change:    fused multiply-adds
//! predicts:  inst < 0.7x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = fused; grid = N / 1024; block = 256; args = x, y

__device__ constexpr float coefficient(int k) { return 1.0f / (1 + k % 7); }

template <bool FUSED> __device__ void horner(const float4 *x, float4 *y) {
  float4 v = x[blockIdx.x * 256 + threadIdx.x];
  float in[4] = {v.x, v.y, v.z, v.w}, s[4] = {};
#pragma unroll
  for (int k = 0; k < 48; k++)
#pragma unroll
    for (int c = 0; c < 4; c++)
      s[c] = FUSED ? __fmaf_rn(s[c], in[c] * 0.5f, coefficient(k))
                   : __fadd_rn(__fmul_rn(s[c], in[c] * 0.5f), coefficient(k));
  y[blockIdx.x * 256 + threadIdx.x] = make_float4(s[0], s[1], s[2], s[3]);
}

extern "C" __global__ void rounded(const float4 *x, float4 *y) { horner<false>(x, y); }
extern "C" __global__ void fused(const float4 *x, float4 *y) { horner<true>(x, y); }

extern "C" __global__ void horner_double(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < 48; k++)
    s = s * (x[i] * 0.5) + coefficient(k);
  y[i] = s;
}
