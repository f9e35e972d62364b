//! problem:   generic
//! id:        spad-dense-rows
//! ladder:    spad-depth
//! size:      N = 16M
//! param:     ROW = 32
//! buffer:    counts = u16[N * 2]; init = random
//! buffer:    depth = fp32[N / 16]
//! output:    depth
//! step:      kernel = depth_of_pixels; grid = N / 16 / 128; block = 128; args = counts, depth
//! reference: kernel = depth_plain; grid = N / 16 / 256; block = 256; args = counts, depth
//! tolerance: 1e-4 1e-5
//! note:      time-of-flight camera: the histogram of 32 arrival times of each pixel, its peak, and the centre of mass around it

//! id:        spad-odd-rows
//! parent:    spad-dense-rows
//! change:    a word of room behind each pixel's histogram in shared memory
//! param:     ROW = 33
//! predicts:  time < 0.6x

enum { BINS = 32, PIXELS = 128 };

// Two neighbouring bins a word; a block's histograms lie in one piece.
__device__ void stage(const unsigned *__restrict__ from, unsigned *hist) {
  for (int w = threadIdx.x; w < PIXELS * BINS / 2; w += PIXELS) {
    unsigned two = from[w];
    unsigned *row = hist + w / (BINS / 2) * ROW + w % (BINS / 2) * 2;
    row[0] = two & 0xffff;
    row[1] = two >> 16;
  }
}

// Matched filter [1 2 1]: the bin in whose neighbourhood most photons came.
__device__ int peak(const unsigned *row) {
  unsigned before = 0, here = row[0], best = 0;
  int at = 0;
#pragma unroll 8
  for (int b = 0; b < BINS; b++) {
    unsigned after = b + 1 < BINS ? row[b + 1] : 0, score = before + 2 * here + after;
    if (score > best) {
      best = score;
      at = b;
    }
    before = here;
    here = after;
  }
  return at;
}

extern "C" __global__ void __launch_bounds__(PIXELS)
    depth_of_pixels(const unsigned *__restrict__ counts, float *__restrict__ depth) {
  __shared__ unsigned hist[PIXELS * ROW];
  stage(counts + blockIdx.x * (PIXELS * BINS / 2), hist);
  __syncthreads();
  const unsigned *row = hist + threadIdx.x * ROW;
  int at = peak(row), from = max(at - 3, 0), to = min(at + 3, BINS - 1);
  unsigned mass = 0, moment = 0;
  for (int b = from; b <= to; b++) {
    mass += row[b];
    moment += row[b] * b;
  }
  depth[blockIdx.x * PIXELS + threadIdx.x] = mass ? 0.15f * moment / mass : 0.0f; // 1 ns is 15 cm
}

extern "C" __global__ void depth_plain(const unsigned short *counts, float *depth) {
  int pixel = blockIdx.x * 256 + threadIdx.x, at = 0, best = 0, mass = 0, moment = 0;
  const unsigned short *h = counts + pixel * 32;
  for (int b = 0; b < 32; b++) {
    int score = 2 * h[b];
    if (b > 0)
      score += h[b - 1];
    if (b < 31)
      score += h[b + 1];
    if (score > best) {
      best = score;
      at = b;
    }
  }
  for (int b = 0; b < 32; b++)
    if (abs(b - at) <= 3) {
      mass += h[b];
      moment += h[b] * b;
    }
  depth[pixel] = mass ? 0.15f * (float)moment / (float)mass : 0.0f;
}
