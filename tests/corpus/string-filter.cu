//! problem:   generic
//! id:        string-filter-in-turn
//! ladder:    string-filter
//! size:      N = 16M
//! param:     TILE = 16384
//! param:     FILTER = 131072
//! let:       ROOM = FILTER + 2 * TILE
//! buffer:    text = u8[8 * N]; init = random
//! buffer:    hits = u32[1]
//! output:    hits
//! scratch:   filter = FILTER
//! setup:     kernel = make_filter; grid = FILTER / 4 / 256; block = 256; args = filter
//! reset:     fill hits = 0
//! step:      kernel = scan_in_turn; grid = sms; block = 1024; smem = ROOM; args = text, filter, hits, 8 * N / TILE
//! reference: kernel = scan_plain; grid = 1; block = 1024; args = text, filter, hits, 8 * N / TILE
//! note:      windows of eight bytes are looked up in a Bloom filter, which takes most of an SM's shared memory

//! id:        string-filter-ahead
//! parent:    string-filter-in-turn
//! change:    the next tile of text is copied (cp.async) while this one is looked up
//! predicts:  time < 0.85x; dram_bytes within 5%
//! step:      kernel = scan_ahead; grid = sms; block = 1024; smem = ROOM; args = text, filter, hits, 8 * N / TILE

#include <cuda_pipeline.h>

enum { WORDS = TILE / 4 };

extern "C" __global__ void make_filter(unsigned *filter) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = (i + 1) * 2654435761u;
  filter[i] = (v ^ v >> 15) * 2246822519u;
}

// Whether the two bits of a window of two words are set.
__device__ unsigned known(const unsigned *filter, unsigned a, unsigned b) {
  unsigned hash = (a * 2654435761u ^ b) * 2246822519u, other = (hash ^ hash >> 15) * 3266489917u;
  return filter[hash / 32 % (FILTER / 4)] >> hash % 32 & filter[other / 32 % (FILTER / 4)] >> other % 32 & 1;
}

// The windows of a thread's four words; the last of a tile ends with its first word.
__device__ unsigned look_up(const unsigned *filter, const unsigned *tile) {
  uint4 w = *(const uint4 *)(tile + threadIdx.x * 4);
  unsigned after = tile[(threadIdx.x * 4 + 4) % WORDS];
  return known(filter, w.x, w.y) + known(filter, w.y, w.z) + known(filter, w.z, w.w) + known(filter, w.w, after);
}

__device__ void copy(unsigned *tile, const uint4 *text, int t) {
  __pipeline_memcpy_async(tile + threadIdx.x * 4, text + (size_t)t * 1024 + threadIdx.x, 16);
  __pipeline_commit();
}

// The copies of a tile are begun this many tiles before it is looked up.
template <int AHEAD> __device__ void scan(const uint4 *text, const unsigned *filter, unsigned *hits, int tiles) {
  extern __shared__ __align__(16) unsigned held[];
  unsigned *tile = held + FILTER / 4, found = 0;
  for (int i = threadIdx.x; i < FILTER / 4; i += 1024)
    held[i] = filter[i];
  if (AHEAD)
    copy(tile, text, blockIdx.x);
  for (int t = blockIdx.x, turn = 0; t < tiles; t += gridDim.x, turn ^= AHEAD) {
    copy(tile + (turn ^ AHEAD) * WORDS, text, min(t + AHEAD * gridDim.x, tiles - 1));
    __pipeline_wait_prior(AHEAD);
    __syncthreads();
    found += look_up(held, tile + turn * WORDS);
    __syncthreads();
  }
  found = __reduce_add_sync(0xffffffff, found);
  if (threadIdx.x % 32 == 0)
    atomicAdd(hits, found);
}

extern "C" __global__ void scan_in_turn(const uint4 *text, const unsigned *filter, unsigned *hits, int tiles) {
  scan<0>(text, filter, hits, tiles);
}
extern "C" __global__ void scan_ahead(const uint4 *text, const unsigned *filter, unsigned *hits, int tiles) {
  scan<1>(text, filter, hits, tiles);
}

extern "C" __global__ void scan_plain(const unsigned *text, const unsigned *filter, unsigned *hits, int tiles) {
  unsigned found = 0;
  if (threadIdx.x == 0)
    *hits = 0;
  __syncthreads();
  for (int t = 0; t < tiles; t++)
    for (int i = threadIdx.x; i < WORDS; i += 1024)
      found += known(filter, text[(size_t)t * WORDS + i], text[(size_t)t * WORDS + (i + 1) % WORDS]);
  atomicAdd(hits, found);
}
