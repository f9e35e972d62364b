//! problem:   generic
//! id:        splat-each-pixel
//! ladder:    splat-gradient
//! size:      N = 16M
//! param:     TILES = 512
//! param:     LISTED = 64
//! param:     SPLATS = 16384
//! buffer:    loss = fp32[TILES * 256]; init = random
//! buffer:    shape = fp32[4 * SPLATS]; init = random
//! buffer:    grad = fp32[4 * SPLATS]; init = zero
//! output:    grad
//! reset:     fill grad = 0
//! step:      kernel = backward_pixels; grid = TILES; block = 256; args = loss, shape, grad
//! reference: kernel = backward_gather; grid = SPLATS / 64; block = 64; args = loss, shape, grad
//! tolerance: 2e-3 2e-3
//! note:      backward pass of Gaussian splatting: each tile of 16 x 16 pixels adds to the gradients of its 64 splats

//! id:        splat-each-warp
//! parent:    splat-each-pixel
//! change:    a warp sums its pixels' parts by shuffles before one lane adds them
//! predicts:  time < 0.5x
//! step:      kernel = backward_warps; grid = TILES; block = 256; args = loss, shape, grad

// Which splat is k-th in a tile's list.
__device__ unsigned listed(unsigned tile, unsigned k) {
  unsigned v = (tile * LISTED + k) * 2654435761u + 7u;
  return (v ^ v >> 15) * 2246822519u >> 9 & (SPLATS - 1);
}

struct part {
  float x, y, weight;
};

// What a pixel's loss says to the centre and the weight of a splat.
__device__ part pixel_part(float4 s, int pixel, float loss) {
  float dx = pixel % 16 - (7.5f + 8 * s.x), dy = pixel / 16 - (7.5f + 8 * s.y);
  float narrow = 0.02f + 0.02f * fabsf(s.z), fall = __expf(-narrow * (dx * dx + dy * dy));
  float g = loss * fall;
  return {g * s.w * 2 * narrow * dx, g * s.w * 2 * narrow * dy, g};
}

__device__ float warp_sum(float v) {
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2)
    v += __shfl_xor_sync(0xffffffff, v, apart);
  return v;
}

template <bool WARP>
__device__ void backward(const float *__restrict__ loss, const float4 *__restrict__ shape, float *grad) {
  __shared__ float4 splat[LISTED];
  int pixel = threadIdx.x;
  float mine = loss[blockIdx.x * 256 + pixel];
  if (pixel < LISTED)
    splat[pixel] = shape[listed(blockIdx.x, pixel)];
  __syncthreads();
  for (int k = 0; k < LISTED; k++) {
    part p = pixel_part(splat[k], pixel, mine);
    float *to = grad + 4 * listed(blockIdx.x, k);
    if (WARP)
      p = {warp_sum(p.x), warp_sum(p.y), warp_sum(p.weight)};
    if (!WARP || pixel % 32 == 0) {
      atomicAdd(to, p.x);
      atomicAdd(to + 1, p.y);
      atomicAdd(to + 2, p.weight);
    }
  }
}

extern "C" __global__ void backward_pixels(const float *loss, const float4 *shape, float *grad) {
  backward<false>(loss, shape, grad);
}
extern "C" __global__ void backward_warps(const float *loss, const float4 *shape, float *grad) {
  backward<true>(loss, shape, grad);
}

// A splat a thread looks for itself in all lists.
extern "C" __global__ void backward_gather(const float *loss, const float4 *shape, float *grad) {
  unsigned splat = blockIdx.x * blockDim.x + threadIdx.x;
  double x = 0, y = 0, weight = 0;
  float4 s = shape[splat];
  for (int tile = 0; tile < TILES; tile++)
    for (int k = 0; k < LISTED; k++)
      if (listed(tile, k) == splat)
        for (int pixel = 0; pixel < 256; pixel++) {
          double dx = pixel % 16 - (7.5 + 8.0 * s.x), dy = pixel / 16 - (7.5 + 8.0 * s.y);
          double narrow = 0.02 + 0.02 * fabs((double)s.z);
          double g = loss[tile * 256 + pixel] * exp(-narrow * (dx * dx + dy * dy));
          x += 2 * g * s.w * narrow * dx;
          y += 2 * g * s.w * narrow * dy;
          weight += g;
        }
  grad[4 * splat] = x;
  grad[4 * splat + 1] = y;
  grad[4 * splat + 2] = weight;
  grad[4 * splat + 3] = 0;
}
