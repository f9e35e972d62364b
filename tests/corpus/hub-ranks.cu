//! problem:   generic
//! id:        ranks-chunks
//! ladder:    hub-ranks
//! size:      N = 16M
//! param:     PAGES = 65536
//! param:     BLOCKS = 1024
//! buffer:    rank = fp32[PAGES]; init = random
//! buffer:    next = fp32[PAGES]
//! output:    next
//! scratch:   start = 4 * (PAGES + 1)
//! scratch:   source = 4 * N
//! setup:     kernel = lay_out; grid = PAGES / 256 + 1; block = 256; args = start, N
//! setup:     kernel = connect; grid = N / 256; block = 256; args = source
//! tolerance: 5e-3 1e-3
//! step:      kernel = ranks_chunks; grid = BLOCKS; block = 256; args = rank, start, source, next
//! reference: kernel = ranks_plain; grid = PAGES / 32; block = 32; args = rank, start, source, next
//! note:      a step of page rank over pages in the order of their degrees, the most linked first

//! id:        ranks-dealt
//! parent:    ranks-chunks
//! change:    pages are dealt out to the blocks one by one instead of in runs of 64
//! predicts:  time < 0.7x; inst within 5%; dram_bytes within 10%
//! step:      kernel = ranks_dealt; grid = BLOCKS; block = 256; args = rank, start, source, next

struct in_chunks {
  __device__ static int page(int turn) { return blockIdx.x * (PAGES / BLOCKS) + turn; }
};

struct dealt {
  __device__ static int page(int turn) { return turn * BLOCKS + blockIdx.x; }
};

// A warp sums what flows into a page.
__device__ float inflow(const float *__restrict__ rank, const int *__restrict__ source, int first, int last) {
  float sum = 0;
#pragma unroll 4
  for (int e = first + threadIdx.x % 32; e < last; e += 32)
    sum += rank[source[e]];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  return sum;
}

template <class Pages>
__device__ void spread(const float *rank, const int *__restrict__ start, const int *source, float *next) {
  for (int turn = threadIdx.x / 32; turn < PAGES / BLOCKS; turn += 8) {
    int page = Pages::page(turn), first = start[page], last = start[page + 1];
    float sum = inflow(rank, source, first, last);
    if (threadIdx.x % 32 == 0)
      next[page] = 0.15f + 0.85f * sum / max(last - first, 1);
  }
}

extern "C" __global__ void __launch_bounds__(256) ranks_chunks(const float *rank, const int *start, const int *source,
                                                               float *next) {
  spread<in_chunks>(rank, start, source, next);
}

extern "C" __global__ void __launch_bounds__(256) ranks_dealt(const float *rank, const int *start, const int *source,
                                                              float *next) {
  spread<dealt>(rank, start, source, next);
}

// Degrees fall with the root of a page's place.
extern "C" __global__ void lay_out(int *start, int edges) {
  int page = blockIdx.x * blockDim.x + threadIdx.x;
  double part = (sqrt(page + 64.0) - 8) / (sqrt(PAGES + 64.0) - 8);
  if (page <= PAGES)
    start[page] = page == PAGES ? edges : (int)(edges * part);
}

// Links come from a neighbourhood of 256 pages that changes every 32 links.
extern "C" __global__ void connect(int *source) {
  unsigned e = blockIdx.x * blockDim.x + threadIdx.x, x = e * 0x9e3779b1, y = (e / 32) * 0x85ebca77;
  source[e] = ((y ^ y >> 13) * 0xc2b2ae35 >> 16) + (x >> 24) & PAGES - 1;
}

extern "C" __global__ void ranks_plain(const float *rank, const int *start, const int *source, float *next) {
  int page = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (int e = start[page]; e < start[page + 1]; e++)
    sum += rank[source[e]];
  next[page] = (float)(0.15 + 0.85 * sum / max(start[page + 1] - start[page], 1));
}
