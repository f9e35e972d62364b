//! problem:   generic
//! id:        opacity-lookup-128
//! ladder:    opacity-lookup
//! size:      N = 16M
//! param:     THREADS = 128
//! param:     ENTRIES = 12000
//! buffer:    energy = fp32[N]; init = random
//! buffer:    table = fp32[ENTRIES]; init = random
//! buffer:    opacity = fp32[N]
//! output:    opacity
//! step:      kernel = lookup; grid = 528; block = THREADS; args = energy, table, opacity, N
//! reference: kernel = lookup_plain; grid = N / 256; block = 256; args = energy, table, opacity
//! tolerance: 1e-4 1e-4
//! note:      opacities of photon packets, interpolated in a table that each block keeps in shared memory

//! id:        opacity-lookup
//! parent:    opacity-lookup-128
//! change:    512 threads a block
//! predicts:  time < 0.7x
//! param:     THREADS = 512

// linear between two entries
__device__ float interpolate(const float *table, float energy) {
  float at = (energy + 1) * (0.5f * (ENTRIES - 2));
  int k = min((int)at, ENTRIES - 2);
  float left = table[k], right = table[k + 1];
  return fmaf(at - (float)k, right - left, left);
}

extern "C" __global__ void __launch_bounds__(THREADS) lookup(const float *energy, const float4 *table, float *opacity,
                                                             int n) {
  __shared__ float4 own[ENTRIES / 4];
#pragma unroll 4
  for (int i = threadIdx.x; i < ENTRIES / 4; i += THREADS)
    own[i] = table[i];
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    float tau = interpolate((const float *)own, energy[i]);
    opacity[i] = tau > 0 ? tau : 0.1f * tau;
  }
}

extern "C" __global__ void lookup_plain(const float *energy, const float *table, float *opacity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float tau = interpolate(table, energy[i]);
  opacity[i] = tau > 0 ? tau : 0.1f * tau;
}
