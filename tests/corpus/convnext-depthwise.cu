//! problem:   generic
//! id:        depthwise-one
//! ladder:    convnext-depthwise
//! size:      N = 16M
//! param:     SIDE = 128
//! param:     CHANNELS = 128
//! param:     TILE = 1
//! let:       IMAGES = N / 2 / SIDE / SIDE / CHANNELS
//! buffer:    x = fp32[IMAGES * CHANNELS * (SIDE + 6) * (SIDE + 6)]; init = random
//! buffer:    w = fp32[49 * CHANNELS]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! step:      kernel = depthwise; grid = SIDE / TILE, SIDE, IMAGES; block = CHANNELS; args = x, w, y
//! reference: kernel = depthwise_double; grid = N / 2 / CHANNELS; block = CHANNELS; args = x, w, y
//! tolerance: 1e-4 1e-4
//! flops:     98 * N / 2
//! note:      7 x 7 taps a channel, channels last, a thread a channel; the input has a border of three

//! id:        depthwise-eight
//! parent:    depthwise-one
//! change:    eight pixels of a row a thread, whose taps share what is in registers, instead of one
//! param:     TILE = 8
//! predicts:  inst < 0.6x; time < 0.6x; dram_bytes within 15%

enum { PADDED = SIDE + 6 };

extern "C" __global__ void depthwise(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y) {
  int c = threadIdx.x, col = blockIdx.x * TILE, row = blockIdx.y, image = blockIdx.z;
  float s[TILE] = {};
#pragma unroll
  for (int i = 0; i < 7; i++) {
    const float *at = x + ((image * PADDED + row + i) * PADDED + col) * CHANNELS + c;
    float line[TILE + 6];
#pragma unroll
    for (int k = 0; k < TILE + 6; k++)
      line[k] = at[k * CHANNELS];
#pragma unroll
    for (int j = 0; j < 7; j++) {
      float tap = w[(i * 7 + j) * CHANNELS + c];
#pragma unroll
      for (int k = 0; k < TILE; k++)
        s[k] += line[k + j] * tap;
    }
  }
#pragma unroll
  for (int k = 0; k < TILE; k++)
    y[((image * SIDE + row) * SIDE + col + k) * CHANNELS + c] = s[k];
}

// A block a pixel.
extern "C" __global__ void depthwise_double(const float *x, const float *w, float *y) {
  int col = blockIdx.x % SIDE, row = blockIdx.x / SIDE % SIDE, image = blockIdx.x / SIDE / SIDE;
  double s = 0;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      s += (double)x[((size_t)(image * (SIDE + 6) + row + i) * (SIDE + 6) + col + j) * CHANNELS + threadIdx.x] *
           w[(i * 7 + j) * CHANNELS + threadIdx.x];
  y[(size_t)blockIdx.x * CHANNELS + threadIdx.x] = s;
}
