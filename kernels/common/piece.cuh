/* Words of eight e2m1 codes as f16x2 pairs, for C++ arithmetic. */
#pragma once

#include "common/decode.cuh"

#include <cuda_fp16.h>

/* Eight values; their order depends on the chip, but is the same for A and B. */
struct piece {
  __half2 x, y, z, w;
};

static __device__ __forceinline__ __half2 half2_of(uint32_t bits) {
  return *reinterpret_cast<const __half2 *>(&bits);
}

static __device__ __forceinline__ uint32_t bits_of(__half2 pair) {
  return *reinterpret_cast<const uint32_t *>(&pair);
}

static __device__ __forceinline__ struct piece piece_of(uint32_t codes) {
  uint32_t x, y, z, w;
  asm(E2M1X8("%4", "%0", "%1", "%2", "%3") : "=&r"(x), "=&r"(y), "=&r"(z), "=&r"(w) : "r"(codes));
  return {half2_of(x), half2_of(y), half2_of(z), half2_of(w)};
}

/* The e4m3 codes of the two low bytes. */
static __device__ __forceinline__ __half2 scale_pair(uint32_t codes) {
  uint32_t pair;
  asm("{ .reg .b32 none;\n" E4M3X4("%1", "%0", "none") "}" : "=&r"(pair) : "r"(codes));
  return half2_of(pair);
}

static __device__ __forceinline__ float halves_sum(__half2 x) {
  return __low2float(x) + __high2float(x);
}

/* The scales of two neighbouring blocks. */
static __device__ __forceinline__ uint32_t load2(const uint8_t *p) {
  return __ldg(reinterpret_cast<const uint16_t *>(p));
}
