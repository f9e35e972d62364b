//! problem:   generic
//! id:        cache-eviction
//! ladder:    cache-eviction
//! size:      N = 16M
//! param:     TOKENS = 8192
//! param:     KEEP = 6144
//! buffer:    score = fp32[N]; init = random
//! buffer:    mask = u32[N / 32]
//! output:    mask
//! step:      kernel = evict; grid = N / TOKENS; block = 1024; args = score, mask
//! reference: kernel = evict_plain; grid = N / TOKENS; block = 1; args = score, mask
//! note:      which tokens of each head stay in the cache: those of the upper bins that hold at least KEEP of them

//! id:        cache-eviction-b
//! parent:    cache-eviction
//! change:    the lanes of a warp look for the bin together
//! step:      kernel = evict_scan; grid = N / TOKENS; block = 1024; args = score, mask

#define BINS 256

__device__ int bin_of(float s) { return min(max((int)((s + 1) * (BINS / 2)), 0), BINS - 1); }

// the bin down to which bins are kept, by thread 0
struct walk {
  static __device__ void find(const int *count, int *cut) {
    if (threadIdx.x == 0) {
      int kept = 0, b = BINS;
      while (kept < KEEP)
        kept += count[--b];
      *cut = b;
    }
  }
};

// the same, eight bins a lane
struct scan {
  static __device__ void find(const int *count, int *cut) {
    if (threadIdx.x >= 32)
      return;
    int top = BINS - 8 * threadIdx.x, own = 0;
    for (int k = 1; k <= 8; k++)
      own += count[top - k];
    int upto = own;
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(0xffffffff, upto, d);
      upto += threadIdx.x >= d ? other : 0;
    }
    int kept = upto - own;
    if (kept < KEEP && upto >= KEEP) {
      while (kept < KEEP)
        kept += count[--top];
      *cut = top;
    }
  }
};

template <class Finder> __device__ void evict_row(const float *score, unsigned *mask) {
  __shared__ int count[BINS], cut;
  const float *row = score + blockIdx.x * TOKENS;
  if (threadIdx.x < BINS)
    count[threadIdx.x] = 0;
  __syncthreads();
  int bins[TOKENS / 1024];
#pragma unroll
  for (int k = 0; k < TOKENS / 1024; k++)
    bins[k] = bin_of(row[k * 1024 + threadIdx.x]);
#pragma unroll
  for (int k = 0; k < TOKENS / 1024; k++)
    atomicAdd(&count[bins[k]], 1);
  __syncthreads();
  Finder::find(count, &cut);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < TOKENS / 1024; k++) {
    unsigned word = __ballot_sync(0xffffffff, bins[k] >= cut);
    if (threadIdx.x % 32 == 0)
      mask[(blockIdx.x * TOKENS + k * 1024 + threadIdx.x) / 32] = word;
  }
}

extern "C" __global__ void __launch_bounds__(1024, 2) evict(const float *score, unsigned *mask) {
  evict_row<walk>(score, mask);
}

extern "C" __global__ void __launch_bounds__(1024, 2) evict_scan(const float *score, unsigned *mask) {
  evict_row<scan>(score, mask);
}

extern "C" __global__ void evict_plain(const float *score, unsigned *mask) {
  int count[BINS] = {0}, kept = 0, b = BINS;
  for (int t = 0; t < TOKENS; t++)
    count[bin_of(score[blockIdx.x * TOKENS + t])]++;
  while (kept < KEEP)
    kept += count[--b];
  for (int t = 0; t < TOKENS; t += 32) {
    unsigned word = 0;
    for (int k = 0; k < 32; k++)
      word |= (unsigned)(bin_of(score[blockIdx.x * TOKENS + t + k]) >= b) << k;
    mask[(blockIdx.x * TOKENS + t) / 32] = word;
  }
}
