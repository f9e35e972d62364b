//! id:         fault-hang
//! ladder:     fault
//! change:     never ends
//! scratch:    hold = 16; fill = 0
//! step:       kernel = gemv; grid = 1; block = 32; args = c, hold, M, L
#include <cuda_fp16.h>

extern "C" __global__ void gemv(__half *c, int *hold, int M, int L) {
  while (atomicAdd(hold, 0) == 0)
    ;
}
