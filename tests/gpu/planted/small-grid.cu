//! id:         planted-small-grid
//! ladder:     control
//! change:     plants small-grid: one block for the whole chip
//! param:      MEBIBYTES = 4
//! scratch:    buffer = MEBIBYTES * 1048576; fill = 1
//! step:       kernel = one_block; grid = 1; block = 1024; args = buffer, c, MEBIBYTES * 65536
//! output:     none
//! bytes:      MEBIBYTES * 1048576
//! flops:      0
//! id:         planted-small-grid-large
//! param:      MEBIBYTES = 32

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(1024) one_block(const uint4 *__restrict__ words, __half *__restrict__ c, int n) {
  unsigned folded = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += 1024) {
    const uint4 w = words[i];
    folded |= w.x ^ w.y ^ w.z ^ w.w;
  }
  if (folded == 1u)
    c[0] = __float2half(1.0f);
}
