//! id:         planted-fp64
//! ladder:     control
//! change:     plants fp64: double precision where float would do
//! param:      TURNS = 64
//! scratch:    buffer = 33554432; fill = 1
//! step:       kernel = polynomial; grid = 8388608 / 256 / 4; block = 256; args = buffer, c, TURNS
//! output:     none
//! bytes:      33554432
//! flops:      8388608 * 2 * TURNS
//! id:         planted-fp64-large
//! param:      TURNS = 512

#include <cuda_fp16.h>

extern "C" __global__ void polynomial(const float4 *__restrict__ values, __half *__restrict__ c, int turns) {
  const float4 v = values[blockIdx.x * blockDim.x + threadIdx.x];
  double x = v.x, y = v.y, z = v.z, w = v.w;
#pragma unroll 8
  for (int t = 0; t < turns; t++) {
    x = x * 0.999 + 0.1;
    y = y * 0.999 + 0.1;
    z = z * 0.999 + 0.1;
    w = w * 0.999 + 0.1;
  }
  if (x + y + z + w == -1.0)
    c[0] = __float2half(1.0f);
}
