//! problem:   generic
//! id:        hist-global
//! ladder:    hist-global
//! size:      N = 16M
//! buffer:    pixels = u8[N / 2]; init = random
//! buffer:    bins = u32[256]
//! output:    bins
//! reset:     fill bins = 0
//! step:      kernel = count_global; grid = 8 * sms; block = 256; args = pixels, bins, N / 8
//! reference: kernel = count_slow; grid = 1; block = 256; args = pixels, bins, N / 2

//! id:        hist-private
//! parent:    hist-global
//! change:    each block counts in shared memory and adds its bins at its end
//! predicts:  time < 0.5x
//! step:      kernel = count_private; grid = 8 * sms; block = 256; args = pixels, bins, N / 8

extern "C" __global__ void count_global(const uchar4 *pixels, unsigned *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 p = pixels[i];
    atomicAdd(&bins[p.x], 1);
    atomicAdd(&bins[p.y], 1);
    atomicAdd(&bins[p.z], 1);
    atomicAdd(&bins[p.w], 1);
  }
}

extern "C" __global__ void count_private(const uchar4 *pixels, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 p = pixels[i];
    atomicAdd(&own[p.x], 1);
    atomicAdd(&own[p.y], 1);
    atomicAdd(&own[p.z], 1);
    atomicAdd(&own[p.w], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// One thread a bin, which looks at every pixel.
extern "C" __global__ void count_slow(const uint4 *pixels, unsigned *bins, int n) {
  unsigned bin = threadIdx.x * 0x01010101u, count = 0;
  for (int i = 0; i < n / 16; i++) {
    uint4 p = pixels[i];
    count += __popc(__vcmpeq4(p.x, bin)) + __popc(__vcmpeq4(p.y, bin)) + __popc(__vcmpeq4(p.z, bin)) +
             __popc(__vcmpeq4(p.w, bin));
  }
  bins[threadIdx.x] = count / 8;
}
