//! problem:   generic
//! id:        gnss-radians
//! ladder:    gnss-carrier
//! size:      N = 16M
//! param:     SAMPLES = 2097152
//! param:     SATELLITES = 8
//! buffer:    strength = fp32[SATELLITES]; init = random
//! buffer:    wave = fp32[2 * SAMPLES]
//! output:    wave
//! step:      kernel = carriers; grid = SAMPLES / 256; block = 256; args = strength, wave
//! reference: kernel = carriers_double; grid = SAMPLES / 256; block = 256; args = strength, wave
//! tolerance: 2e-5 1e-5
//! note:      a replica of what a receiver hears of eight satellites, each at its Doppler, in phase and quadrature

//! id:        gnss-turns
//! parent:    gnss-radians
//! change:    whole turns are taken off before the sine and cosine, not by them
//! predicts:  time < 0.7x; inst < 0.7x
//! step:      kernel = carriers_reduced; grid = SAMPLES / 256; block = 256; args = strength, wave

// The phase of a satellite's carrier at a sample, in radians since the recording began.
__device__ float phase(int satellite, int sample) {
  return fmaf(fmaf(0.013f, satellite, 0.71f), (float)sample, __fmul_rn(0.4f, satellite));
}

extern "C" __global__ void carriers(const float *__restrict__ strength, float2 *__restrict__ wave) {
  int sample = blockIdx.x * blockDim.x + threadIdx.x;
  float2 sum = make_float2(0, 0);
#pragma unroll 1
  for (int s = 0; s < SATELLITES; s++) {
    float sine, cosine, a = strength[s];
    sincosf(phase(s, sample), &sine, &cosine);
    sum.x += a * cosine;
    sum.y += a * sine;
  }
  wave[sample] = sum;
}

extern "C" __global__ void carriers_reduced(const float *__restrict__ strength, float2 *__restrict__ wave) {
  const double whole = 6755399441055744; // 1.5 * 2^52: what is added to it is rounded to an integer
  int sample = blockIdx.x * blockDim.x + threadIdx.x;
  float2 sum = make_float2(0, 0);
#pragma unroll 1
  for (int s = 0; s < SATELLITES; s++) {
    float sine, cosine, a = strength[s];
    double turns = phase(s, sample) * 0.15915494309189533577;
    float part = (float)(turns - __dsub_rn(__dadd_rn(turns, whole), whole));
    sincospif(2 * part, &sine, &cosine);
    sum.x += a * cosine;
    sum.y += a * sine;
  }
  wave[sample] = sum;
}

extern "C" __global__ void carriers_double(const float *strength, float *wave) {
  int sample = blockIdx.x * blockDim.x + threadIdx.x;
  double x = 0, y = 0;
  for (int s = 0; s < SATELLITES; s++) {
    x += strength[s] * cos((double)phase(s, sample));
    y += strength[s] * sin((double)phase(s, sample));
  }
  wave[2 * sample] = x;
  wave[2 * sample + 1] = y;
}
