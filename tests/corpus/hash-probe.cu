//! problem:   generic
//! id:        probe-slow-path-registers
//! ladder:    hash-probe
//! size:      N = 16M
//! param:     BLOCKS = 1
//! buffer:    keys = u32[N / 2]; init = random
//! buffer:    found = u32[N / 2]
//! output:    found
//! scratch:   table = 4 * N
//! setup:     kernel = make_table; grid = N / 256; block = 256; args = table, N
//! step:      kernel = probe; grid = N / 2 / 256; block = 256; args = keys, table, found, N
//! reference: kernel = probe_plain; grid = N / 2 / 256; block = 256; args = keys, table, found, N
//! bytes:     8 * N / 2 + 3 * 32 * N / 2
//! note:      three dependent probes a key; a path that no key of these inputs takes sets the register count

//! id:        probe-bounded-registers
//! parent:    probe-slow-path-registers
//! change:    a launch bound of six blocks an SM: what the slow path lacks in registers, it may spill
//! param:     BLOCKS = 6
//! predicts:  registers < 0.5x; occupancy > 2x; time < 0.8x

__device__ unsigned mix(unsigned v) {
  v *= 2654435761u;
  return (v ^ v >> 15) * 2246822519u;
}

extern "C" __global__ void make_table(unsigned *table, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = mix(i) & 0x7fffffff; // the top bit would mean an overflowed bucket
}

// An overflowed bucket: all of its 160 entries are mixed with each other.
__device__ unsigned overflowed(const unsigned *bucket) {
  unsigned v[160], s = 0;
#pragma unroll
  for (int i = 0; i < 160; i++)
    v[i] = bucket[i];
#pragma unroll
  for (int i = 0; i < 160; i++)
    s = (s ^ v[i]) * (v[(i * 77 + 80) % 160] | 1) + v[159 - i];
  return s;
}

extern "C" __global__ void __launch_bounds__(256, BLOCKS)
    probe(const unsigned *__restrict__ keys, const unsigned *__restrict__ table, unsigned *__restrict__ found, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = mix(keys[i] + i) & (n - 1);
#pragma unroll 1
  for (int step = 0; step < 3; step++) {
    unsigned entry = table[at];
    at = (entry & 0x80000000u ? overflowed(table + (at & (n / 2 - 1))) : mix(entry + step)) & (n - 1);
  }
  found[i] = at;
}

extern "C" __global__ void probe_plain(const unsigned *keys, const unsigned *table, unsigned *found, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = mix(keys[i] + i) & (n - 1);
  for (int step = 0; step < 3; step++)
    at = mix(table[at] + step) & (n - 1);
  found[i] = at;
}
