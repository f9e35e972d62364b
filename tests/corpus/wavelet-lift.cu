//! problem:   generic
//! id:        lift-plain-rows
//! ladder:    wavelet-lift
//! size:      N = 16M
//! param:     LENGTH = 2048
//! param:     LEVELS = 8
//! buffer:    signal = fp32[N]; init = random
//! buffer:    bands = fp32[N]
//! output:    bands
//! tolerance: 1e-4 1e-4
//! step:      kernel = lift_rows; grid = N / LENGTH; block = 256; args = signal, bands
//! reference: kernel = lift_plain; grid = N / LENGTH / 64; block = 64; args = signal, bands
//! note:      eight levels of the 5/3 wavelet along cyclic rows of 2048, lifted in place

//! id:        lift-gapped-rows
//! parent:    lift-plain-rows
//! change:    after each 32 words of a row in shared memory one is left out
//! predicts:  time < 0.7x; shared_bank_conflicts < 0.3x; dram_bytes within 5%
//! step:      kernel = lift_gapped; grid = N / LENGTH; block = 256; args = signal, bands

struct dense {
  static constexpr int words = LENGTH;
  __device__ static int at(int i) { return i; }
};

struct gapped {
  static constexpr int words = LENGTH + LENGTH / 32;
  __device__ static int at(int i) { return i + (i >> 5); }
};

// One level: the odd samples of a spacing become what their neighbours do not predict, the even ones are smoothed.
template <class Where> __device__ void lift_level(float *row, int level) {
  int space = 1 << level, pairs = LENGTH / 2 >> level;
  for (int i = threadIdx.x; i < pairs; i += 256) {
    int even = 2 * i * space, next = (even + 2 * space) % LENGTH;
    row[Where::at(even + space)] -= 0.5f * (row[Where::at(even)] + row[Where::at(next)]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < pairs; i += 256) {
    int even = 2 * i * space, before = (even + LENGTH - space) % LENGTH;
    row[Where::at(even)] += 0.25f * (row[Where::at(before)] + row[Where::at(even + space)]);
  }
  __syncthreads();
}

template <class Where> __device__ void lift(const float *__restrict__ signal, float *__restrict__ bands) {
  __shared__ float row[Where::words];
  int first = blockIdx.x * LENGTH;
#pragma unroll
  for (int i = threadIdx.x; i < LENGTH; i += 256)
    row[Where::at(i)] = signal[first + i];
  __syncthreads();
  for (int level = 0; level < LEVELS; level++)
    lift_level<Where>(row, level);
#pragma unroll
  for (int i = threadIdx.x; i < LENGTH; i += 256)
    bands[first + i] = row[Where::at(i)];
}

extern "C" __global__ void __launch_bounds__(256) lift_rows(const float *signal, float *bands) {
  lift<dense>(signal, bands);
}

extern "C" __global__ void __launch_bounds__(256) lift_gapped(const float *signal, float *bands) {
  lift<gapped>(signal, bands);
}

extern "C" __global__ void lift_plain(const float *signal, float *bands) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * LENGTH;
  for (int i = 0; i < LENGTH; i++)
    bands[first + i] = signal[first + i];
  for (int s = 1; s < 1 << LEVELS; s *= 2) {
    for (int i = 0; i < LENGTH; i += 2 * s)
      bands[first + i + s] -= 0.5f * (bands[first + i] + bands[first + (i + 2 * s) % LENGTH]);
    for (int i = 0; i < LENGTH; i += 2 * s)
      bands[first + i] += 0.25f * (bands[first + (i + LENGTH - s) % LENGTH] + bands[first + i + s]);
  }
}
