//! problem:   generic
//! id:        relief-points
//! ladder:    relief-shade
//! size:      N = 16M
//! param:     WIDTH = 4096
//! param:     PITCH = 4128
//! buffer:    height = fp32[PITCH * (N / 2 / WIDTH + 8)]; init = random
//! buffer:    shade = fp32[N / 2]
//! output:    shade
//! tolerance: 2e-4 1e-4
//! flops:     98 * N / 2
//! step:      kernel = shade_points; grid = WIDTH / 32, N / 2 / WIDTH / 8; block = 32, 8; args = height, shade
//! reference: kernel = shade_plain; grid = WIDTH / 32, N / 2 / WIDTH / 8; block = 32, 8; args = height, shade
//! note:      shaded relief of a terrain whose margins are in its pitch: 49 neighbours, lit from the north-west

//! id:        relief-runs
//! parent:    relief-points
//! change:    a thread shades eight points below each other and goes once through the rows about them
//! predicts:  time < 0.8x; dram_bytes within 10%
//! step:      kernel = shade_runs; grid = WIDTH / 32, N / 2 / WIDTH / 64; block = 32, 8; args = height, shade

__device__ constexpr float light[7][7] = {
    {.031f, .044f, .057f, .049f, .026f, .008f, -.003f},   {.044f, .083f, .118f, .097f, .041f, -.007f, -.019f},
    {.057f, .118f, .201f, .152f, .022f, -.061f, -.047f},  {.049f, .097f, .152f, .377f, -.143f, -.101f, -.053f},
    {.026f, .041f, .022f, -.143f, -.196f, -.112f, -.059f}, {.008f, -.007f, -.061f, -.101f, -.112f, -.079f, -.038f},
    {-.003f, -.019f, -.047f, -.053f, -.059f, -.038f, -.027f}};

__device__ float tone(float sum) {
  return 0.5f + __fdividef(sum, 1 + fabsf(sum));
}

// ROWS points of a column, from the rows that any of them needs.
template <int ROWS> __device__ void shade_column(const float *__restrict__ height, float *__restrict__ shade) {
  int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.y * 8 + threadIdx.y) * ROWS;
  const float *corner = height + (long long)y * PITCH + x;
  float sum[ROWS] = {};
#pragma unroll
  for (int row = 0; row < ROWS + 6; row++) {
    float across[7];
#pragma unroll
    for (int dx = 0; dx < 7; dx++)
      across[dx] = corner[row * PITCH + dx];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      if (row >= r && row < r + 7)
#pragma unroll
        for (int dx = 0; dx < 7; dx++)
          sum[r] += light[row - r][dx] * across[dx];
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    shade[(y + r) * WIDTH + x] = tone(sum[r]);
}

extern "C" __global__ void shade_points(const float *height, float *shade) {
  shade_column<1>(height, shade);
}

extern "C" __global__ void shade_runs(const float *height, float *shade) {
  shade_column<8>(height, shade);
}

extern "C" __global__ void shade_plain(const float *height, float *shade) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  double sum = 0;
  for (int dy = 0; dy < 7; dy++)
    for (int dx = 0; dx < 7; dx++)
      sum += (double)light[dy][dx] * height[(y + dy) * PITCH + x + dx];
  shade[y * WIDTH + x] = (float)(0.5 + sum / (1 + fabs(sum)));
}
