//! problem:   generic
//! id:        steps-levels
//! ladder:    codec-steps
//! size:      N = 16M
//! buffer:    spectrum = fp32[N]; init = random
//! buffer:    noise = fp32[N / 64]
//! output:    noise
//! tolerance: 1e-4 2e-3
//! step:      kernel = noise_levels; grid = N / 1024 / 8; block = 256; args = spectrum, noise
//! reference: kernel = noise_plain; grid = N / 1024; block = 32; args = spectrum, noise
//! note:      the noise that each of sixteen quantiser steps would leave in bands of 1024 coefficients

//! id:        steps-shifted
//! parent:    steps-levels
//! change:    rounded by adding 1.5 * 2^23 and taking it away again
//! predicts:  time < 0.8x; dram_bytes within 5%
//! step:      kernel = noise_shifted; grid = N / 1024 / 8; block = 256; args = spectrum, noise

__device__ constexpr float step_size[16] = {.0200f, .0238f, .0283f, .0336f, .0400f, .0476f, .0566f, .0673f,
                                            .0800f, .0951f, .1131f, .1345f, .1600f, .1903f, .2263f, .2691f};

struct as_coded {
  __device__ static float level(float v, float inverse) {
    int coded = __float2int_rn(v * inverse);
    return (float)coded;
  }
};

struct shifted {
  __device__ static float level(float v, float inverse) { return __fmaf_rn(v, inverse, 12582912.0f) - 12582912.0f; }
};

template <class Round> __device__ void add_noise(float v, float sum[16]) {
#pragma unroll
  for (int s = 0; s < 16; s++) {
    float error = v - step_size[s] * Round::level(v, 1 / step_size[s]);
    sum[s] += error * error;
  }
}

// The sum over a warp of sixteen values: each exchange halves how many a lane has, the last one adds the two halves.
__device__ float gather(float sum[16], int lane) {
#pragma unroll
  for (int half = 8; half; half /= 2) {
    bool upper = lane & half;
#pragma unroll
    for (int s = 0; s < half; s++) {
      float send = upper ? sum[s] : sum[s + half], keep = upper ? sum[s + half] : sum[s];
      sum[s] = keep + __shfl_xor_sync(0xffffffff, send, half);
    }
  }
  return sum[0] + __shfl_xor_sync(0xffffffff, sum[0], 16);
}

template <class Round> __device__ void band_noise(const float4 *__restrict__ spectrum, float *__restrict__ noise) {
  int lane = threadIdx.x % 32, band = blockIdx.x * 8 + threadIdx.x / 32;
  float4 v[8];
  float sum[16] = {};
#pragma unroll
  for (int k = 0; k < 8; k++)
    v[k] = spectrum[band * 256 + k * 32 + lane];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    add_noise<Round>(v[k].x, sum);
    add_noise<Round>(v[k].y, sum);
    add_noise<Round>(v[k].z, sum);
    add_noise<Round>(v[k].w, sum);
  }
  float total = gather(sum, lane);
  if (lane < 16)
    noise[band * 16 + lane] = total;
}

extern "C" __global__ void __launch_bounds__(256) noise_levels(const float4 *spectrum, float *noise) {
  band_noise<as_coded>(spectrum, noise);
}

extern "C" __global__ void __launch_bounds__(256) noise_shifted(const float4 *spectrum, float *noise) {
  band_noise<shifted>(spectrum, noise);
}

extern "C" __global__ void noise_plain(const float *spectrum, float *noise) {
  if (threadIdx.x >= 16)
    return;
  double sum = 0, step = step_size[threadIdx.x];
  for (int i = 0; i < 1024; i++) {
    double v = spectrum[blockIdx.x * 1024 + i], error = v - step * rint(v / step);
    sum += error * error;
  }
  noise[blockIdx.x * 16 + threadIdx.x] = (float)sum;
}
