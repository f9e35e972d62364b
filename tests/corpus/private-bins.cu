//! problem:   generic
//! id:        bins-local-array
//! ladder:    private-bins
//! size:      N = 16M
//! buffer:    values = u8[4 * N]; init = random
//! buffer:    bins = u32[16]
//! output:    bins
//! reset:     fill bins = 0
//! step:      kernel = count_local; grid = 8 * sms; block = 256; args = values, bins, 4 * N / 4
//! reference: kernel = count_slow; grid = 16; block = 1024; args = values, bins, 4 * N

//! id:        bins-shared-columns
//! parent:    bins-local-array
//! change:    a thread's 16 bins in a column of shared memory, instead of an array that is indexed by what was read
//! predicts:  time < 0.8x; dram_bytes within 10%
//! step:      kernel = count_columns; grid = 8 * sms; block = 256; args = values, bins, 4 * N / 4

__device__ void add_bin(unsigned *bin, unsigned count) {
  count = __reduce_add_sync(0xffffffff, count);
  if (threadIdx.x % 32 == 0)
    atomicAdd(bin, count);
}

extern "C" __global__ void count_local(const uchar4 *__restrict__ values, unsigned *bins, int n) {
  unsigned own[16] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 v = values[i];
    own[v.x & 15]++;
    own[v.y & 15]++;
    own[v.z & 15]++;
    own[v.w & 15]++;
  }
  for (int b = 0; b < 16; b++)
    add_bin(&bins[b], own[b]);
}

extern "C" __global__ void count_columns(const uchar4 *__restrict__ values, unsigned *bins, int n) {
  __shared__ unsigned own[16][256];
  for (int b = 0; b < 16; b++)
    own[b][threadIdx.x] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 v = values[i];
    own[v.x & 15][threadIdx.x]++;
    own[v.y & 15][threadIdx.x]++;
    own[v.z & 15][threadIdx.x]++;
    own[v.w & 15][threadIdx.x]++;
  }
  for (int b = 0; b < 16; b++)
    add_bin(&bins[b], own[b][threadIdx.x]);
}

extern "C" __global__ void count_slow(const unsigned char *values, unsigned *bins, int n) {
  __shared__ unsigned all;
  unsigned own = 0;
  if (threadIdx.x == 0)
    all = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    own += (values[i] & 15) == blockIdx.x;
  atomicAdd(&all, own);
  __syncthreads();
  if (threadIdx.x == 0)
    bins[blockIdx.x] = all;
}
