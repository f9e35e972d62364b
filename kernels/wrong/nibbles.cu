//! id:         wrong-nibbles
//! ladder:     wrong
//! change:     takes the high nibble of A first
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      nibbles

#include "common/simple.cuh"

struct faulty : right {
  static __device__ unsigned a_code(unsigned byte, int second) {
    return second ? byte & 15 : byte >> 4;
  }
};

SIMPLE_KERNEL(faulty)
