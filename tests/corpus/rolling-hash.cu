//! problem:   generic
//! id:        hash-modulo
//! ladder:    rolling-hash
//! size:      N = 16M
//! buffer:    words = u32[N]; init = random
//! buffer:    hash = u32[N / 4]
//! output:    hash
//! step:      kernel = hash_modulo; grid = N / 4 / 256; block = 256; args = words, hash, i64(1000003)
//! reference: kernel = hash_modulo; grid = N / 4 / 256; block = 256; args = words, hash, i64(1000003)
//! flops:     0
//! note:      a polynomial hash of 16 bytes modulo a prime that is known at run time

//! id:        hash-multiply
//! parent:    hash-modulo
//! change:    the remainder by a multiplication with the modulus's reciprocal, made once on the host
//! predicts:  inst < 0.5x; time < 0.7x; dram_bytes within 5%
//! step:      kernel = hash_multiply; grid = N / 4 / 256; block = 256;
//!            args = words, hash, i64(1000003), i64(floor(pow(2, 64) / 1000003))

typedef unsigned long long u64;

extern "C" __global__ void hash_modulo(const uint4 *words, unsigned *hash, u64 modulus) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 w = words[i];
  unsigned word[4] = {w.x, w.y, w.z, w.w};
  u64 h = i;
#pragma unroll
  for (int k = 0; k < 8; k++)
    h = (h * 1315423911 + word[k % 4]) % modulus;
  hash[i] = h;
}

extern "C" __global__ void hash_multiply(const uint4 *words, unsigned *hash, u64 modulus, u64 reciprocal) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 w = words[i];
  unsigned word[4] = {w.x, w.y, w.z, w.w};
  u64 h = i;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    u64 v = h * 1315423911 + word[k % 4], rest = v - __umul64hi(v, reciprocal) * modulus;
    h = rest < modulus ? rest : rest - modulus; // the quotient may be one too small
  }
  hash[i] = h;
}
