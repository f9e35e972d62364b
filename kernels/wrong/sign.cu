//! id:         wrong-sign
//! ladder:     wrong
//! change:     drops the sign bits of A and B
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      sign

#include "common/simple.cuh"

struct faulty : right {
  static __device__ float value(unsigned code) {
    return e2m1_from_bits(code & 7);
  }
};

SIMPLE_KERNEL(faulty)
