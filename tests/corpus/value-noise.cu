//! problem:   generic
//! id:        noise-rint
//! ladder:    value-noise
//! size:      N = 16M
//! buffer:    x = fp32[N / 2]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! step:      kernel = noise_rint; grid = N / 2 / 256; block = 256; args = x, y
//! reference: kernel = noise_plain; grid = N / 2 / 256; block = 256; args = x, y
//! tolerance: 5e-3 0
//! flops:     6 * 16 * N / 2
//! note:      16 octaves of a noise whose cells are made from the integer part of the place

//! id:        noise-magic
//! parent:    noise-rint
//! change:    the nearest integer by adding 1.5 * 2^23, whose low bits are the integer: no rounding and no conversion
//! predicts:  time < 0.8x; dram_bytes within 5%
//! step:      kernel = noise_magic; grid = N / 2 / 256; block = 256; args = x, y

__device__ float cell(int n) { return __uint_as_float(0x3f800000u | (n * 0x9e3779b1u) >> 9) - 1.5f; }

extern "C" __global__ void noise_rint(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = x[i], s = 0;
#pragma unroll
  for (int octave = 0; octave < 16; octave++) {
    at *= 1.9f;
    float whole = rintf(at), part = at - whole;
    s += cell((int)whole) * (0.25f - part * part);
  }
  y[i] = s;
}

extern "C" __global__ void noise_magic(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = x[i], s = 0;
#pragma unroll
  for (int octave = 0; octave < 16; octave++) {
    at *= 1.9f;
    float shifted = at + 12582912.0f, part = at - (shifted - 12582912.0f);
    s += cell(__float_as_int(shifted) - 0x4b400000) * (0.25f - part * part);
  }
  y[i] = s;
}

extern "C" __global__ void noise_plain(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float at = x[i];
  double s = 0;
  for (int octave = 0; octave < 16; octave++) {
    at *= 1.9f;
    long long whole = llrintf(at);
    double part = (double)at - whole;
    s += cell((int)whole) * (0.25 - part * part);
  }
  y[i] = s;
}
