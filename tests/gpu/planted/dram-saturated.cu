//! id:         planted-dram-saturated
//! ladder:     control
//! change:     plants dram-saturated: a stream that reads every byte once with many loads in flight
//! param:      MEBIBYTES = 512
//! param:      THREADS = 256
//! param:      UNROLL = 8
//! scratch:    buffer = MEBIBYTES * 1048576; fill = 0
//! step:       kernel = stream; grid = sms * 8; block = THREADS; args = buffer, c, i64(MEBIBYTES * 65536)
//! output:     none
//! bytes:      MEBIBYTES * 1048576
//! flops:      0
//! id:         planted-dram-saturated-large
//! param:      MEBIBYTES = 2048

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(THREADS, 2048 / THREADS / 2)
    stream(const uint4 *__restrict__ words, __half *__restrict__ c, long long n) {
  unsigned folded = 0;
#pragma unroll 1
  for (long long i = (long long)blockIdx.x * THREADS * UNROLL + threadIdx.x; i < n; i += (long long)gridDim.x * THREADS * UNROLL) {
    uint4 w[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
      w[u] = words[i + u * THREADS];
#pragma unroll
    for (int u = 0; u < UNROLL; u++)
      folded |= w[u].x ^ w[u].y ^ w[u].z ^ w[u].w;
  }
  if (folded == 1u)
    c[0] = __float2half(1.0f);
}
