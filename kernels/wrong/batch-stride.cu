//! id:         wrong-batch-stride
//! ladder:     wrong
//! change:     takes B and SFB of batch 0 for every batch
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      batch-stride
//! needs:      L > 1
//! note:       right at L = 1, hence not run there

#include "common/simple.cuh"

struct faulty : right {
  static __device__ int64_t b_batch(int64_t l) {
    return 0;
  }
};

SIMPLE_KERNEL(faulty)
