//! problem:   generic
//! id:        image-diffusion-fluxes
//! ladder:    image-diffusion
//! size:      N = 16M
//! param:     SIDE = 4096
//! buffer:    u = fp32[N]; init = random
//! buffer:    smooth = fp32[N]
//! output:    smooth
//! scratch:   right = 4 * N
//! scratch:   down = 4 * N
//! step:      kernel = fluxes; grid = SIDE / 64, SIDE / 4; block = 64, 4; args = u, right, down
//! step:      kernel = divergence; grid = SIDE / 64, SIDE / 4; block = 64, 4; args = u, right, down, smooth
//! reference: kernel = diffuse_plain; grid = SIDE / 256, SIDE; block = 256; args = u, smooth
//! tolerance: 1e-5 1e-5
//! flops:     16 * N
//! note:      a step of Perona and Malik's diffusion, which keeps edges; SIDE * SIDE is N

//! id:        image-diffusion-fused
//! parent:    image-diffusion-fluxes
//! change:    one kernel that computes a pixel's four fluxes, instead of two arrays of them in between
//! predicts:  dram_bytes < 0.5x; time < 0.6x
//! step:      kernel = diffuse; grid = SIDE / 64, SIDE / 4; block = 64, 4; args = u, smooth

__device__ float flux(float a, float b) { return __fdividef(b - a, 1 + 4 * (b - a) * (b - a)); }

// What flows from a pixel to its neighbour on the right and below; none across the rim.
__device__ float to_right(const float *u, int x, int y) {
  return x >= 0 && x < SIDE - 1 ? flux(u[y * SIDE + x], u[y * SIDE + x + 1]) : 0;
}
__device__ float to_below(const float *u, int x, int y) {
  return y >= 0 && y < SIDE - 1 ? flux(u[y * SIDE + x], u[(y + 1) * SIDE + x]) : 0;
}

extern "C" __global__ void fluxes(const float *__restrict__ u, float *__restrict__ right, float *__restrict__ down) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  right[y * SIDE + x] = to_right(u, x, y);
  down[y * SIDE + x] = to_below(u, x, y);
}

extern "C" __global__ void divergence(const float *__restrict__ u, const float *__restrict__ right,
                                      const float *__restrict__ down, float *__restrict__ smooth) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, at = y * SIDE + x;
  float in = (x > 0 ? right[at - 1] : 0) + (y > 0 ? down[at - SIDE] : 0);
  smooth[at] = u[at] + 0.2f * (right[at] + down[at] - in);
}

extern "C" __global__ void diffuse(const float *__restrict__ u, float *__restrict__ smooth) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, at = y * SIDE + x;
  float in = to_right(u, x - 1, y) + to_below(u, x, y - 1);
  smooth[at] = u[at] + 0.2f * (to_right(u, x, y) + to_below(u, x, y) - in);
}

__device__ double flux_plain(const float *u, int x, int y, int from_x, int from_y) {
  if (from_x < 0 || from_y < 0 || from_x >= SIDE || from_y >= SIDE)
    return 0;
  double d = (double)u[from_y * SIDE + from_x] - u[y * SIDE + x];
  return d / (1 + 4 * d * d);
}

extern "C" __global__ void diffuse_plain(const float *u, float *smooth) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  smooth[y * SIDE + x] = u[y * SIDE + x] + 0.2 * (flux_plain(u, x, y, x - 1, y) + flux_plain(u, x, y, x + 1, y) +
                                                  flux_plain(u, x, y, x, y - 1) + flux_plain(u, x, y, x, y + 1));
}
