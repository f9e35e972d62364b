//! problem:   generic
//! id:        lists-in-turn
//! ladder:    list-walk
//! size:      N = 16M
//! param:     LISTS = 33792
//! param:     LENGTH = 64
//! buffer:    heads = u32[LISTS]; init = random
//! buffer:    sums = u32[LISTS]
//! output:    sums
//! scratch:   next = 4 * N
//! setup:     kernel = link; grid = N / 256; block = 256; args = next, N
//! step:      kernel = in_turn; grid = LISTS / 4 / 64; block = 64; args = heads, next, sums, N
//! reference: kernel = walk_plain; grid = LISTS / 32; block = 32; args = heads, next, sums, N
//! bytes:     32 * LISTS * LENGTH
//! flops:     0

//! id:        lists-together
//! parent:    lists-in-turn
//! change:    a thread walks its four lists together instead of one after the other
//! predicts:  time < 0.5x; inst within 50%
//! step:      kernel = together; grid = LISTS / 4 / 64; block = 64; args = heads, next, sums, N

extern "C" __global__ void link(unsigned *next, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = (i * 5 + 5592407u) & (n - 1);
}

__device__ unsigned head(const unsigned *heads, int list, unsigned n) {
  return (heads[list] + list * 2654435761u) & (n - 1);
}

extern "C" __global__ void in_turn(const unsigned *__restrict__ heads, const unsigned *__restrict__ next,
                                   unsigned *__restrict__ sums, unsigned n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int list = t; list < LISTS; list += LISTS / 4) {
    unsigned at = head(heads, list, n), s = 0;
#pragma unroll 4
    for (int k = 0; k < LENGTH; k++)
      s += at = next[at];
    sums[list] = s;
  }
}

extern "C" __global__ void together(const unsigned *__restrict__ heads, const unsigned *__restrict__ next,
                                    unsigned *__restrict__ sums, unsigned n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at[4], s[4] = {};
#pragma unroll
  for (int c = 0; c < 4; c++)
    at[c] = head(heads, t + c * (LISTS / 4), n);
#pragma unroll 4
  for (int k = 0; k < LENGTH; k++)
#pragma unroll
    for (int c = 0; c < 4; c++)
      s[c] += at[c] = next[at[c]];
#pragma unroll
  for (int c = 0; c < 4; c++)
    sums[t + c * (LISTS / 4)] = s[c];
}

extern "C" __global__ void walk_plain(const unsigned *heads, const unsigned *next, unsigned *sums, unsigned n) {
  int list = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = head(heads, list, n), s = 0;
  for (int k = 0; k < LENGTH; k++) {
    at = (at * 5 + 5592407u) & (n - 1);
    s += at;
  }
  sums[list] = s;
}
