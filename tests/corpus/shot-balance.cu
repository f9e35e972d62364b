//! problem:   generic
//! id:        shot-extents
//! ladder:    shot-balance
//! size:      N = 16M
//! param:     SAMPLES = 1500
//! param:     RECEIVERS = 96
//! param:     SHOTS = 29
//! buffer:    trace = fp16[N]; init = random
//! buffer:    line_gain = fp32[64]; init = random
//! buffer:    shot_gain = fp32[SHOTS]; init = random
//! buffer:    receiver_gain = fp32[RECEIVERS]; init = random
//! buffer:    taper = fp32[SAMPLES]; init = random
//! buffer:    balanced = fp16[N]
//! output:    balanced
//! tolerance: 2e-3 2e-3
//! step:      kernel = balance_extents; grid = N / 256; block = 256; args = trace, line_gain, shot_gain, receiver_gain, taper, balanced, SAMPLES, RECEIVERS, SHOTS
//! reference: kernel = balance_plain; grid = N / 256; block = 256; args = trace, line_gain, shot_gain, receiver_gain, taper, balanced
//! note:      seismic traces, line after line of shots of receivers of samples, balanced surface-consistently

//! id:        shot-survey
//! parent:    shot-extents
//! change:    the extents of the survey are known when the kernel is compiled
//! predicts:  time < 0.8x; inst < 0.8x; dram_bytes within 5%
//! step:      kernel = balance_survey; grid = N / 256; block = 256; args = trace, line_gain, shot_gain, receiver_gain, taper, balanced

#include <cuda_fp16.h>

struct extents {
  unsigned samples, receivers, shots;
};

struct survey {
  static constexpr unsigned samples = SAMPLES, receivers = RECEIVERS, shots = SHOTS;
};

struct place {
  unsigned line, shot, receiver, sample;
};

template <class Extents> __device__ place locate(unsigned i, Extents e) {
  place p;
  p.sample = i % e.samples;
  unsigned rest = i / e.samples;
  p.receiver = rest % e.receivers;
  rest /= e.receivers;
  p.shot = rest % e.shots;
  p.line = rest / e.shots;
  return p;
}

template <class Extents>
__device__ void balance(const __half *trace, const float *line_gain, const float *shot_gain,
                        const float *receiver_gain, const float *taper, __half *balanced, Extents e) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float amplitude = __half2float(trace[i]);
  place p = locate(i, e);
  float gain = (1 + line_gain[p.line]) * (1 + shot_gain[p.shot]) * (1 + receiver_gain[p.receiver]);
  amplitude *= gain * (0.5f + 0.5f * taper[p.sample]);
  balanced[i] = __float2half(fminf(fmaxf(amplitude, -4), 4));
}

extern "C" __global__ void balance_extents(const __half *trace, const float *line_gain, const float *shot_gain,
                                           const float *receiver_gain, const float *taper, __half *balanced,
                                           int samples, int receivers, int shots) {
  extents e{(unsigned)samples, (unsigned)receivers, (unsigned)shots};
  balance(trace, line_gain, shot_gain, receiver_gain, taper, balanced, e);
}

extern "C" __global__ void balance_survey(const __half *trace, const float *line_gain, const float *shot_gain,
                                          const float *receiver_gain, const float *taper, __half *balanced) {
  balance(trace, line_gain, shot_gain, receiver_gain, taper, balanced, survey());
}

extern "C" __global__ void balance_plain(const __half *trace, const float *line_gain, const float *shot_gain,
                                         const float *receiver_gain, const float *taper, __half *balanced) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sample = i % SAMPLES, receiver = i / SAMPLES % RECEIVERS;
  int shot = i / (SAMPLES * RECEIVERS) % SHOTS, line = i / (SAMPLES * RECEIVERS * SHOTS);
  double gain = (1.0 + line_gain[line]) * (1.0 + shot_gain[shot]) * (1.0 + receiver_gain[receiver]);
  gain *= 0.5 + 0.5 * taper[sample];
  balanced[i] = __float2half((float)fmin(fmax(__half2float(trace[i]) * gain, -4.0), 4.0));
}
