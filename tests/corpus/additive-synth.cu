//! problem:   generic
//! id:        synth-fmod
//! ladder:    additive-synth
//! size:      N = 16M
//! param:     PARTIALS = 16
//! param:     VOICE = 1024
//! buffer:    step = fp32[N / 4 / VOICE * PARTIALS]; init = random
//! buffer:    start = fp32[N / 4 / VOICE * PARTIALS]; init = random
//! buffer:    gain = fp32[N / 4 / VOICE * PARTIALS]; init = random
//! buffer:    sound = fp32[N / 4]
//! output:    sound
//! step:      kernel = voices_fmod; grid = N / 4 / VOICE; block = 256; args = step, start, gain, sound
//! reference: kernel = voices_double; grid = N / 4 / VOICE; block = 256; args = step, start, gain, sound
//! tolerance: 1e-4 1e-4
//! flops:     N / 4 * PARTIALS * 8
//! note:      a block plays 1024 samples of a voice of sixteen partials, each a wave whose phase is counted in periods

//! id:        synth-floor
//! parent:    synth-fmod
//! change:    a phase is wrapped by taking its whole part away, instead of by fmodf
//! predicts:  time < 0.7x; inst < 0.7x; dram_bytes within 10%
//! step:      kernel = voices_floor; grid = N / 4 / VOICE; block = 256; args = step, start, gain, sound

// One period of the wave, from a phase of 0 to 1.
__device__ float wave(float phase) {
  float u = phase - 0.5f;
  return u * (16 * fabsf(u) - 8);
}

__device__ float wrap_fmod(float phase) {
  return fmodf(phase, 1.0f);
}
__device__ float wrap_floor(float phase) {
  return phase - floorf(phase);
}

template <float wrap(float)>
__device__ void voices(const float *__restrict__ step, const float *__restrict__ start, const float *__restrict__ gain,
                       float *__restrict__ sound) {
  float sum[VOICE / 256] = {};
  for (int p = blockIdx.x * PARTIALS; p < (blockIdx.x + 1) * PARTIALS; p++) {
    float by = fabsf(step[p]), from = fabsf(start[p]), loud = gain[p];
#pragma unroll
    for (int k = 0; k < VOICE / 256; k++)
      sum[k] += loud * wave(wrap(fmaf(by, k * 256 + threadIdx.x, from)));
  }
#pragma unroll
  for (int k = 0; k < VOICE / 256; k++)
    sound[blockIdx.x * VOICE + k * 256 + threadIdx.x] = sum[k];
}

extern "C" __global__ void voices_fmod(const float *step, const float *start, const float *gain, float *sound) {
  voices<wrap_fmod>(step, start, gain, sound);
}

extern "C" __global__ void voices_floor(const float *step, const float *start, const float *gain, float *sound) {
  voices<wrap_floor>(step, start, gain, sound);
}

extern "C" __global__ void voices_double(const float *step, const float *start, const float *gain, float *sound) {
  for (int i = threadIdx.x; i < VOICE; i += 256) {
    double sum = 0;
    for (int p = blockIdx.x * PARTIALS; p < (blockIdx.x + 1) * PARTIALS; p++) {
      double phase = fmaf(fabsf(step[p]), i, fabsf(start[p])), u = phase - floor(phase) - 0.5;
      sum += gain[p] * u * (16 * fabs(u) - 8);
    }
    sound[blockIdx.x * VOICE + i] = sum;
  }
}
