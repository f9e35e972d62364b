//! id:         fault-out-of-bounds
//! ladder:     fault
//! change:     writes one element past the end of C
//! scratch:    hold = 16; fill = 0
//! step:       kernel = gemv; grid = 1; block = 32; args = c, hold, M, L
#include <cuda_fp16.h>

extern "C" __global__ void gemv(__half *c, int *hold, int M, int L) {
  c[(long long)M * L] = __float2half(1.0f);
}
