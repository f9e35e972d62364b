//! id:         planted-uncoalesced
//! ladder:     control
//! change:     plants uncoalesced: the lanes of a warp read 4 bytes each, 4 KB apart
//! param:      ROWS = 16384
//! scratch:    buffer = ROWS * 4096; fill = 1
//! step:       kernel = column_sums; grid = ROWS / 128; block = 128; args = buffer, c
//! output:     none
//! bytes:      ROWS * 4096
//! flops:      ROWS * 1024
//! id:         planted-uncoalesced-large
//! param:      ROWS = 65536

#include <cuda_fp16.h>

extern "C" __global__ void column_sums(const float *__restrict__ rows, __half *__restrict__ c) {
  const float *row = rows + 1024 * (blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0.0f;
#pragma unroll 8
  for (int i = 0; i < 1024; i++)
    sum += row[i];
  if (sum == -1.0f)
    c[0] = __float2half(sum);
}
