//! id:         planted-barrier
//! ladder:     control
//! change:     plants barrier: one warp of eight works, the others wait at a barrier
//! param:      TURNS = 32
//! step:       kernel = uneven; grid = sms * 8; block = 256; args = c, TURNS
//! output:     none
//! bytes:      0
//! flops:      sms * 8 * 32 * 128 * 2 * TURNS
//! id:         planted-barrier-large
//! param:      TURNS = 256

#include <cuda_fp16.h>

extern "C" __global__ void uneven(__half *__restrict__ c, int turns) {
  float x = float(threadIdx.x);
#pragma unroll 1
  for (int t = 0; t < turns; t++) {
    if (threadIdx.x / 32 == unsigned(t) % 8)
#pragma unroll 16
      for (int i = 0; i < 128; i++)
        x = x * 1.0001f + 0.5f;
    __syncthreads();
  }
  if (x == -1.0f)
    c[0] = __float2half(x);
}
