//! problem:   generic
//! id:        rns-remainder
//! ladder:    rns-digits
//! size:      N = 16M
//! param:     COEFFICIENTS = 4194304
//! param:     LIMBS = 16
//! param:     DIGITS = 4
//! buffer:    product = u32[COEFFICIENTS]
//! output:    product
//! scratch:   key = 4 * DIGITS * COEFFICIENTS
//! scratch:   digit = 4 * DIGITS * COEFFICIENTS
//! scratch:   modulus = 4 * LIMBS
//! scratch:   inverse = 8 * LIMBS
//! setup:     kernel = make_moduli; grid = 1; block = LIMBS; args = modulus, inverse
//! setup:     kernel = make_residues; grid = DIGITS * COEFFICIENTS / 256; block = 256; args = key, digit, modulus
//! step:      kernel = key_switch; grid = COEFFICIENTS / 256; block = 256; args = key, digit, modulus, product
//! reference: kernel = key_switch_plain; grid = COEFFICIENTS / 256; block = 256; args = key, digit, modulus, product
//! note:      key switching of homomorphic encryption: digits times key, summed modulo each limb's prime

//! id:        rns-barrett
//! parent:    rns-remainder
//! change:    a product with the modulus' inverse, of 64 bits and made once, in place of the remainder
//! predicts:  time < 0.8x; inst < 0.6x
//! step:      kernel = key_switch_barrett; grid = COEFFICIENTS / 256; block = 256; args = key, digit, modulus, inverse, product

typedef unsigned long long u64;

extern "C" __global__ void make_moduli(unsigned *modulus, u64 *inverse) {
  unsigned q = (1u << 30) - 35 - 122 * threadIdx.x; // odd, under 2^30
  modulus[threadIdx.x] = q;
  inverse[threadIdx.x] = ~0ull / q;
}

__device__ int limb_of(int i) {
  return i / (COEFFICIENTS / LIMBS);
}

__device__ unsigned mixed(unsigned v) {
  v = (v ^ v >> 16) * 2246822519u;
  v = (v ^ v >> 13) * 3266489917u;
  return v ^ v >> 16;
}

extern "C" __global__ void make_residues(unsigned *key, unsigned *digit, const unsigned *modulus) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, q = modulus[limb_of(i % COEFFICIENTS)];
  key[i] = mixed(i) % q;
  digit[i] = mixed(~i) % q;
}

extern "C" __global__ void key_switch(const unsigned *__restrict__ key, const unsigned *__restrict__ digit,
                                      const unsigned *__restrict__ modulus, unsigned *__restrict__ product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned q = modulus[limb_of(i)];
  unsigned k[DIGITS], d[DIGITS], sum = 0;
#pragma unroll
  for (int j = 0; j < DIGITS; j++) {
    k[j] = key[j * COEFFICIENTS + i];
    d[j] = digit[j * COEFFICIENTS + i];
  }
#pragma unroll
  for (int j = 0; j < DIGITS; j++) {
    sum += (u64)k[j] * d[j] % q;
    sum -= sum >= q ? q : 0;
  }
  product[i] = sum;
}

// q is odd and under 2^30: the quotient is at most one too small.
__device__ unsigned reduce(u64 v, unsigned q, u64 inverse) {
  unsigned r = (unsigned)v - (unsigned)__umul64hi(v, inverse) * q;
  return r >= q ? r - q : r;
}

extern "C" __global__ void key_switch_barrett(const unsigned *__restrict__ key, const unsigned *__restrict__ digit,
                                              const unsigned *__restrict__ modulus, const u64 *__restrict__ inverse,
                                              unsigned *__restrict__ product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned q = modulus[limb_of(i)];
  u64 m = inverse[limb_of(i)];
  unsigned k[DIGITS], d[DIGITS], sum = 0;
#pragma unroll
  for (int j = 0; j < DIGITS; j++) {
    k[j] = key[j * COEFFICIENTS + i];
    d[j] = digit[j * COEFFICIENTS + i];
  }
#pragma unroll
  for (int j = 0; j < DIGITS; j++) {
    sum += reduce((u64)k[j] * d[j], q, m);
    sum -= sum >= q ? q : 0;
  }
  product[i] = sum;
}

// The sum of all products, which 64 bits hold, and one remainder.
extern "C" __global__ void key_switch_plain(const unsigned *key, const unsigned *digit, const unsigned *modulus,
                                            unsigned *product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u64 sum = 0;
  for (int j = 0; j < DIGITS; j++)
    sum += (u64)key[j * COEFFICIENTS + i] * digit[j * COEFFICIENTS + i];
  product[i] = sum % modulus[limb_of(i)];
}
