//! id:         control-null
//! ladder:     control
//! change:     an empty kernel with the geometry of the cuda ladder: what a launch costs
//! step:       kernel = null; grid = ceil(M / 8), L; block = 32, 8
//! output:     none
//! bytes:      0
//! flops:      0

#include "common/types.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void null(const uint8_t *, const uint8_t *, const uint8_t *, const uint8_t *, __half *, int, int,
                                int) {
}
