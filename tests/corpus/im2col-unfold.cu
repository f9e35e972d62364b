//! problem:   generic
//! id:        im2col-divide
//! ladder:    im2col-unfold
//! size:      N = 16M
//! param:     SIDE = 240
//! param:     CHANNELS = 48
//! let:       COUNT = 9 * CHANNELS * SIDE * SIDE
//! buffer:    x = fp32[CHANNELS * SIDE * SIDE]; init = random
//! buffer:    cols = fp32[COUNT]
//! output:    cols
//! step:      kernel = unfold_divide; grid = COUNT / 256; block = 256; args = x, cols, SIDE, SIDE, 3
//! reference: kernel = unfold_plain; grid = 9 * CHANNELS; block = 256; args = x, cols, SIDE, SIDE
//! note:      the columns of a 3 x 3 convolution with a border of zeros, for a matrix product

//! id:        im2col-grid
//! parent:    im2col-divide
//! change:    the grid gives row, kernel row and channel, instead of dividing the index of the result
//! predicts:  inst < 0.6x; time < 0.8x; dram_bytes within 10%
//! step:      kernel = unfold_grid; grid = SIDE, 3, CHANNELS; block = SIDE; args = x, cols, SIDE, SIDE, 3

struct shape {
  int height, width, window;
};

// One number of the columns: channel c, tap (i, j) of the window, pixel (h, w) of the result.
__device__ void unfold(const float *__restrict__ x, float *__restrict__ cols, const shape &s, int c, int i, int j,
                       int h, int w) {
  int row = h + i - s.window / 2, col = w + j - s.window / 2;
  bool inside = row >= 0 && row < s.height && col >= 0 && col < s.width;
  cols[(((c * s.window + i) * s.window + j) * s.height + h) * s.width + w] =
      inside ? x[(c * s.height + row) * s.width + col] : 0;
}

extern "C" __global__ void unfold_divide(const float *x, float *cols, int height, int width, int window) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, w = k % width, h = k / width % height;
  int tap = k / width / height, j = tap % window, i = tap / window % window;
  unfold(x, cols, {height, width, window}, tap / window / window, i, j, h, w);
}

extern "C" __global__ void unfold_grid(const float *x, float *cols, int height, int width, int window) {
  for (int j = 0; j < window; j++)
    unfold(x, cols, {height, width, window}, blockIdx.z, blockIdx.y, j, blockIdx.x, threadIdx.x);
}

// A block a channel and tap.
extern "C" __global__ void unfold_plain(const float *x, float *cols, int height, int width) {
  int c = blockIdx.x / 9, dy = blockIdx.x % 9 / 3 - 1, dx = blockIdx.x % 3 - 1;
  for (int h = 0; h < height; h++)
    for (int w = threadIdx.x; w < width; w += blockDim.x) {
      float v = 0;
      if (h + dy >= 0 && h + dy < height && w + dx >= 0 && w + dx < width)
        v = x[((size_t)c * height + h + dy) * width + w + dx];
      cols[((size_t)blockIdx.x * height + h) * width + w] = v;
    }
}
