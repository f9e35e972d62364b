//! problem:   generic
//! id:        delta-own-runs
//! ladder:    delta-decode
//! size:      N = 16M
//! param:     PAGE = 4096
//! buffer:    delta = i32[N]; init = random
//! buffer:    value = i32[N]
//! output:    value
//! step:      kernel = decode_own; grid = N / PAGE; block = 256; args = delta, value
//! reference: kernel = decode_plain; grid = N / PAGE / 32; block = 32; args = delta, value
//! note:      a column of timestamps, stored as differences in pages that are decoded each for itself

//! id:        delta-tile-runs
//! parent:    delta-own-runs
//! change:    a page comes and goes through shared memory, a row of 256 values at a time, and threads find their runs of 16 there
//! predicts:  time < 0.7x; dram_bytes within 10%
//! step:      kernel = decode_tile; grid = N / PAGE; block = 256; args = delta, value

enum { EACH = PAGE / 256 }; // values of a thread, next to each other

// The sum of what the threads before this one have.
__device__ int sum_before(int mine) {
  __shared__ int warps[8];
  int sum = mine;
  for (int reach = 1; reach < 32; reach *= 2) {
    int left = __shfl_up_sync(0xffffffff, sum, reach);
    sum += threadIdx.x % 32 >= reach ? left : 0;
  }
  if (threadIdx.x % 32 == 31)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  for (int i = 0; i < 7; i++)
    sum += threadIdx.x / 32 > i ? warps[i] : 0;
  return sum - mine;
}

extern "C" __global__ void decode_own(const int *__restrict__ delta, int *__restrict__ value) {
  int first = blockIdx.x * PAGE + threadIdx.x * EACH;
  int v[EACH];
#pragma unroll
  for (int k = 0; k < EACH; k++)
    v[k] = delta[first + k];
#pragma unroll
  for (int k = 1; k < EACH; k++)
    v[k] += v[k - 1];
  int before = sum_before(v[EACH - 1]);
#pragma unroll
  for (int k = 0; k < EACH; k++)
    value[first + k] = before + v[k];
}

enum { PITCH = 256 + 256 / 32 }; // words from a row of 256 values to the next: one is left free after every 32

extern "C" __global__ void decode_tile(const int *__restrict__ delta, int *__restrict__ value) {
  __shared__ int page[EACH * PITCH];
  int *column = page + threadIdx.x + threadIdx.x / 32;
  int *own = page + threadIdx.x * EACH + threadIdx.x * EACH / 32;
  int first = blockIdx.x * PAGE + threadIdx.x;
  int v[EACH];
#pragma unroll
  for (int k = 0; k < EACH; k++)
    column[k * PITCH] = delta[first + k * 256];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EACH; k++)
    v[k] = own[k];
#pragma unroll
  for (int k = 1; k < EACH; k++)
    v[k] += v[k - 1];
  int before = sum_before(v[EACH - 1]);
#pragma unroll
  for (int k = 0; k < EACH; k++)
    own[k] = before + v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EACH; k++)
    value[first + k * 256] = column[k * PITCH];
}

extern "C" __global__ void decode_plain(const int *delta, int *value) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * PAGE;
  int sum = 0;
  for (int i = 0; i < PAGE; i++)
    value[first + i] = sum += delta[first + i];
}
