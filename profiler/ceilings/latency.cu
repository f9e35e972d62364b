// Latency: one thread follows pointers, each load's address being the last one's result.
#include "stamp.cuh"

enum { LINE_BYTES = 128, SMEM_WORDS = 1024 };

// Lines 0..n-1 of 128 bytes become one cycle, line i pointing to line (turns*i + extra) mod n; the host chooses the two so that all are visited.
CEILINGS_KERNEL(1024, chase_fill) {
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (u64)blockDim.x)
    *(char **)(data + i * LINE_BYTES) = data + (turns * i + extra) % n * LINE_BYTES;
}

// n steps to warm up, then `turns` steps that are timed, both multiples of 16.  stamps[1].cycles: where it ended, to go on from there.
#define CHASE(name, modifier)                                                                                          \
  CEILINGS_KERNEL(32, name) {                                                                                          \
    if (threadIdx.x)                                                                                                   \
      return;                                                                                                          \
    u64 p = (u64)data;                                                                                                 \
    for (u64 t = 0; t < n; t += 16)                                                                                    \
      _Pragma("unroll") for (int i = 0; i < 16; i++)                                                                   \
          asm volatile("ld.global" modifier ".u64 %0, [%0];" : "+l"(p)::"memory");                                     \
    keep((unsigned)p, sink);                                                                                           \
    stamp from = stamp_now();                                                                                          \
    for (u64 t = 0; t < turns; t += 16)                                                                                \
      _Pragma("unroll") for (int i = 0; i < 16; i++)                                                                   \
          asm volatile("ld.global" modifier ".u64 %0, [%0];" : "+l"(p)::"memory");                                     \
    keep((unsigned)p, sink);                                                                                           \
    stamp to = stamp_now();                                                                                            \
    stamps[0] = {to.cycles - from.cycles, to.ns - from.ns};                                                            \
    stamps[1].cycles = p;                                                                                              \
  }

CHASE(chase_l1, "")
CHASE(chase_l2, ".cg")

CEILINGS_KERNEL(32, chase_smem) {
  __shared__ unsigned next[SMEM_WORDS];
  if (threadIdx.x)
    return;
  unsigned base = (unsigned)__cvta_generic_to_shared(next);
  for (unsigned i = 0; i < SMEM_WORDS; i++)
    next[i] = base + (unsigned)((i * 421 + 331) % SMEM_WORDS) * 4;
  unsigned p = base;
  stamp from = stamp_now();
  for (u64 t = 0; t < turns; t += 16)
#pragma unroll
    for (int i = 0; i < 16; i++)
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p)::"memory");
  keep(p, sink);
  stamp to = stamp_now();
  stamps[0] = {to.cycles - from.cycles, to.ns - from.ns};
}
