//! problem:   generic
//! id:        fft32-columns-any
//! ladder:    fft32-columns
//! size:      N = 16M
//! buffer:    re = fp32[N / 2]; init = random
//! buffer:    im = fp32[N / 2]; init = random
//! buffer:    out_re = fp32[N / 2]
//! buffer:    out_im = fp32[N / 2]
//! output:    out_re, out_im
//! scratch:   twiddle = 128
//! setup:     kernel = roots; grid = 1; block = 16; args = twiddle
//! step:      kernel = fft; grid = N / 64 / 128; block = 128; args = re, im, twiddle, out_re, out_im, N / 64, 5
//! reference: kernel = dft_plain; grid = N / 64 / 128, 32; block = 128; args = re, im, out_re, out_im, N / 64
//! tolerance: 1e-4 1e-4
//! note:      Doppler spectra of radar pulses: a transform of 32 points for each range gate, a thread a gate

//! id:        fft32-columns
//! parent:    fft32-columns-any
//! change:    the compiler knows the length and unrolls all loops
//! predicts:  time < 0.75x
//! step:      kernel = fft_32; grid = N / 64 / 128; block = 128; args = re, im, twiddle, out_re, out_im, N / 64

#define MAX_POINTS 32

extern "C" __global__ void roots(float2 *twiddle) {
  double at = -2 * 3.14159265358979323846 * threadIdx.x / MAX_POINTS;
  twiddle[threadIdx.x] = make_float2(cos(at), sin(at));
}

// the product of the root and the lower point is added to the upper one and taken from it
__device__ __forceinline__ void butterfly(float2 &a, float2 &b, float2 w) {
  float2 t = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
  b = make_float2(a.x - t.x, a.y - t.y);
  a = make_float2(a.x + t.x, a.y + t.y);
}

__device__ __forceinline__ void transform(const float *re, const float *im, const float2 *twiddle, float *out_re, float *out_im, int gates,
                          int log) {
  int gate = blockIdx.x * blockDim.x + threadIdx.x, points = 1 << log;
  float2 z[MAX_POINTS];
#pragma unroll
  for (int i = 0; i < points; i++)
    z[__brev(i) >> (32 - log)] = make_float2(re[i * gates + gate], im[i * gates + gate]);
#pragma unroll
  for (int stage = 0; stage < log; stage++) {
#pragma unroll
    for (int k = 0; k < points / 2; k++) {
      int j = k & ((1 << stage) - 1), a = (k >> stage << (stage + 1)) + j;
      butterfly(z[a], z[a + (1 << stage)], twiddle[j << (4 - stage)]);
    }
  }
#pragma unroll
  for (int i = 0; i < points; i++) {
    out_re[i * gates + gate] = z[i].x;
    out_im[i * gates + gate] = z[i].y;
  }
}

extern "C" __global__ void __launch_bounds__(128) fft(const float *__restrict__ re, const float *__restrict__ im,
                                                      const float2 *__restrict__ twiddle, float *__restrict__ out_re,
                                                      float *__restrict__ out_im, int gates, int log) {
  transform(re, im, twiddle, out_re, out_im, gates, log);
}

extern "C" __global__ void __launch_bounds__(128) fft_32(const float *__restrict__ re, const float *__restrict__ im,
                                                         const float2 *__restrict__ twiddle, float *__restrict__ out_re,
                                                         float *__restrict__ out_im, int gates) {
  transform(re, im, twiddle, out_re, out_im, gates, 5);
}

extern "C" __global__ void dft_plain(const float *re, const float *im, float *out_re, float *out_im, int gates) {
  int gate = blockIdx.x * blockDim.x + threadIdx.x;
  double x = 0, y = 0;
  for (int i = 0; i < 32; i++) {
    double c, s;
    sincospi(-2.0 * (i * blockIdx.y % 32) / 32, &s, &c);
    x += c * re[i * gates + gate] - s * im[i * gates + gate];
    y += c * im[i * gates + gate] + s * re[i * gates + gate];
  }
  out_re[blockIdx.y * gates + gate] = x;
  out_im[blockIdx.y * gates + gate] = y;
}
