/* The tensor copy engine (sm_90 and up): one lane asks, bytes arrive in shared memory, an mbarrier counts them. */
#pragma once

#include "common/types.cuh"

struct __align__(64) tensor_map { /* as the driver encodes it: a `tensormap:` of the front matter */
  uint64_t opaque[16];
};

static __device__ __forceinline__ uint32_t shared_address(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

/* Its lane's own value, which the compiler cannot work out anew wherever it is used. */
static __device__ __forceinline__ uint32_t kept(uint32_t x) {
  return __shfl_sync(0xffffffffu, x, threadIdx.x % 32);
}

/* One thread of a whole warp.  The compiler knows that it is one, which a comparison of thread numbers does not tell it: it would wrap every
 * instruction of the copy engine and of the tensor core in a loop over the threads that might be there. */
static __device__ __forceinline__ bool elect_one() {
  uint32_t chosen;
  asm volatile("{ .reg .pred p;\n elect.sync _|p, 0xffffffff;\n selp.u32 %0, 1, 0, p; }" : "=r"(chosen));
  return chosen;
}

/* A barrier of one arrival; barrier_init_done once after all of them, before the first copy. */
static __device__ __forceinline__ void barrier_init(uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

static __device__ __forceinline__ void barrier_init_done() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void barrier_expect(uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void barrier_wait(uint32_t barrier, int parity) {
  uint32_t ready;
  do {
    asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p; }"
                 : "=r"(ready)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  } while (!ready);
}

/* A barrier of some of the block's threads: reaching it without waiting, and waiting until THREADS of them have reached it. */
template <int NUMBER, int THREADS> static __device__ __forceinline__ void named_arrive() {
  asm volatile("bar.arrive %0, %1;" ::"n"(NUMBER), "n"(THREADS) : "memory");
}

template <int NUMBER, int THREADS> static __device__ __forceinline__ void named_sync() {
  asm volatile("bar.sync %0, %1;" ::"n"(NUMBER), "n"(THREADS) : "memory");
}

/* A box of a three-dimensional map; what lies outside the tensor arrives as zeros, and counts. */
static __device__ __forceinline__ void copy_box(uint32_t to, const tensor_map *map, int x, int y, int z,
                                                uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
          "r"(to),
      "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier)
      : "memory");
}

/* A run of bytes: addresses and length are multiples of 16. */
static __device__ __forceinline__ void copy_bulk(uint32_t to, const uint8_t *from, int bytes, uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

/* The same for bytes that are used once: L2 gives up their lines first.  The number is the policy that createpolicy.fractional.L2::evict_first makes,
 * worked out here: its instructions would stand before the first copy. */
static __device__ __forceinline__ void copy_bulk_once(uint32_t to, const uint8_t *from, int bytes, uint32_t barrier) {
  constexpr uint64_t evict_first = 0x12f0000000000000;
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::
          "r"(to),
      "l"(from), "r"(bytes), "r"(barrier), "l"(evict_first)
      : "memory");
}

/* The same into the shared memory of each block of the cluster that `blocks` names by a bit: at the same place, and told to the same barrier of each. */
static __device__ __forceinline__ void copy_bulk_to(uint16_t blocks, uint32_t to, const uint8_t *from, int bytes,
                                                    uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
          "r"(to),
      "l"(from), "r"(bytes), "r"(barrier), "h"(blocks)
      : "memory");
}

/* All threads of all blocks of the cluster. */
static __device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* A barrier that COUNT threads must reach, and reaching it. */
static __device__ __forceinline__ void barrier_init_count(uint32_t barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

static __device__ __forceinline__ void barrier_arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Arrives when the calling thread's copies by cp.async have: one of the barrier's count, for each thread that calls. */
static __device__ __forceinline__ void barrier_arrive_copied(uint32_t barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
