/* Loads, each the one instruction that its name says. */
#pragma once

#include "common/types.cuh"

/* 16 bytes, read-only path.  Aligned for every row of A and B: a row is K/2 bytes, a multiple of 32. */
static __device__ __forceinline__ uint4 load16(const uint8_t *p) {
  return __ldg(reinterpret_cast<const uint4 *>(p));
}

/* 4 bytes, read-only path: the widest load of scales that is aligned for every K, since a row of SFA is K/16 bytes. */
static __device__ __forceinline__ uint32_t load4(const uint8_t *p) {
  return __ldg(reinterpret_cast<const uint32_t *>(p));
}

/* The same for bytes that are used once: they do not displace anything in L1. */
static __device__ __forceinline__ uint4 load16_once(const uint8_t *p) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}

static __device__ __forceinline__ uint32_t load4_once(const uint8_t *p) {
  uint32_t v;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}

static __device__ __forceinline__ uint32_t load2_once(const uint8_t *p) {
  uint16_t v;
  asm volatile("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=h"(v) : "l"(p));
  return v;
}

/* From shared memory. */
static __device__ __forceinline__ uint4 stage16(const uint8_t *shared) {
  return *reinterpret_cast<const uint4 *>(shared);
}

static __device__ __forceinline__ uint32_t stage4(const uint8_t *shared) {
  return *reinterpret_cast<const uint32_t *>(shared);
}

/* The same at an address of the shared memory itself, in order with barriers there. */
static __device__ __forceinline__ uint4 shared16(uint32_t at) {
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(at)
               : "memory");
  return v;
}

static __device__ __forceinline__ uint32_t shared4(uint32_t at) {
  uint32_t v;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
  return v;
}

static __device__ __forceinline__ uint16_t shared2(uint32_t at) {
  uint16_t v;
  asm volatile("ld.shared.u16 %0, [%1];" : "=h"(v) : "r"(at) : "memory");
  return v;
}

/* Copies into shared memory that do not pass through registers: past L1 for bytes used once, through L1 for bytes that other warps of the
 * multiprocessor copy too; 4 bytes exist through L1 only. */
static __device__ __forceinline__ void copy16_async_once(void *shared, const uint8_t *global) {
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
}

static __device__ __forceinline__ void copy16_async(void *shared, const uint8_t *global) {
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
}

static __device__ __forceinline__ void copy4_async(void *shared, const uint8_t *global) {
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(global) : "memory");
}

static __device__ __forceinline__ void copy_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most PENDING of this thread's latest groups are still under way. */
template <int PENDING> static __device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}
