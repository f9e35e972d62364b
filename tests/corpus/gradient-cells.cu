//! problem:   generic
//! id:        cells-array
//! ladder:    gradient-cells
//! size:      N = 16M
//! param:     WIDTH = 4096
//! param:     PITCH = 4104
//! buffer:    image = fp32[PITCH * (N / WIDTH + 1)]; init = random
//! buffer:    bins = fp32[N / 2]
//! output:    bins
//! tolerance: 1e-3 1e-4
//! step:      kernel = cells_array; grid = WIDTH / 8 / 128, N / WIDTH / 8; block = 128; args = image, bins
//! reference: kernel = cells_plain; grid = N / 64 / 64; block = 64; args = image, bins
//! note:      oriented gradients in cells of 8 x 8 pixels: votes for eight directions and four classes of strength

//! id:        cells-shared
//! parent:    cells-array
//! change:    the 32 sums of a thread lie in shared memory
//! predicts:  time < 0.8x
//! step:      kernel = cells_shared; grid = WIDTH / 8 / 128, N / WIDTH / 8; block = 128; args = image, bins

// The direction of a gradient, and between which two classes of strength it lies.
struct vote {
  int bin;
  float share;

  __device__ vote(float gx, float gy) {
    float strength = fabsf(gx) + fabsf(gy);
    int octant = (gx < 0 ? 1 : 0) | (gy < 0 ? 2 : 0) | (fabsf(gx) < fabsf(gy) ? 4 : 0);
    int level = (strength > 0.7f) + (strength > 1.4f);
    bin = octant * 4 + level;
    share = fminf(strength - 0.7f * level, 0.7f);
  }
};

struct in_array {
  float sum[32];
  __device__ float &at(int bin) { return sum[bin]; }
};

struct in_shared {
  __device__ float &at(int bin) {
    __shared__ float sum[32][128];
    return sum[bin][threadIdx.x];
  }
};

// The nine pixels from x on: those of a cell's row and the one after.
__device__ void read_row(const float *image, float row[9]) {
  *(float4 *)&row[0] = ((const float4 *)image)[0];
  *(float4 *)&row[4] = ((const float4 *)image)[1];
  row[8] = image[8];
}

template <class Bins> __device__ void cells(const float *__restrict__ image, float *__restrict__ bins) {
  int cell = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 8;
  const float *corner = image + y * PITCH + cell * 8;
  Bins votes;
#pragma unroll
  for (int bin = 0; bin < 32; bin++)
    votes.at(bin) = 0;
  float row[9], below[9];
  read_row(corner, row);
#pragma unroll 2
  for (int dy = 1; dy <= 8; dy++) {
    read_row(corner + dy * PITCH, below);
#pragma unroll
    for (int dx = 0; dx < 8; dx++) {
      float gx = row[dx + 1] - row[dx], gy = below[dx] - row[dx];
      vote v(gx, gy);
      votes.at(v.bin) += 0.7f - v.share;
      votes.at(v.bin + 1) += v.share;
    }
#pragma unroll
    for (int dx = 0; dx < 9; dx++)
      row[dx] = below[dx];
  }
#pragma unroll
  for (int bin = 0; bin < 32; bin++)
    bins[(blockIdx.y * 32 + bin) * (WIDTH / 8) + cell] = votes.at(bin);
}

extern "C" __global__ void __launch_bounds__(128) cells_array(const float *image, float *bins) {
  cells<in_array>(image, bins);
}

extern "C" __global__ void __launch_bounds__(128) cells_shared(const float *image, float *bins) {
  cells<in_shared>(image, bins);
}

extern "C" __global__ void cells_plain(const float *image, float *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, cell = i % (WIDTH / 8), y = i / (WIDTH / 8);
  double sum[32];
  for (int bin = 0; bin < 32; bin++)
    sum[bin] = 0;
  for (int k = 0; k < 64; k++) {
    const float *p = image + (y * 8 + k / 8) * PITCH + cell * 8 + k % 8;
    vote v(p[1] - p[0], p[PITCH] - p[0]);
    sum[v.bin] += 0.7f - v.share;
    sum[v.bin + 1] += v.share;
  }
  for (int bin = 0; bin < 32; bin++)
    bins[(y * 32 + bin) * (WIDTH / 8) + cell] = (float)sum[bin];
}
