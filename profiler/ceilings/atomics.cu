// Atomic additions in global memory, without a result (RED).
#include "stamp.cuh"

// Each thread adds to `turns` (a multiple of 8) of the n words (a power of two) from data on.
// 2^(extra >> 32) neighbouring lanes share a word.  From one word to the next is a stride of
// (unsigned)extra words, which wraps and must be odd: so all are visited.
CEILINGS_KERNEL(1024, red_f32) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x, stride = (unsigned)extra, mask = (unsigned)n - 1;
  const unsigned shift = (unsigned)(extra >> 32), next = (gridDim.x * blockDim.x >> shift) * stride;
  unsigned word = (id >> shift) * stride;
  stamp from = stamp_begin();
#pragma unroll 1
  for (unsigned t = 0; t < (unsigned)turns; t += 8)
#pragma unroll
    for (int i = 0; i < 8; i++, word += next)
      asm volatile("red.global.add.f32 [%0], %1;" ::"l"(data + (word & mask) * 4ull), "f"(1.0f) : "memory");
  stamp_end(from, stamps);
}
