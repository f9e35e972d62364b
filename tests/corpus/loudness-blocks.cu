//! problem:   generic
//! id:        loudness-by-channel
//! ladder:    loudness-blocks
//! size:      N = 16M
//! param:     CHANNELS = 24
//! param:     FRAMES = 6144
//! param:     WINDOWS = 110
//! buffer:    sample = fp32[N]; init = random
//! buffer:    energy = fp32[WINDOWS * CHANNELS]; init = zero
//! buffer:    peak = fp32[WINDOWS * CHANNELS]; init = zero
//! output:    energy, peak
//! tolerance: 1e-2 1e-4
//! bytes:     4 * CHANNELS * (FRAMES + 2) * WINDOWS
//! reset:     fill energy = 0
//! reset:     fill peak = 0
//! step:      kernel = loudness_by_channel; grid = CHANNELS, WINDOWS; block = CHANNELS * 32; args = sample, energy, peak
//! reference: kernel = loudness_plain; grid = WINDOWS; block = CHANNELS; args = sample, energy, peak
//! note:      energy and peak of each of 24 interleaved channels in windows of 6144 frames

//! id:        loudness-by-frame
//! parent:    loudness-by-channel
//! change:    a block takes all channels of 256 frames instead of one channel of all frames
//! predicts:  time < 0.7x; sectors_per_request < 0.4x; dram_bytes within 5%
//! step:      kernel = loudness_by_frame; grid = CHANNELS, WINDOWS; block = CHANNELS * 32; args = sample, energy, peak

// Which of a window's samples a thread takes, and to which channel a column of threads belongs.
struct by_channel {
  __device__ static int sample(int k) { return (k + threadIdx.x) * CHANNELS + blockIdx.x; }
  __device__ static int channel(int) { return blockIdx.x; }
};

struct by_frame {
  __device__ static int sample(int k) { return blockIdx.x * FRAMES + k + threadIdx.x; }
  __device__ static int channel(int column) { return column; }
};

template <class Order> __device__ void loudness(const float *__restrict__ sample, float *energy, float *peak) {
  __shared__ float2 parts[32][CHANNELS];
  const float *window = sample + blockIdx.y * (FRAMES * CHANNELS);
  float sum = 0, top = 0;
#pragma unroll
  for (int k = 0; k < FRAMES; k += CHANNELS * 32) {
    float v = window[Order::sample(k)];
    sum += v * v;
    top = fmaxf(top, fabsf(v));
  }
  int column = threadIdx.x % CHANNELS;
  parts[threadIdx.x / CHANNELS][column] = make_float2(sum, top);
  __syncthreads();
  if (threadIdx.x < CHANNELS) {
    float2 all = parts[0][column];
#pragma unroll 8
    for (int row = 1; row < 32; row++) {
      float2 part = parts[row][column];
      all = make_float2(all.x + part.x, fmaxf(all.y, part.y));
    }
    int to = blockIdx.y * CHANNELS + Order::channel(column);
    atomicAdd(&energy[to], all.x);
    atomicMax((int *)&peak[to], __float_as_int(all.y)); // of positive numbers the larger has the larger bits
  }
}

extern "C" __global__ void __launch_bounds__(768) loudness_by_channel(const float *sample, float *energy,
                                                                      float *peak) {
  loudness<by_channel>(sample, energy, peak);
}

extern "C" __global__ void __launch_bounds__(768) loudness_by_frame(const float *sample, float *energy, float *peak) {
  loudness<by_frame>(sample, energy, peak);
}

extern "C" __global__ void loudness_plain(const float *sample, float *energy, float *peak) {
  double sum = 0;
  float top = 0;
  for (int f = 0; f < FRAMES; f++) {
    float v = sample[(blockIdx.x * FRAMES + f) * CHANNELS + threadIdx.x];
    sum += (double)v * v;
    top = fmaxf(top, fabsf(v));
  }
  energy[blockIdx.x * CHANNELS + threadIdx.x] = (float)sum;
  peak[blockIdx.x * CHANNELS + threadIdx.x] = top;
}
