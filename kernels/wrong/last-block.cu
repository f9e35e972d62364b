//! id:         wrong-last-block
//! ladder:     wrong
//! change:     leaves out the last block of 16 of each row
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      last-block

#include "common/simple.cuh"

struct faulty : right {
  static __device__ int blocks(int K) {
    return K / 16 - 1;
  }
};

SIMPLE_KERNEL(faulty)
