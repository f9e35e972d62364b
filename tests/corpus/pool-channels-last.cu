//! problem:   generic
//! id:        pool-plane-order
//! ladder:    pool-channels-last
//! size:      N = 16M
//! param:     SIDE = 128
//! param:     CHANNELS = 64
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N / 4]
//! output:    y
//! step:      kernel = pool_planes; grid = N / 4 / 256; block = 256; args = x, y
//! reference: kernel = pool_plain; grid = N / 4 / CHANNELS; block = CHANNELS; args = x, y
//! note:      2 x 2 max pooling of 16 images of 128 x 128 x 64, channels last, by a kernel written for channels first

//! id:        pool-channel-order
//! parent:    pool-plane-order
//! change:    neighbouring threads take neighbouring channels, as they lie in memory, instead of neighbouring columns
//! predicts:  sectors_per_request < 0.5x; time < 0.6x
//! step:      kernel = pool_channels; grid = N / 4 / 256; block = 256; args = x, y

enum { HALF = SIDE / 2, ROW = SIDE * CHANNELS };

__device__ void pool(const float *__restrict__ x, float *__restrict__ y, int image, int h, int w, int c) {
  const float *at = x + ((image * SIDE + 2 * h) * SIDE + 2 * w) * CHANNELS + c;
  y[((image * HALF + h) * HALF + w) * CHANNELS + c] =
      fmaxf(fmaxf(at[0], at[CHANNELS]), fmaxf(at[ROW], at[ROW + CHANNELS]));
}

extern "C" __global__ void pool_planes(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pool(x, y, i / (HALF * HALF * CHANNELS), i / HALF % HALF, i % HALF, i / (HALF * HALF) % CHANNELS);
}

extern "C" __global__ void pool_channels(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pool(x, y, i / (HALF * HALF * CHANNELS), i / (HALF * CHANNELS) % HALF, i / CHANNELS % HALF, i % CHANNELS);
}

// A block a pixel of the output.
extern "C" __global__ void pool_plain(const float *x, float *y) {
  int row = blockIdx.x / (SIDE / 2), w = blockIdx.x % (SIDE / 2);
  float top = -1e30f;
  for (int dy = 0; dy < 2; dy++)
    for (int dx = 0; dx < 2; dx++)
      top = fmaxf(top, x[((size_t)(2 * row + dy) * SIDE + 2 * w + dx) * CHANNELS + threadIdx.x]);
  y[(size_t)blockIdx.x * CHANNELS + threadIdx.x] = top;
}
