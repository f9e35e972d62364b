//! problem:   generic
//! id:        overlap-frame-by-frame
//! ladder:    overlap-add
//! size:      N = 16M
//! param:     HOP = 256
//! buffer:    frames = fp32[2 * N]; init = random
//! buffer:    window = fp32[4 * HOP]; init = random
//! buffer:    signal = fp32[N / 2 + 3 * HOP]
//! output:    signal
//! reset:     fill signal = 0
//! step:      kernel = each_frame; grid = N / 2 / HOP; block = HOP; args = frames, window, signal
//! reference: kernel = overlap_double; grid = N / 2 / HOP + 3; block = HOP; args = frames, window, signal, N / 2 / HOP
//! tolerance: 1e-5 1e-5
//! flops:     4 * N
//! note:      the end of an inverse short-time transform: frames of four hops, each a hop after the one before, weighed and added up

//! id:        overlap-hop-by-hop
//! parent:    overlap-frame-by-frame
//! change:    a thread makes a sample of the signal from the four frames that reach it, instead of giving those of a frame away
//! predicts:  time < 0.8x; dram_bytes within 20%
//! step:      kernel = each_hop; grid = N / 2 / HOP + 3; block = HOP; args = frames, window, signal, N / 2 / HOP

extern "C" __global__ void each_frame(const float *__restrict__ frames, const float *__restrict__ window,
                                      float *signal) {
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int at = k * HOP + threadIdx.x;
    atomicAdd(&signal[blockIdx.x * HOP + at], frames[blockIdx.x * 4 * HOP + at] * window[at]);
  }
}

extern "C" __global__ void each_hop(const float *__restrict__ frames, const float *__restrict__ window, float *signal,
                                    int n) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int frame = (int)blockIdx.x - k, at = k * HOP + threadIdx.x;
    if (frame >= 0 && frame < n)
      sum += frames[frame * 4 * HOP + at] * window[at];
  }
  signal[blockIdx.x * HOP + threadIdx.x] = sum;
}

extern "C" __global__ void overlap_double(const float *frames, const float *window, float *signal, int n) {
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    int frame = (int)blockIdx.x - k, at = k * HOP + threadIdx.x;
    if (frame >= 0 && frame < n)
      sum += (double)frames[frame * 4 * HOP + at] * window[at];
  }
  signal[blockIdx.x * HOP + threadIdx.x] = sum;
}
