/* What the cute ladder holds in registers: tiles of e2m1 codes, their values as f16x2 or fp32, and block scales.
 *
 * As in common/decode.cuh, the eight values of a word come in an order, and times a power of two, that depend on the chip: the order is the
 * same for A and B, and E2M1_UNSCALE restores a sum of products. */
#pragma once

#include "common/decode.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

constexpr int BLOCK_VALUES = 16;                        /* values that share a scale */
constexpr int TILE_WORDS = TILE_VALUES / 8;             /* 32-bit words of eight codes */
constexpr int TILE_BLOCKS = TILE_VALUES / BLOCK_VALUES; /* scales: one 32-bit word */

static __device__ __forceinline__ __half2 half2_from_bits(uint32_t bits) {
  return *reinterpret_cast<const __half2 *>(&bits);
}

/* 2 bytes, read-only path: the scales of two blocks. */
static __device__ __forceinline__ uint32_t load2(const uint8_t *p) {
  return __ldg(reinterpret_cast<const uint16_t *>(p));
}

static __device__ __forceinline__ void e2m1_to_half(uint32_t codes, __half2 v[4]) {
  uint32_t h0, h1, h2, h3;
  asm(E2M1X8("%4", "%0", "%1", "%2", "%3") : "=&r"(h0), "=&r"(h1), "=&r"(h2), "=&r"(h3) : "r"(codes));
  v[0] = half2_from_bits(h0), v[1] = half2_from_bits(h1), v[2] = half2_from_bits(h2), v[3] = half2_from_bits(h3);
}

/* Four scales, in order. */
static __device__ __forceinline__ void e4m3_to_half(uint32_t codes, __half2 v[2]) {
  uint32_t h0, h1;
  asm(E4M3X4("%2", "%0", "%1") : "=&r"(h0), "=&r"(h1) : "r"(codes));
  v[0] = half2_from_bits(h0), v[1] = half2_from_bits(h1);
}

static __device__ __forceinline__ void e4m3_to_float(uint32_t codes, float v[4]) {
  __half2 h[2];
  e4m3_to_half(codes, h);
  v[0] = __low2float(h[0]), v[1] = __high2float(h[0]), v[2] = __low2float(h[1]), v[3] = __high2float(h[1]);
}

/* The first scale alone. */
static __device__ __forceinline__ float e4m3_to_float(uint32_t code) {
  __half2 h[2];
  e4m3_to_half(code, h);
  return __low2float(h[0]);
}

/* Loads a tile: two 16-byte loads. */
static __device__ __forceinline__ void load_tile(const uint8_t *p, uint32_t words[TILE_WORDS]) {
  const uint4 lo = load16(p), hi = load16(p + 16);
  words[0] = lo.x, words[1] = lo.y, words[2] = lo.z, words[3] = lo.w;
  words[4] = hi.x, words[5] = hi.y, words[6] = hi.z, words[7] = hi.w;
}

static __device__ __forceinline__ void tile_to_half(const uint32_t words[TILE_WORDS], __half2 v[TILE_VALUES / 2]) {
#pragma unroll
  for (int i = 0; i < TILE_WORDS; ++i)
    e2m1_to_half(words[i], &v[4 * i]);
}

static __device__ __forceinline__ void tile_to_float(const uint32_t words[TILE_WORDS], float v[TILE_VALUES]) {
  __half2 h[TILE_VALUES / 2];
  tile_to_half(words, h);
#pragma unroll
  for (int i = 0; i < TILE_VALUES / 2; ++i)
    v[2 * i] = __low2float(h[i]), v[2 * i + 1] = __high2float(h[i]);
}
