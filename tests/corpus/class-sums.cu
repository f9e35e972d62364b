//! problem:   generic
//! id:        class-sums-shared
//! ladder:    class-sums
//! size:      N = 16M
//! buffer:    values = u8[2 * N]; init = random
//! buffer:    sums = u32[4]
//! output:    sums
//! param:     COPIES = 1
//! reset:     fill sums = 0
//! step:      kernel = add_shared; grid = 8 * sms; block = 256; args = values, sums, 2 * N / 4
//! reference: kernel = add_slow; grid = 1; block = 1024; args = values, sums, 2 * N
//! note:      the sum of the values of each of four classes, the class being the value's upper bits

//! id:        class-sums-copies
//! parent:    class-sums-shared
//! change:    a copy of the sums for each lane of a warp, added up at the end
//! param:     COPIES = 32
//! predicts:  time < 0.7x; dram_bytes within 5%

extern "C" __global__ void add_shared(const uchar4 *values, unsigned *sums, int n) {
  __shared__ unsigned own[4][COPIES];
  if (threadIdx.x < 4 * COPIES)
    own[threadIdx.x / COPIES][threadIdx.x % COPIES] = 0;
  __syncthreads();
  int copy = threadIdx.x % COPIES;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 v = values[i];
    atomicAdd(&own[v.x >> 5 & 3][copy], v.x);
    atomicAdd(&own[v.y >> 5 & 3][copy], v.y);
    atomicAdd(&own[v.z >> 5 & 3][copy], v.z);
    atomicAdd(&own[v.w >> 5 & 3][copy], v.w);
  }
  __syncthreads();
  if (threadIdx.x < 4 * COPIES)
    atomicAdd(&sums[threadIdx.x / COPIES], own[threadIdx.x / COPIES][threadIdx.x % COPIES]);
}

extern "C" __global__ void add_slow(const unsigned char *values, unsigned *sums, int n) {
  __shared__ unsigned all[4];
  unsigned own[4] = {0, 0, 0, 0};
  if (threadIdx.x < 4)
    all[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
#pragma unroll
    for (int c = 0; c < 4; c++)
      own[c] += (values[i] >> 5 & 3) == c ? values[i] : 0;
  for (int c = 0; c < 4; c++)
    atomicAdd(&all[c], own[c]);
  __syncthreads();
  if (threadIdx.x < 4)
    sums[threadIdx.x] = all[threadIdx.x];
}
