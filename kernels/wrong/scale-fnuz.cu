//! id:         wrong-scale-fnuz
//! ladder:     wrong
//! change:     reads the scales as e4m3fnuz: bias 8, so half of each, and 0x80 is NaN
//! step:       kernel = gemv; grid = ceil(M / 8), L; block = 32, 8
//! accumulate: fp32
//! wrong:      scale-fnuz

#include "common/simple.cuh"

struct faulty : right {
  static __device__ float scale(unsigned code) {
    if (code == 0x80)
      return __int_as_float(0x7fffffff);
    return 0.5f * ((code & 0x7f) == 0x7f ? 480.0f : e4m3_from_bits(code & 0x7f)) * ((code & 0x80) ? -1.0f : 1.0f);
  }
};

SIMPLE_KERNEL(faulty)
