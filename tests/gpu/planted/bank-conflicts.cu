//! id:         planted-bank-conflicts
//! ladder:     control
//! change:     plants bank-conflicts: the lanes of a warp read shared memory 32 words apart, all in one bank
//! param:      TURNS = 256
//! step:       kernel = one_bank; grid = sms * 4; block = 256; args = c, TURNS
//! output:     none
//! bytes:      0
//! flops:      sms * 4 * 256 * TURNS
//! id:         planted-bank-conflicts-large
//! param:      TURNS = 2048

#include <cuda_fp16.h>

extern "C" __global__ void one_bank(__half *__restrict__ c, int turns) {
  __shared__ float words[32 * 32];
  for (int i = threadIdx.x; i < 32 * 32; i += blockDim.x)
    words[i] = float(i);
  __syncthreads();
  const int lane = threadIdx.x % 32;
  float sum = 0.0f;
#pragma unroll 8
  for (int t = 0; t < turns; t++)
    sum += words[32 * lane + (t & 31)];
  if (sum == -1.0f)
    c[0] = __float2half(sum);
}
