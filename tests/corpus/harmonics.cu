//! problem:   generic
//! id:        harmonics-sines
//! ladder:    harmonics
//! size:      N = 16M
//! buffer:    phase = fp32[N / 2]; init = random
//! buffer:    wave = fp32[N / 2]
//! output:    wave
//! step:      kernel = sines; grid = N / 2 / 256; block = 256; args = phase, wave
//! reference: kernel = sines_double; grid = N / 2 / 256; block = 256; args = phase, wave
//! tolerance: 2e-3 0
//! flops:     2 * 32 * N / 2
//! note:      additive synthesis: 32 harmonics of one phase

//! id:        harmonics-recurrence
//! parent:    harmonics-sines
//! change:    sin(kx) = 2 cos(x) sin((k - 1)x) - sin((k - 2)x): one sine and one cosine in all
//! predicts:  time < 0.7x; dram_bytes within 5%
//! step:      kernel = recurrence; grid = N / 2 / 256; block = 256; args = phase, wave

extern "C" __global__ void sines(const float *phase, float *wave) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = phase[i], s = 0;
#pragma unroll
  for (int k = 1; k <= 32; k++)
    s += (1.0f / k) * __sinf(k * x);
  wave[i] = s;
}

extern "C" __global__ void recurrence(const float *phase, float *wave) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = phase[i], now = __sinf(x), before = 0, twice = 2 * __cosf(x), s = now;
#pragma unroll
  for (int k = 2; k <= 32; k++) {
    float next = twice * now - before;
    before = now;
    now = next;
    s += (1.0f / k) * now;
  }
  wave[i] = s;
}

extern "C" __global__ void sines_double(const float *phase, float *wave) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 1; k <= 32; k++)
    s += sin(k * (double)phase[i]) / k;
  wave[i] = s;
}
