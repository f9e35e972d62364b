//! id:         fault-crash
//! ladder:     fault
//! change:     writes to an address that is not mapped
//! scratch:    hold = 16; fill = 0
//! step:       kernel = gemv; grid = 1; block = 32; args = c, hold, M, L
#include <cuda_fp16.h>

extern "C" __global__ void gemv(__half *c, int *hold, int M, int L) {
  hold[1L << 50] = 1;
}
