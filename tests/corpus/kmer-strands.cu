//! problem:   generic
//! id:        kmer-base-by-base
//! ladder:    kmer-strands
//! size:      N = 16M
//! param:     BASES = 8388608
//! buffer:    hash = u32[BASES]
//! output:    hash
//! scratch:   genome = BASES / 4 + 64
//! setup:     kernel = make_genome; grid = BASES / 4096 + 1; block = 256; args = genome
//! step:      kernel = hash_bases; grid = BASES / 256; block = 256; args = genome, hash
//! reference: kernel = hash_plain; grid = BASES / 256; block = 256; args = genome, hash
//! note:      a hash of the 31 bases from each place of a genome, the same for both strands; 16 bases of two bits a word

//! id:        kmer-bits-reversed
//! parent:    kmer-base-by-base
//! change:    the other strand comes from one reversal of all bits and a swap within pairs
//! predicts:  time < 0.6x; inst < 0.5x
//! step:      kernel = hash_reversed; grid = BASES / 256; block = 256; args = genome, hash

typedef unsigned long long u64;
enum { LENGTH = 31 };

extern "C" __global__ void make_genome(unsigned *genome) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i * 2654435761u + 3u;
  v = (v ^ v >> 16) * 2246822519u;
  v = (v ^ v >> 13) * 3266489917u;
  if (i < BASES / 16 + 16)
    genome[i] = v ^ v >> 16;
}

// The bases from a place on, the first in the highest of 62 bits.
__device__ u64 bases_from(const unsigned *__restrict__ genome, int place) {
  const unsigned *at = genome + place / 16;
  int skip = place % 16 * 2;
  unsigned high = __funnelshift_l(at[1], at[0], skip), low = __funnelshift_l(at[2], at[1], skip);
  return ((u64)high << 32 | low) >> 2;
}

// A is 0, C 1, G 2, T 3: the other of a pair is 3 less it.
__device__ u64 strand_by_base(u64 kmer) {
  u64 other = 0;
  for (int k = 0; k < LENGTH; k++) {
    other = other << 2 | (3 - (kmer & 3));
    kmer >>= 2;
  }
  return other;
}

__device__ u64 strand_reversed(u64 kmer) {
  u64 r = __brevll(~kmer), odd = 0xaaaaaaaaaaaaaaaaull;
  return ((r & odd) >> 1 | (r & ~odd) << 1) >> 2;
}

__device__ unsigned mixed(u64 v) {
  v = (v ^ v >> 33) * 0xff51afd7ed558ccdull;
  return v >> 32 ^ (unsigned)v;
}

extern "C" __global__ void hash_bases(const unsigned *__restrict__ genome, unsigned *__restrict__ hash) {
  int place = blockIdx.x * blockDim.x + threadIdx.x;
  u64 kmer = bases_from(genome, place);
  hash[place] = mixed(min(kmer, strand_by_base(kmer)));
}

extern "C" __global__ void hash_reversed(const unsigned *__restrict__ genome, unsigned *__restrict__ hash) {
  int place = blockIdx.x * blockDim.x + threadIdx.x;
  u64 kmer = bases_from(genome, place);
  hash[place] = mixed(min(kmer, strand_reversed(kmer)));
}

extern "C" __global__ void hash_plain(const unsigned *genome, unsigned *hash) {
  int place = blockIdx.x * blockDim.x + threadIdx.x;
  u64 here = 0, other = 0;
  for (int k = 0; k < LENGTH; k++) {
    int p = place + k;
    u64 base = genome[p / 16] >> (30 - p % 16 * 2) & 3;
    here |= base << (2 * (LENGTH - 1 - k));
    other |= (3 ^ base) << (2 * k);
  }
  hash[place] = mixed(here < other ? here : other);
}
