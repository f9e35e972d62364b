//! problem:   generic
//! id:        upsample-each-channel
//! ladder:    upsample-bilinear
//! size:      N = 16M
//! param:     SIDE = 128
//! param:     CHANNELS = 32
//! param:     TOGETHER = 1
//! buffer:    x = fp32[N / 4]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = upsample; grid = N / TOGETHER / 256; block = 256; args = x, y, f32(0.5)
//! reference: kernel = upsample_double; grid = N / 256; block = 256; args = x, y
//! tolerance: 1e-5 1e-5
//! flops:     7 * N
//! note:      8 images of 32 planes of 128 x 128, doubled in both directions; pixels are centred, the border repeats

//! id:        upsample-channels-together
//! parent:    upsample-each-channel
//! change:    a thread works out its four places and weights once for sixteen channels, instead of for each
//! param:     TOGETHER = 16
//! predicts:  inst < 0.6x; time < 0.85x; dram_bytes within 10%

// Where a row or column of the result lies between two of the input.
struct place {
  int low, high;
  float share;
};

__device__ place place_of(int at, float ratio) {
  float source = fmaxf(ratio * (at + 0.5f) - 0.5f, 0);
  int low = min((int)source, SIDE - 1);
  return {low, min(low + 1, SIDE - 1), source - low};
}

// A thread has one pixel of TOGETHER neighbouring planes.
extern "C" __global__ void upsample(const float *__restrict__ x, float *__restrict__ y, float ratio) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, pixel = i % (4 * SIDE * SIDE);
  int plane = i / (4 * SIDE * SIDE) * TOGETHER;
  place row = place_of(pixel / (2 * SIDE), ratio), col = place_of(pixel % (2 * SIDE), ratio);
#pragma unroll
  for (int c = plane; c < plane + TOGETHER; c++) {
    const float *low = x + (c * SIDE + row.low) * SIDE, *high = x + (c * SIDE + row.high) * SIDE;
    float top = low[col.low] + col.share * (low[col.high] - low[col.low]);
    float bottom = high[col.low] + col.share * (high[col.high] - high[col.low]);
    y[c * 4 * SIDE * SIDE + pixel] = top + row.share * (bottom - top);
  }
}

extern "C" __global__ void upsample_double(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, h = i / (2 * SIDE) % (2 * SIDE), w = i % (2 * SIDE);
  const float *plane = x + (size_t)(i / (4 * SIDE * SIDE)) * SIDE * SIDE;
  double v = 0;
  for (int k = 0; k < 4; k++) { // three quarters of the nearer pixel, one of the farther, in each direction
    int row = h / 2 + (k / 2 ? (h % 2 ? 1 : -1) : 0), col = w / 2 + (k % 2 ? (w % 2 ? 1 : -1) : 0);
    double share = (k / 2 ? 0.25 : 0.75) * (k % 2 ? 0.25 : 0.75);
    v += share * plane[max(min(row, SIDE - 1), 0) * SIDE + max(min(col, SIDE - 1), 0)];
  }
  y[i] = v;
}
