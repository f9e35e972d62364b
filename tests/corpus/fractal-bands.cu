//! problem:   generic
//! id:        fractal-bands
//! ladder:    fractal-bands
//! size:      N = 16M
//! param:     SIDE = 2048
//! buffer:    palette = u8[256]; init = random
//! buffer:    image = u8[SIDE * SIDE]
//! output:    image
//! step:      kernel = draw_bands; grid = sms; block = 1024; args = palette, image
//! reference: kernel = draw_plain; grid = SIDE / 256, SIDE; block = 256; args = palette, image
//! note:      the Mandelbrot set, up to 255 iterations a pixel: rows through its middle take longest

//! id:        fractal-dealt-rows
//! parent:    fractal-bands
//! change:    rows dealt to the blocks in turn, instead of a band of neighbouring rows a block
//! predicts:  time < 0.7x; inst within 10%
//! step:      kernel = draw_dealt; grid = sms; block = 1024; args = palette, image

// Each operation is rounded as written, so that every kernel counts alike.
__device__ int iterations(int x, int y) {
  float a = __fmaf_rn(x, 3.0f / SIDE, -2.0f), b = __fmaf_rn(y, 3.0f / SIDE, -1.5f), re = 0, im = 0;
  int n = 0;
  for (; n < 255; n++) {
    float re2 = __fmul_rn(re, re), im2 = __fmul_rn(im, im);
    if (__fadd_rn(re2, im2) > 4)
      break;
    im = __fmaf_rn(__fadd_rn(re, re), im, b);
    re = __fadd_rn(__fsub_rn(re2, im2), a);
  }
  return n;
}

__device__ void draw_row(int y, const unsigned char *palette, unsigned char *image) {
  for (int x = threadIdx.x; x < SIDE; x += blockDim.x)
    image[y * SIDE + x] = palette[iterations(x, y)];
}

extern "C" __global__ void __launch_bounds__(1024) draw_bands(const unsigned char *palette, unsigned char *image) {
  int rows = (SIDE + gridDim.x - 1) / gridDim.x, first = blockIdx.x * rows;
  for (int y = first; y < min(first + rows, SIDE); y++)
    draw_row(y, palette, image);
}

extern "C" __global__ void __launch_bounds__(1024) draw_dealt(const unsigned char *palette, unsigned char *image) {
  for (int y = blockIdx.x; y < SIDE; y += gridDim.x)
    draw_row(y, palette, image);
}

extern "C" __global__ void draw_plain(const unsigned char *palette, unsigned char *image) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  image[y * SIDE + x] = palette[iterations(x, y)];
}
