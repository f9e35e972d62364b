//! problem:   generic
//! id:        noise-rounding-unit
//! ladder:    band-noise
//! size:      N = 16M
//! buffer:    lines = fp32[N / 2]; init = random
//! buffer:    noise = fp32[N / 16]
//! output:    noise
//! step:      kernel = noise_rounded; grid = N / 16 / 256; block = 256; args = lines, noise
//! reference: kernel = noise_plain; grid = N / 16 / 128; block = 128; args = lines, noise
//! tolerance: 1e-6 1e-3
//! note:      an audio encoder's allocation: the mean noise of each band of eight MDCT lines over 32 candidate step sizes

//! id:        noise-rounding-add
//! parent:    noise-rounding-unit
//! change:    lines are rounded to whole steps by adding and taking away 1.5 * 2^23
//! step:      kernel = noise_added; grid = N / 16 / 256; block = 256; args = lines, noise
//! predicts:  time < 0.8x

enum { LINES = 8, STEPS = 32 };

struct band {
  float x[LINES];
};

__device__ band load(const float4 *lines, int i) {
  float4 a = lines[2 * i], b = lines[2 * i + 1];
  return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}

__device__ float nearest_unit(float v) { return rintf(v); }
__device__ float nearest_add(float v) { return (v + 12582912.0f) - 12582912.0f; } // right up to 2^22

// Steps grow by 1.5 dB; what a step adds to the mean falls with its cost in bits.
template <float (*nearest)(float)> __device__ float mean_noise(const band &b) {
  float step = 0.004f, inverse = 250.0f, weight = 0.1f, mean = 0;
#pragma unroll 2
  for (int s = 0; s < STEPS; s++) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < LINES; k++) {
      float off = b.x[k] - step * nearest(b.x[k] * inverse);
      sum += off * off;
    }
    mean += weight * sum;
    step *= 1.1885022f;
    inverse *= 0.84139514f;
    weight *= 0.9f;
  }
  return mean;
}

extern "C" __global__ void __launch_bounds__(256) noise_rounded(const float4 *__restrict__ lines, float *__restrict__ noise) {
  int i = blockIdx.x * 256 + threadIdx.x;
  noise[i] = mean_noise<nearest_unit>(load(lines, i));
}

extern "C" __global__ void __launch_bounds__(256) noise_added(const float4 *__restrict__ lines, float *__restrict__ noise) {
  int i = blockIdx.x * 256 + threadIdx.x;
  noise[i] = mean_noise<nearest_add>(load(lines, i));
}

extern "C" __global__ void noise_plain(const float *lines, float *noise) {
  int i = blockIdx.x * 128 + threadIdx.x;
  double mean = 0, weight = 0.1, step = 0.004;
  for (int s = 0; s < 32; s++, weight *= 0.9, step *= 1.1885022) {
    float sum = 0;
    for (int k = 0; k < 8; k++) {
      double x = lines[8 * i + k], over = fmod(fabs(x), step), off = fmin(over, step - over);
      sum += (float)(off * off);
    }
    mean += weight * sum;
  }
  noise[i] = (float)mean;
}
