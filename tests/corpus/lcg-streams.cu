//! problem:   generic
//! id:        lcg-one-state
//! ladder:    lcg-streams
//! size:      N = 16M
//! param:     DRAWS = 8192
//! param:     SEEDS = 16896
//! buffer:    seeds = u32[SEEDS]; init = random
//! buffer:    sums = u32[SEEDS]
//! output:    sums
//! step:      kernel = one_state; grid = SEEDS / 128; block = 128; args = seeds, sums
//! reference: kernel = draws_plain; grid = SEEDS / 32; block = 32; args = seeds, sums
//! flops:     0
//! note:      a thread's own linear congruential generator, drawn from 8192 times

//! id:        lcg-four-states
//! parent:    lcg-one-state
//! change:    four states that leap over each other's draws, so that four multiplications are under way
//! predicts:  time < 0.6x; inst within 20%
//! step:      kernel = four_states; grid = SEEDS / 128; block = 128; args = seeds, sums

enum : unsigned { A = 1664525u, C = 1013904223u };
enum : unsigned { A2 = A * A, C2 = C * (A + 1), A4 = A2 * A2, C4 = C2 * (A2 + 1) }; // two and four draws at once

extern "C" __global__ void one_state(const unsigned *seeds, unsigned *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = seeds[i] + i, hits = 0;
#pragma unroll 32
  for (int k = 0; k < DRAWS; k++) {
    s = s * A + C;
    hits ^= s;
  }
  sums[i] = hits;
}

extern "C" __global__ void four_states(const unsigned *seeds, unsigned *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s[4] = {(seeds[i] + i) * A + C}, hits[4] = {};
  for (int c = 1; c < 4; c++)
    s[c] = s[c - 1] * A + C;
#pragma unroll 8
  for (int k = 0; k < DRAWS; k += 4)
#pragma unroll
    for (int c = 0; c < 4; c++) {
      hits[c] ^= s[c];
      s[c] = s[c] * A4 + C4;
    }
  sums[i] = hits[0] ^ hits[1] ^ hits[2] ^ hits[3];
}

extern "C" __global__ void draws_plain(const unsigned *seeds, unsigned *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = seeds[i] + i, hits = 0;
#pragma unroll 1
  for (int k = 0; k < DRAWS; k++)
    hits ^= s = s * 1664525u + 1013904223u;
  sums[i] = hits;
}
