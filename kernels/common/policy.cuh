/* Loads with a cache policy, each named by what becomes of the bytes: _once is streamed past L1, _kept stays in L1 for the other rows of a
 * block.  All take the read-only path. */
#pragma once

#include "common/load.cuh"

/* BYTES consecutive bytes, 16 or 32, aligned to as many. */
template <int BYTES> struct packed {
  static_assert(BYTES == 16 || BYTES == 32, "a load takes 16 or 32 bytes");
  uint4 v[BYTES / 16];
};

static __device__ __forceinline__ uint4 load16_kept(const uint8_t *p) {
  uint4 v;
  asm volatile("ld.global.nc.L1::evict_last.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}

static __device__ __forceinline__ uint32_t load4_kept(const uint8_t *p) {
  uint32_t v;
  asm volatile("ld.global.nc.L1::evict_last.u32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}

static __device__ __forceinline__ uint32_t load2_kept(const uint8_t *p) {
  uint16_t v;
  asm volatile("ld.global.nc.L1::evict_last.u16 %0, [%1];" : "=h"(v) : "l"(p));
  return v;
}

/* The L2 is to fetch the 256 aligned bytes around these too. */
static __device__ __forceinline__ uint4 load16_once_256(const uint8_t *p) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}

/* 32 bytes by one load where the chip has it (sm_100 and later), else by two of 16. */
#if __CUDA_ARCH__ >= 1000

#define LOAD32(policy, p, lo, hi)                                                                                      \
  asm volatile("ld.global.nc." policy ".v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"                                \
               : "=r"(lo.x), "=r"(lo.y), "=r"(lo.z), "=r"(lo.w), "=r"(hi.x), "=r"(hi.y), "=r"(hi.z), "=r"(hi.w)        \
               : "l"(p))

static __device__ __forceinline__ packed<32> load32_once_256(const uint8_t *p) {
  packed<32> out;
  LOAD32("L1::no_allocate.L2::256B", p, out.v[0], out.v[1]);
  return out;
}

static __device__ __forceinline__ packed<32> load32_kept(const uint8_t *p) {
  packed<32> out;
  LOAD32("L1::evict_last", p, out.v[0], out.v[1]);
  return out;
}

#undef LOAD32

#else

static __device__ __forceinline__ packed<32> load32_once_256(const uint8_t *p) {
  return {{load16_once_256(p), load16_once_256(p + 16)}};
}

static __device__ __forceinline__ packed<32> load32_kept(const uint8_t *p) {
  return {{load16_kept(p), load16_kept(p + 16)}};
}

#endif

template <int BYTES> static __device__ __forceinline__ packed<BYTES> load_once_256(const uint8_t *p) {
  if constexpr (BYTES == 32)
    return load32_once_256(p);
  else
    return {{load16_once_256(p)}};
}

template <int BYTES> static __device__ __forceinline__ packed<BYTES> load_once(const uint8_t *p) {
  static_assert(BYTES == 16, "wider loads come with L2::256B");
  return {{load16_once(p)}};
}

template <int BYTES> static __device__ __forceinline__ packed<BYTES> load_kept(const uint8_t *p) {
  if constexpr (BYTES == 32)
    return load32_kept(p);
  else
    return {{load16_kept(p)}};
}

/* The scales of BYTES packed bytes: a scale for 8 of them, in the low bytes of the result. */
template <int BYTES> static __device__ __forceinline__ uint32_t load_scales_once(const uint8_t *p) {
  if constexpr (BYTES == 32)
    return load4_once(p);
  else
    return load2_once(p);
}

template <int BYTES> static __device__ __forceinline__ uint32_t load_scales_kept(const uint8_t *p) {
  if constexpr (BYTES == 32)
    return load4_kept(p);
  else
    return load2_kept(p);
}

#if __CUDA_ARCH__ >= 900

/* A policy for L2::cache_hint: these lines are the first to go. */
static __device__ __forceinline__ uint64_t policy_evict_first() {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/* Bulk copies into shared memory, counted by a barrier in shared memory.  Sizes and addresses are multiples of 16 bytes. */
static __device__ __forceinline__ uint32_t shared_address(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

/* One arrival a phase.  The fence shows the barrier to the copy engine; other threads need a barrier of their own after it. */
static __device__ __forceinline__ void bulk_barrier_init(uint64_t *barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void bulk_copy_once(void *shared, const uint8_t *global, uint32_t bytes,
                                                      uint64_t *barrier, uint64_t policy) {
  const uint32_t counter = shared_address(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(counter), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
               "%4;" ::"r"(shared_address(shared)),
               "l"(global), "r"(bytes), "r"(counter), "l"(policy)
               : "memory");
}

/* Waits for the end of the barrier's phase of this parity; try_wait itself sleeps for a while. */
static __device__ __forceinline__ void bulk_wait(uint64_t *barrier, uint32_t parity) {
  asm volatile("{ .reg .pred done;\n"
               "again:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "  @!done bra again; }\n" ::"r"(shared_address(barrier)),
               "r"(parity)
               : "memory");
}

#endif
