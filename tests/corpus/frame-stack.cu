//! problem:   generic
//! id:        frame-stack-eight
//! ladder:    frame-stack
//! size:      N = 16M
//! param:     FRAMES = 8
//! buffer:    mean = fp32[N / 4]
//! output:    mean
//! scratch:   wide = 4 * FRAMES * N / 4
//! scratch:   narrow = 2 * FRAMES * N / 4
//! setup:     kernel = expose; grid = FRAMES * N / 4 / 256; block = 256; args = wide, narrow
//! step:      kernel = stack_float; grid = N / 16 / 256; block = 256; args = wide, mean, N / 16
//! reference: kernel = stack_plain; grid = N / 4 / 256; block = 256; args = mean, N / 4
//! tolerance: 1e-3 1e-5
//! note:      exposures of one field, stacked: of each pixel the mean without its brightest and its darkest value

//! id:        frame-stack
//! parent:    frame-stack-eight
//! change:    exposures stay the 16-bit counts of the camera
//! predicts:  time < 0.7x; dram_bytes < 0.65x
//! step:      kernel = stack_counts; grid = N / 16 / 256; block = 256; args = narrow, mean, N / 16

template <class T> struct __align__(4 * sizeof(T)) quad {
  T v[4];
};

// the counts of the camera: sky, noise, now and then a cosmic ray
__device__ unsigned counts(unsigned i) {
  unsigned h = (i ^ i >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return 900 + (h >> 24) + (h % 997 == 0 ? 20000 : 0);
}

extern "C" __global__ void expose(float *wide, unsigned short *narrow) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  wide[i] = counts(i);
  narrow[i] = counts(i);
}

// four neighbouring pixels a thread
template <class T> __device__ void stack(const quad<T> *frame, quad<float> *mean, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  quad<T> in[FRAMES];
#pragma unroll
  for (int f = 0; f < FRAMES; f++)
    in[f] = frame[f * quads + i];
  quad<float> out;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float sum = 0, low = 1e30f, high = -1e30f;
#pragma unroll
    for (int f = 0; f < FRAMES; f++) {
      float v = in[f].v[k];
      sum += v;
      low = fminf(low, v);
      high = fmaxf(high, v);
    }
    out.v[k] = (sum - low - high) * (1.f / (FRAMES - 2));
  }
  mean[i] = out;
}

extern "C" __global__ void stack_float(const quad<float> *frame, quad<float> *mean, int quads) {
  stack<float>(frame, mean, quads);
}

extern "C" __global__ void stack_counts(const quad<unsigned short> *frame, quad<float> *mean, int quads) {
  stack<unsigned short>(frame, mean, quads);
}

extern "C" __global__ void stack_plain(float *mean, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0, low = ~0u, high = 0;
  for (int f = 0; f < FRAMES; f++) {
    unsigned v = counts(f * pixels + i);
    sum += v;
    low = min(low, v);
    high = max(high, v);
  }
  mean[i] = (sum - low - high) / (float)(FRAMES - 2);
}
