//! id:         wrong-no-scales
//! ladder:     wrong
//! change:     ignores the block scales
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      no-scales

#include "common/simple.cuh"

struct faulty : right {
  static __device__ float scale(unsigned code) {
    return 1.0f;
  }
};

SIMPLE_KERNEL(faulty)
