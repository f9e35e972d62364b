//! problem:   generic
//! id:        speckle-lee-pixel
//! ladder:    speckle-lee
//! size:      N = 16M
//! param:     WIDTH = 4096
//! param:     PITCH = 4104
//! buffer:    radar = fp32[PITCH * 4104]; init = random
//! buffer:    smooth = fp32[N]
//! output:    smooth
//! step:      kernel = lee; grid = WIDTH / 128, N / WIDTH; block = 128; args = radar, smooth
//! reference: kernel = lee_plain; grid = WIDTH / 128, N / WIDTH; block = 128; args = radar, smooth
//! tolerance: 1e-4 1e-4
//! note:      Lee's filter of a radar image with a margin of 3: towards the mean of 7 x 7 pixels, the more so the less they vary

//! id:        speckle-lee
//! parent:    speckle-lee-pixel
//! change:    eight pixels of a column a thread, which share the sums of rows
//! predicts:  time < 0.7x
//! step:      kernel = lee_column; grid = WIDTH / 128, N / WIDTH / 8; block = 128; args = radar, smooth

#define SPAN 7
#define NOISE 0.08f

__device__ float filtered(float sum, float square, float centre) {
  const float share = 1.f / (SPAN * SPAN);
  float mean = sum * share, variance = fmaxf(square * share - mean * mean, 0.f);
  return mean + __fdividef(variance, variance + NOISE) * (centre - mean);
}

extern "C" __global__ void lee(const float *__restrict__ radar, float *__restrict__ smooth) {
  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y;
  const float *corner = radar + y * PITCH + x;
  float sum = 0, square = 0;
#pragma unroll
  for (int dy = 0; dy < SPAN; dy++)
#pragma unroll
    for (int dx = 0; dx < SPAN; dx++) {
      float v = corner[dy * PITCH + dx];
      sum += v;
      square += v * v;
    }
  smooth[y * WIDTH + x] = filtered(sum, square, corner[3 * PITCH + 3]);
}

extern "C" __global__ void lee_column(const float *__restrict__ radar, float *__restrict__ smooth) {
  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 8;
  const float *corner = radar + y * PITCH + x;
  float sum[8] = {}, square[8] = {}, centre[8];
#pragma unroll
  for (int row = 0; row < 8 + SPAN - 1; row++) {
    float row_sum = 0, row_square = 0;
#pragma unroll
    for (int dx = 0; dx < SPAN; dx++) {
      float v = corner[row * PITCH + dx];
      row_sum += v;
      row_square += v * v;
      if (dx == 3 && row >= 3 && row < 11)
        centre[row - 3] = v;
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
      if (row >= k && row < k + SPAN) {
        sum[k] += row_sum;
        square[k] += row_square;
      }
  }
#pragma unroll
  for (int k = 0; k < 8; k++)
    smooth[(y + k) * WIDTH + x] = filtered(sum[k], square[k], centre[k]);
}

extern "C" __global__ void lee_plain(const float *radar, float *smooth) {
  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y;
  double sum = 0, square = 0;
  for (int k = 0; k < SPAN * SPAN; k++) {
    double v = radar[(y + k / SPAN) * PITCH + x + k % SPAN];
    sum += v;
    square += v * v;
  }
  smooth[y * WIDTH + x] = filtered(sum, square, radar[(y + 3) * PITCH + x + 3]);
}
