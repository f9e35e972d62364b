//! problem:   generic
//! id:        hist-many-blocks
//! ladder:    hist-flush
//! size:      N = 16M
//! buffer:    seed = u32[16]; init = random
//! buffer:    bins = u32[1024]
//! output:    bins
//! scratch:   keys = 4 * N
//! setup:     kernel = make_keys; grid = N / 256; block = 256; args = seed, keys
//! reset:     fill bins = 0
//! step:      kernel = count; grid = N / 4096; block = 256; args = keys, bins, N
//! reference: kernel = count_bin; grid = 1024; block = 256; args = keys, bins, N
//! bytes:     4 * N
//! note:      a block's 1024 bins are added to the result when it ends

//! id:        hist-few-blocks
//! parent:    hist-many-blocks
//! change:    as many blocks as the chip holds, each counting more keys before it adds its bins
//! predicts:  blocks < 0.5x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = count; grid = 4 * sms; block = 256; args = keys, bins, N

extern "C" __global__ void make_keys(const unsigned *seed, unsigned *keys) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = (i + seed[0]) * 2654435761u;
  h = (h ^ h >> 15) * 2246822519u;
  keys[i] = (h ^ h >> 13) & 1023;
}

extern "C" __global__ void count(const unsigned *__restrict__ keys, unsigned *bins, int n) {
  __shared__ unsigned own[1024];
  for (int b = threadIdx.x; b < 1024; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
#pragma unroll 8
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[keys[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 1024; b += blockDim.x)
    atomicAdd(&bins[b], own[b]);
}

extern "C" __global__ void count_bin(const unsigned *keys, unsigned *bins, int n) {
  __shared__ unsigned all;
  unsigned own = 0;
  if (threadIdx.x == 0)
    all = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    own += keys[i] == blockIdx.x;
  atomicAdd(&all, own);
  __syncthreads();
  if (threadIdx.x == 0)
    bins[blockIdx.x] = all;
}
