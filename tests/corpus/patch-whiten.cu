//! problem:   generic
//! id:        patch-whiten-first
//! ladder:    patch-whiten
//! size:      N = 16M
//! buffer:    patch = fp32[N]; init = random
//! buffer:    white = fp32[N]
//! output:    white
//! step:      kernel = whiten; grid = N / 1024; block = 1024; args = patch, white
//! reference: kernel = whiten_plain; grid = N / 1024 / 128; block = 128; args = patch, white
//! tolerance: 1e-4 1e-4
//! note:      patches of 32 x 32 pixels, each brought to mean 0 and variance 1; moments are merged as Chan does

//! id:        patch-whiten
//! parent:    patch-whiten-first
//! change:    the first warp merges the moments of the warps by shuffles
//! predicts:  time < 0.85x
//! step:      kernel = whiten_shuffled; grid = N / 1024; block = 1024; args = patch, white

struct moments {
  float n, mean, m2;
};

__device__ moments merge(moments a, moments b) {
  float n = a.n + b.n, d = b.mean - a.mean, share = b.n / n;
  return {n, a.mean + d * share, a.m2 + b.m2 + d * d * a.n * share};
}

__device__ moments merge_warp(moments m) {
  for (int offset = 16; offset; offset /= 2) {
    moments other = {__shfl_xor_sync(~0u, m.n, offset), __shfl_xor_sync(~0u, m.mean, offset),
                     __shfl_xor_sync(~0u, m.m2, offset)};
    m = merge(m, other);
  }
  return m;
}

template <bool SHUFFLED> __device__ void whiten_patch(const float *patch, float *white) {
  __shared__ moments warps[32];
  __shared__ float centre, scale;
  int i = blockIdx.x * 1024 + threadIdx.x, warp = threadIdx.x / 32;
  float v = patch[i];
  moments m = merge_warp({1, v, 0});
  if (threadIdx.x % 32 == 0)
    warps[warp] = m;
  __syncthreads();
  if (SHUFFLED) {
    if (warp == 0)
      m = merge_warp(warps[threadIdx.x]);
  } else if (threadIdx.x == 0) {
    for (int w = 1; w < 32; w++)
      m = merge(m, warps[w]);
  }
  if (threadIdx.x == 0) {
    centre = m.mean;
    scale = rsqrtf(m.m2 / m.n + 1e-6f);
  }
  __syncthreads();
  white[i] = (v - centre) * scale;
}

extern "C" __global__ void __launch_bounds__(1024) whiten(const float *patch, float *white) {
  whiten_patch<false>(patch, white);
}

extern "C" __global__ void __launch_bounds__(1024) whiten_shuffled(const float *patch, float *white) {
  whiten_patch<true>(patch, white);
}

extern "C" __global__ void whiten_plain(const float *patch, float *white) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 1024;
  double sum = 0, square = 0;
  for (int i = first; i < first + 1024; i++)
    sum += patch[i];
  for (int i = first; i < first + 1024; i++)
    square += (patch[i] - sum / 1024) * (patch[i] - sum / 1024);
  for (int i = first; i < first + 1024; i++)
    white[i] = (patch[i] - sum / 1024) / sqrt(square / 1024 + 1e-6);
}
