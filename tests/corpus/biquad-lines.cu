//! problem:   generic
//! id:        biquad-line-a-thread
//! ladder:    biquad-lines
//! size:      N = 16M
//! param:     SAMPLES = 256
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = along_lines; grid = N / SAMPLES / 64; block = 64; args = x, y
//! reference: kernel = lines_double; grid = N / SAMPLES / 64; block = 64; args = x, y
//! tolerance: 1e-5 1e-4
//! flops:     9 * N
//! note:      a low-pass of second order over the scan lines of an ultrasound probe, each a run of samples

//! id:        biquad-tiles
//! parent:    biquad-line-a-thread
//! change:    a warp brings 32 samples of each of its 32 lines through a tile of shared memory, and takes them back the same way
//! predicts:  time < 0.7x; dram_bytes within 10%
//! step:      kernel = over_tiles; grid = N / SAMPLES / 64; block = 64; args = x, y

struct memory {
  float a, b;
};

__device__ float next(memory &m, float in) {
  float out = 0.29289322f * in + m.a;
  m.a = 0.58578644f * in + m.b;
  m.b = 0.29289322f * in - 0.17157288f * out;
  return out;
}

extern "C" __global__ void along_lines(const float *__restrict__ x, float *__restrict__ y) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * SAMPLES;
  memory m = {0, 0};
#pragma unroll 8
  for (int i = 0; i < SAMPLES; i++)
    y[first + i] = next(m, x[first + i]);
}

extern "C" __global__ void over_tiles(const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float tiles[2][32][33];
  float(*tile)[33] = tiles[threadIdx.x / 32];
  int lane = threadIdx.x % 32, first = (blockIdx.x * blockDim.x + threadIdx.x - lane) * SAMPLES;
  memory m = {0, 0};
  for (int i = 0; i < SAMPLES; i += 32) {
#pragma unroll
    for (int line = 0; line < 32; line++)
      tile[line][lane] = x[first + line * SAMPLES + i + lane];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 32; k++)
      tile[lane][k] = next(m, tile[lane][k]);
    __syncwarp();
#pragma unroll
    for (int line = 0; line < 32; line++)
      y[first + line * SAMPLES + i + lane] = tile[line][lane];
    __syncwarp();
  }
}

extern "C" __global__ void lines_double(const float *x, float *y) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * SAMPLES;
  double a = 0, b = 0;
  for (int i = 0; i < SAMPLES; i++) {
    double in = x[first + i], out = 0.29289322 * in + a;
    a = 0.58578644 * in + b;
    b = 0.29289322 * in - 0.17157288 * out;
    y[first + i] = out;
  }
}
