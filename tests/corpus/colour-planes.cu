//! problem:   generic
//! id:        planes-one-by-one
//! ladder:    colour-planes
//! size:      N = 16M
//! buffer:    rgba = u8[8 * N]; init = random
//! buffer:    y = u8[2 * N]
//! buffer:    cb = u8[2 * N]
//! buffer:    cr = u8[2 * N]
//! output:    y, cb, cr
//! step:      kernel = one_plane; grid = N / 512; block = 256; args = rgba, y, 0
//! step:      kernel = one_plane; grid = N / 512; block = 256; args = rgba, cb, 1
//! step:      kernel = one_plane; grid = N / 512; block = 256; args = rgba, cr, 2
//! reference: kernel = pixel_by_pixel; grid = N / 128; block = 256; args = rgba, y, cb, cr
//! note:      frames from packed RGBA to the three planes that an encoder takes

//! id:        planes-together
//! parent:    planes-one-by-one
//! change:    one kernel makes the three planes, instead of the same one run for each
//! predicts:  time < 0.7x
//! step:      kernel = all_planes; grid = N / 512; block = 256; args = rgba, y, cb, cr

__device__ unsigned shade(unsigned rgba, int plane) {
  int r = rgba & 255, g = rgba >> 8 & 255, b = rgba >> 16 & 255;
  if (plane == 0)
    return (66 * r + 129 * g + 25 * b + 128 >> 8) + 16;
  if (plane == 1)
    return (-38 * r - 74 * g + 112 * b + 128 >> 8) + 128;
  return (112 * r - 94 * g - 18 * b + 128 >> 8) + 128;
}

// Four pixels of a plane.
__device__ unsigned shades(uint4 four, int plane) {
  return shade(four.x, plane) | shade(four.y, plane) << 8 | shade(four.z, plane) << 16 | shade(four.w, plane) << 24;
}

extern "C" __global__ void one_plane(const uint4 *__restrict__ rgba, unsigned *__restrict__ out, int plane) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = shades(rgba[i], plane);
}

extern "C" __global__ void all_planes(const uint4 *__restrict__ rgba, unsigned *__restrict__ y,
                                      unsigned *__restrict__ cb, unsigned *__restrict__ cr) {
  int i = blockIdx.x * 256 + threadIdx.x;
  uint4 four = rgba[i];
  y[i] = shades(four, 0);
  cb[i] = shades(four, 1);
  cr[i] = shades(four, 2);
}

extern "C" __global__ void pixel_by_pixel(const unsigned *rgba, unsigned char *y, unsigned char *cb,
                                          unsigned char *cr) {
  int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = shade(rgba[i], 0);
  cb[i] = shade(rgba[i], 1);
  cr[i] = shade(rgba[i], 2);
}
