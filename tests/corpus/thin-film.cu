//! problem:   generic
//! id:        thin-film-fluxes
//! ladder:    thin-film
//! size:      N = 16M
//! param:     WIDTH = 4096
//! buffer:    h = fp32[N]; init = random
//! buffer:    next = fp32[N]
//! output:    next
//! scratch:   flux_x = 4 * N
//! scratch:   flux_y = 4 * N
//! step:      kernel = fluxes; grid = WIDTH / 256, N / WIDTH; block = 256; args = h, flux_x, flux_y, N / WIDTH
//! step:      kernel = advance; grid = WIDTH / 256, N / WIDTH; block = 256; args = h, flux_x, flux_y, next, N / WIDTH
//! reference: kernel = film_plain; grid = WIDTH / 256, N / WIDTH; block = 256; args = h, next, N / WIDTH
//! tolerance: 1e-5 1e-5
//! note:      a step of a liquid film that levels under its weight, periodic in both directions; its mobility is the cube of its height

//! id:        thin-film
//! parent:    thin-film-fluxes
//! change:    one kernel, in which each cell computes its four fluxes
//! predicts:  time < 0.6x
//! step:      kernel = film; grid = WIDTH / 256, N / WIDTH; block = 256; args = h, next, N / WIDTH

#define DT 0.05f

// what flows from a into b
__device__ float flux(float a, float b) {
  float middle = 1.5f + 0.25f * (a + b);
  return middle * middle * middle * (a - b);
}

__device__ int at(int x, int y, int height) { return (y & (height - 1)) * WIDTH + (x & (WIDTH - 1)); }

extern "C" __global__ void fluxes(const float *__restrict__ h, float *__restrict__ flux_x, float *__restrict__ flux_y,
                                  int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float here = h[at(x, y, height)];
  flux_x[at(x, y, height)] = flux(here, h[at(x + 1, y, height)]);
  flux_y[at(x, y, height)] = flux(here, h[at(x, y + 1, height)]);
}

extern "C" __global__ void advance(const float *__restrict__ h, const float *__restrict__ flux_x,
                                   const float *__restrict__ flux_y, float *__restrict__ next, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, i = at(x, y, height);
  float gain = flux_x[at(x - 1, y, height)] - flux_x[i] + flux_y[at(x, y - 1, height)] - flux_y[i];
  next[i] = h[i] + DT * gain;
}

extern "C" __global__ void film(const float *__restrict__ h, float *__restrict__ next, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, i = at(x, y, height);
  float here = h[i];
  float gain = flux(h[at(x - 1, y, height)], here) - flux(here, h[at(x + 1, y, height)]) +
               flux(h[at(x, y - 1, height)], here) - flux(here, h[at(x, y + 1, height)]);
  next[i] = here + DT * gain;
}

extern "C" __global__ void film_plain(const float *h, float *next, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, i = at(x, y, height);
  int around[4] = {at(x - 1, y, height), at(x + 1, y, height), at(x, y - 1, height), at(x, y + 1, height)};
  float gain = 0;
  for (int k = 0; k < 4; k++)
    gain += flux(h[around[k]], h[i]);
  next[i] = h[i] + DT * gain;
}
