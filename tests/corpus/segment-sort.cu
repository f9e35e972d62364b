//! problem:   generic
//! id:        segment-block-steps
//! ladder:    segment-sort
//! size:      N = 16M
//! param:     SEGMENTS = 4096
//! param:     LENGTH = 1024
//! buffer:    sorted = u32[SEGMENTS * LENGTH]
//! output:    sorted
//! scratch:   key = 4 * SEGMENTS * LENGTH
//! setup:     kernel = make_keys; grid = SEGMENTS; block = LENGTH; args = key
//! step:      kernel = sort_shared; grid = SEGMENTS; block = LENGTH; args = key, sorted
//! reference: kernel = sort_ranks; grid = SEGMENTS; block = LENGTH; args = key, sorted
//! note:      the keys of each group of a table in order, a group a block: Batcher's bitonic network

//! id:        segment-warp-steps
//! parent:    segment-block-steps
//! change:    steps between lanes of one warp are shuffles, and the block does not wait for them
//! predicts:  time < 0.7x
//! step:      kernel = sort_shuffles; grid = SEGMENTS; block = LENGTH; args = key, sorted

extern "C" __global__ void make_keys(unsigned *key) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i * 2654435761u + 99u;
  v = (v ^ v >> 16) * 2246822519u;
  v = (v ^ v >> 13) * 3266489917u;
  key[i] = v ^ v >> 16;
}

// Whether the lower of two keys belongs at i in this step.
__device__ bool keeps_low(int i, int run, int apart) {
  return ((i & run) == 0) == ((i & apart) == 0);
}

extern "C" __global__ void __launch_bounds__(LENGTH)
    sort_shared(const unsigned *__restrict__ key, unsigned *__restrict__ sorted) {
  __shared__ unsigned s[LENGTH];
  int i = threadIdx.x;
  unsigned mine = key[blockIdx.x * LENGTH + i];
  for (int run = 2; run <= LENGTH; run *= 2)
    for (int apart = run / 2; apart > 0; apart /= 2) {
      s[i] = mine;
      __syncthreads();
      unsigned theirs = s[i ^ apart];
      __syncthreads();
      mine = keeps_low(i, run, apart) ? min(mine, theirs) : max(mine, theirs);
    }
  sorted[blockIdx.x * LENGTH + i] = mine;
}

extern "C" __global__ void __launch_bounds__(LENGTH)
    sort_shuffles(const unsigned *__restrict__ key, unsigned *__restrict__ sorted) {
  __shared__ unsigned s[LENGTH];
  int i = threadIdx.x;
  unsigned mine = key[blockIdx.x * LENGTH + i];
  for (int run = 2; run <= LENGTH; run *= 2)
    for (int apart = run / 2; apart > 0; apart /= 2) {
      unsigned theirs;
      if (apart >= 32) {
        s[i] = mine;
        __syncthreads();
        theirs = s[i ^ apart];
        __syncthreads();
      } else
        theirs = __shfl_xor_sync(0xffffffff, mine, apart);
      mine = keeps_low(i, run, apart) ? min(mine, theirs) : max(mine, theirs);
    }
  sorted[blockIdx.x * LENGTH + i] = mine;
}

// Each key's place is the number of those before it.
extern "C" __global__ void sort_ranks(const unsigned *key, unsigned *sorted) {
  int i = threadIdx.x, rank = 0;
  key += blockIdx.x * LENGTH;
  for (int k = 0; k < LENGTH; k++)
    rank += key[k] < key[i] || (key[k] == key[i] && k < i);
  sorted[blockIdx.x * LENGTH + rank] = key[i];
}
