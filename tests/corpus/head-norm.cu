//! problem:   generic
//! id:        head-norm-one
//! ladder:    head-norm
//! size:      N = 16M
//! param:     HEADS = 1
//! buffer:    q = fp16[2 * N]; init = random
//! buffer:    weight = fp32[128]; init = random
//! buffer:    normed = fp16[2 * N]
//! output:    normed
//! step:      kernel = head_norm; grid = 2 * N / 128 / HEADS; block = 32 * HEADS; args = q, weight, normed
//! reference: kernel = norm_double; grid = 2 * N / 128; block = 32; args = q, weight, normed
//! tolerance: 2e-3 2e-3
//! flops:     8 * N
//! note:      the queries' norm before attention: each head's 128 values of each token by their root mean square

//! id:        head-norm-eight
//! parent:    head-norm-one
//! change:    eight heads a block instead of one, a warp each as before
//! param:     HEADS = 8
//! predicts:  time < 0.9x; dram_bytes within 5%

#include <cuda_fp16.h>

extern "C" __global__ void head_norm(const uint2 *__restrict__ q, const float4 *__restrict__ weight,
                                     uint2 *__restrict__ normed) {
  int i = blockIdx.x * (32 * HEADS) + threadIdx.x;
  uint2 raw = q[i];
  float4 w = weight[threadIdx.x % 32];
  float2 a = __half22float2(*(__half2 *)&raw.x), b = __half22float2(*(__half2 *)&raw.y);
  float sum = a.x * a.x + a.y * a.y + b.x * b.x + b.y * b.y;
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  float by = rsqrtf(sum / 128 + 1e-6f);
  *(__half2 *)&raw.x = __floats2half2_rn(a.x * by * w.x, a.y * by * w.y);
  *(__half2 *)&raw.y = __floats2half2_rn(b.x * by * w.z, b.y * by * w.w);
  normed[i] = raw;
}

extern "C" __global__ void norm_double(const __half *q, const float *weight, __half *normed) {
  q += blockIdx.x * (size_t)128;
  normed += blockIdx.x * (size_t)128;
  double sum = 0;
  for (int i = 0; i < 128; i++)
    sum += (double)__half2float(q[i]) * __half2float(q[i]);
  double by = 1 / sqrt(sum / 128 + 1e-6);
  for (int i = threadIdx.x; i < 128; i += 32)
    normed[i] = __float2half((float)(__half2float(q[i]) * by * weight[i]));
}
