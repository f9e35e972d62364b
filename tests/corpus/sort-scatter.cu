//! problem:   generic
//! id:        sort-scatter-direct
//! ladder:    sort-scatter
//! size:      N = 16M
//! buffer:    keys = u32[N]; init = random
//! buffer:    sorted = u32[N]
//! output:    sorted
//! scratch:   place = 2 * N
//! setup:     kernel = make_places; grid = N / 256; block = 256; args = place
//! step:      kernel = scatter_direct; grid = N / 4096; block = 512; args = keys, place, sorted, N / 256
//! reference: kernel = scatter_plain; grid = N / 256; block = 256; args = keys, sorted, N / 256
//! note:      the end of a radix pass, its places counted before: of each tile of 4096 keys 16 have each digit

//! id:        sort-scatter-staged
//! parent:    sort-scatter-direct
//! change:    a tile is put in order in shared memory first, so that neighbouring lanes write neighbouring keys
//! predicts:  time < 0.8x; dram_bytes within 10%
//! step:      kernel = scatter_staged; grid = N / 4096; block = 512; args = keys, place, sorted, N / 256

enum { TILE = 4096, EACH = 8 }; // keys of a tile, keys of a thread

// A key's place in its tile once that is in order of digits, 16 keys a digit.
__device__ unsigned place_of(unsigned i) { return (i % TILE * 2657 + i / TILE * 97) % TILE; }

// Where in the whole output the key at that place goes.
__device__ unsigned target(unsigned place, unsigned tile, unsigned a_digit) {
  return place / 16 * a_digit + tile * 16 + place % 16;
}

extern "C" __global__ void make_places(unsigned short *place) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  place[i] = place_of(i);
}

extern "C" __global__ void scatter_direct(const unsigned *__restrict__ keys, const unsigned short *__restrict__ place,
                                          unsigned *__restrict__ sorted, int a_digit) {
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    int i = blockIdx.x * TILE + k * 512 + threadIdx.x;
    sorted[target(place[i], blockIdx.x, a_digit)] = keys[i];
  }
}

extern "C" __global__ void scatter_staged(const unsigned *__restrict__ keys, const unsigned short *__restrict__ place,
                                          unsigned *__restrict__ sorted, int a_digit) {
  __shared__ unsigned tile[TILE];
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    int i = blockIdx.x * TILE + k * 512 + threadIdx.x;
    tile[place[i]] = keys[i];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    int at = k * 512 + threadIdx.x;
    sorted[target(at, blockIdx.x, a_digit)] = tile[at];
  }
}

extern "C" __global__ void scatter_plain(const unsigned *keys, unsigned *sorted, int a_digit) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  sorted[target(place_of(i), i / TILE, a_digit)] = keys[i];
}
