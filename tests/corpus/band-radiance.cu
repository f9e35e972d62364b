//! problem:   generic
//! id:        band-radiance-bands
//! ladder:    band-radiance
//! size:      N = 16M
//! param:     BANDS = 4
//! buffer:    band = fp32[N / 2 * BANDS]; init = random
//! buffer:    pixel = fp32[N / 2 * BANDS]
//! output:    pixel
//! step:      kernel = calibrate; grid = N / 2 / 256, BANDS; block = 256; args = band, pixel, N / 2
//! reference: kernel = calibrate_plain; grid = N / 2 / 256; block = 256; args = band, pixel, N / 2
//! tolerance: 1e-5 1e-5
//! note:      bands of a satellite's image, each a plane, calibrated to radiances and interleaved by pixel

//! id:        band-radiance
//! parent:    band-radiance-bands
//! change:    a thread takes the four bands of its pixel
//! predicts:  time < 0.7x
//! step:      kernel = calibrate_pixel; grid = N / 2 / 256; block = 256; args = band, pixel, N / 2

__constant__ float gain[4] = {0.78f, 0.66f, 0.52f, 1.12f};
__constant__ float offset[4] = {0.12f, 0.09f, 0.07f, 0.15f};

// radiance, with the knee of the detector taken out
__device__ float radiance(float counts, int b) {
  float r = gain[b] * counts + offset[b];
  if (r > 0.6f)
    r += 0.08f * (r - 0.6f) * (r - 0.6f);
  return fmaxf(r, 0.f);
}

extern "C" __global__ void calibrate(const float *__restrict__ band, float *__restrict__ pixel, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  pixel[i * BANDS + b] = radiance(band[b * pixels + i], b);
}

extern "C" __global__ void calibrate_pixel(const float *__restrict__ band, float4 *__restrict__ pixel, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r[BANDS];
#pragma unroll
  for (int b = 0; b < BANDS; b++)
    r[b] = radiance(band[b * pixels + i], b);
  pixel[i] = make_float4(r[0], r[1], r[2], r[3]);
}

extern "C" __global__ void calibrate_plain(const float *band, float *pixel, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = 0; b < BANDS; b++)
    pixel[i * BANDS + b] = radiance(band[b * pixels + i], b);
}
