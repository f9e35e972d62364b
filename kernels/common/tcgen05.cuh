/* tcgen05 (sm_100a to sm_110a): the tensor core that one thread feeds.  Operands lie in shared memory, sums and scales in tensor memory, whose
 * addresses are lane << 16 | column.  Compiled and disassembled, never run: no such chip was at hand.
 *
 * Order (PTX ISA 9.7.16.6.2, "Pipelined tcgen05 Instructions"): a product runs after the copies and the products that the same thread asked for
 * before it.  A copy after a product has no such promise: it must not write what the product may still read.  A commit tells a barrier
 * when all that was asked for is done; between threads, a barrier with the fences on its two sides. */
#pragma once

#include "common/tcgen05_layout.cuh"

/* A whole warp: columns of tensor memory, their first address stored to shared memory.  Waits while others hold too many. */
static __device__ __forceinline__ void tmem_alloc(uint32_t to, uint32_t columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(to), "r"(columns) : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
}

/* The same warp. */
static __device__ __forceinline__ void tmem_free(uint32_t at, uint32_t columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(at), "r"(columns) : "memory");
}

static __device__ __forceinline__ void tcgen05_before_barrier() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}

static __device__ __forceinline__ void tcgen05_after_barrier() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}

/* A tile of scales into four columns, the same 32 lanes for each of the four warps: row r at lane r % 32 of column r / 32. */
static __device__ __forceinline__ void tmem_copy_scales(uint32_t to, uint64_t scales) {
  asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(scales) : "memory");
}

/* sums (+)= A * SFA * B * SFB over 64 values of K, a scale for every 16 of a row or column. */
static __device__ __forceinline__ void tcgen05_mma(uint32_t sums, uint64_t a, uint64_t b, uint32_t instruction,
                                                   uint32_t sfa, uint32_t sfb, bool add) {
  asm volatile(
      "{ .reg .pred p;\n"
      "  setp.ne.u32 p, %6, 0;\n"
      "  tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%0], %1, %2, %3, [%4], [%5], p; }" ::"r"(
          sums),
      "l"(a), "l"(b), "r"(instruction), "r"(sfa), "r"(sfb), "r"(static_cast<uint32_t>(add))
      : "memory");
}

/* One arrival at the barrier when all that this thread has asked for is done. */
static __device__ __forceinline__ void tcgen05_commit(uint32_t barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier) : "memory");
}

/* A whole warp, w of its group of four: lanes 32 w to 32 w + 31 of one column, a lane a thread. */
static __device__ __forceinline__ float tmem_load(uint32_t column, int warp) {
  float value;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];\n"
               "tcgen05.wait::ld.sync.aligned;"
               : "=f"(value)
               : "r"(column + (static_cast<uint32_t>(warp) * 32 << 16))
               : "memory");
  return value;
}
