//! problem:   generic
//! id:        grad-norm-simple
//! ladder:    grad-norm
//! size:      N = 16M
//! buffer:    grad = fp32[N]; init = random
//! buffer:    out = fp32[2]
//! output:    out
//! reset:     fill out = 0
//! step:      kernel = squares; grid = 264; block = 256; args = grad, f32(0.125), out, N
//! reference: kernel = squares_plain; grid = 1; block = 1024; args = grad, f32(0.125), out, N
//! tolerance: 1e-2 1e-3
//! note:      the squared norm of gradients, unscaled, before they are clipped; a value that is not finite ends the search and sets the second word

//! id:        grad-norm
//! parent:    grad-norm-simple
//! change:    eight gradients are asked for before the first is looked at
//! predicts:  time < 0.6x
//! step:      kernel = squares_eight; grid = 264; block = 256; args = grad, f32(0.125), out, N

__device__ bool is_finite(float v) { return (__float_as_uint(v) & 0x7f800000) != 0x7f800000; }

__device__ void add_block(float sum, bool bad, float *out) {
  __shared__ float warps[8];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_xor_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  bad = __syncthreads_or(bad);
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      sum += warps[w];
    atomicAdd(&out[0], sum);
    if (bad)
      out[1] = 1;
  }
}

extern "C" __global__ void __launch_bounds__(256) squares(const float *grad, float scale, float *out, int n) {
  float sum = 0;
  bool bad = false;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    float g = grad[i] * scale;
    if (!is_finite(g)) {
      bad = true;
      break;
    }
    sum += g * g;
  }
  add_block(sum, bad, out);
}

extern "C" __global__ void __launch_bounds__(256) squares_eight(const float *grad, float scale, float *out, int n) {
  float sum = 0;
  bool bad = false;
  int step = gridDim.x * 256;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n && !bad; i += 8 * step) {
    float g[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
      g[k] = i + k * step < n ? grad[i + k * step] * scale : 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      bad |= !is_finite(g[k]);
      sum += g[k] * g[k];
    }
  }
  add_block(sum, bad, out);
}

extern "C" __global__ void squares_plain(const float *grad, float scale, float *out, int n) {
  __shared__ double part[1024];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    sum += (double)grad[i] * scale * grad[i] * scale;
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 1024; k++)
      sum += part[k];
    out[0] = sum;
    out[1] = 0;
  }
}
