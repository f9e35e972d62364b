//! id:         control-exact-bytes
//! ladder:     control
//! change:     reads a known number of bytes once: what the DRAM counters must show
//! param:      MEBIBYTES = 256
//! param:      THREADS = 256
//! param:      UNROLL = 8
//! param:      BLOCKS_PER_SM = 8
//! scratch:    buffer = MEBIBYTES * 1048576; fill = 0
//! step:       kernel = exact_bytes; grid = sms * BLOCKS_PER_SM; block = THREADS; args = buffer, c, i64(MEBIBYTES * 262144)
//! output:     none
//! bytes:      MEBIBYTES * 1048576
//! flops:      0
//! needs:      sm >= 80

#include "common/read.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(THREADS, CHUNK_MIN_BLOCKS)
    exact_bytes(const uint8_t *__restrict__ buffer, __half *__restrict__ c, int64_t words) {
  const struct segment all = {buffer, words};
  const int64_t chunks = segment_chunks(all);

  uint4 folded = make_uint4(0, 0, 0, 0);
#pragma unroll 1
  for (int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x)
    chunk_read(all, chunk, folded);
  keep(folded, c);
}
