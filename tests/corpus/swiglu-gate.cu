//! problem:   generic
//! id:        swiglu-each
//! ladder:    swiglu-gate
//! size:      N = 16M
//! param:     WIDTH = 1
//! buffer:    gate = bf16[2 * N]; init = random
//! buffer:    up = bf16[2 * N]; init = random
//! buffer:    y = bf16[2 * N]
//! output:    y
//! step:      kernel = swiglu; grid = 8 * sms; block = 256; args = gate, up, y, 2 * N / WIDTH
//! reference: kernel = swiglu_plain; grid = 2 * N / 256; block = 256; args = gate, up, y
//! flops:     10 * N
//! note:      silu(gate) * up; the pointers may alias, so that a load does not pass the store before it

//! id:        swiglu-sixteen-bytes
//! parent:    swiglu-each
//! change:    eight numbers, 16 bytes, a load, instead of one of 2 bytes
//! param:     WIDTH = 8
//! predicts:  time < 0.8x; dram_bytes within 5%

#include <cuda_bf16.h>

struct __align__(2 * WIDTH) pack {
  __nv_bfloat16 v[WIDTH];
};

__device__ float silu(float x) { return x / (1 + __expf(-x)); }

extern "C" __global__ void swiglu(const pack *gate, const pack *up, pack *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    pack g = gate[i], u = up[i];
#pragma unroll
    for (int k = 0; k < WIDTH; k++)
      g.v[k] = __float2bfloat16(silu(__bfloat162float(g.v[k])) * __bfloat162float(u.v[k]));
    y[i] = g;
  }
}

extern "C" __global__ void swiglu_plain(const __nv_bfloat16 *gate, const __nv_bfloat16 *up, __nv_bfloat16 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double g = __bfloat162float(gate[i]);
  y[i] = __float2bfloat16((float)(g / (1 + exp(-g)) * __bfloat162float(up[i])));
}
