//! problem:   generic
//! id:        kirchhoff-deep-columns
//! ladder:    kirchhoff-image
//! size:      N = 16M
//! param:     COLUMNS = 17408
//! param:     DEPTHS = 256
//! param:     TRACES = 32
//! param:     SAMPLES = 2048
//! param:     WALK = 16
//! buffer:    trace = fp32[TRACES * SAMPLES]; init = random
//! buffer:    image = fp32[DEPTHS * COLUMNS]
//! output:    image
//! step:      kernel = migrate; grid = COLUMNS / 1024 * (DEPTHS / WALK); block = 1024; args = trace, image
//! reference: kernel = migrate_plain; grid = COLUMNS / 256, DEPTHS; block = 256; args = trace, image
//! tolerance: 1e-2 1e-3
//! note:      Kirchhoff migration: each point of the image sums the traces at the time that an echo from it would take

//! id:        kirchhoff-short-columns
//! parent:    kirchhoff-deep-columns
//! change:    a block takes two depths, not sixteen, so that the last blocks to start are short
//! param:     WALK = 2
//! predicts:  time < 0.8x

__device__ float echo(const float *__restrict__ trace, int k, float x, float depth) {
  float away = x - 340.0f * k, time = sqrtf(fmaf(away, away, depth * depth)) * 0.1f;
  int sample = (int)time;
  float part = time - sample;
  const float *at = trace + k * SAMPLES + sample;
  return at[0] + part * (at[1] - at[0]);
}

extern "C" __global__ void __launch_bounds__(1024) migrate(const float *__restrict__ trace, float *__restrict__ image) {
  const int across = COLUMNS / 1024;
  int column = blockIdx.x % across * 1024 + threadIdx.x, first = blockIdx.x / across * WALK;
#pragma unroll 1
  for (int z = first; z < first + WALK; z++) {
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < TRACES; k++)
      sum += echo(trace, k, column, 8.0f * z);
    image[z * COLUMNS + column] = sum;
  }
}

extern "C" __global__ void migrate_plain(const float *trace, float *image) {
  int column = blockIdx.x * 256 + threadIdx.x, z = blockIdx.y;
  double sum = 0;
  for (int k = 0; k < TRACES; k++) {
    double away = column - 340.0 * k, time = sqrt(away * away + 64.0 * z * z) * 0.1;
    int sample = (int)time;
    double part = time - sample;
    sum += trace[k * SAMPLES + sample] * (1 - part) + trace[k * SAMPLES + sample + 1] * part;
  }
  image[z * COLUMNS + column] = sum;
}
