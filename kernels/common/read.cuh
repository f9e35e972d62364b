/* Reading bytes and nothing else: the controls. */
#pragma once

#include "common/load.cuh"

/* A run of 32-bit words, 16-byte aligned, read in chunks that a block takes whole. */
struct segment {
  const uint8_t *bytes;
  int64_t words;
};

/* 16-byte loads of a thread in a chunk, all independent, times threads. */
constexpr int64_t CHUNK_VECTORS = int64_t(THREADS) * UNROLL;
constexpr int64_t CHUNK_WORDS = 4 * CHUNK_VECTORS;
/* The second launch bound: registers enough for all of a thread's loads to be under way, since ptxas delays loads to save registers. */
constexpr int CHUNK_MIN_BLOCKS = 8192 / (THREADS * (UNROLL < 8 ? 8 : UNROLL));

static __device__ __forceinline__ int64_t segment_chunks(struct segment s) {
  return (s.words + CHUNK_WORDS - 1) / CHUNK_WORDS;
}

static __device__ __forceinline__ void fold(uint4 &into, uint4 v) {
  into.x ^= v.x, into.y ^= v.y, into.z ^= v.z, into.w ^= v.w;
}

/* Reads one chunk of a segment; the last may be short and may end within 16 bytes. */
static __device__ __forceinline__ void chunk_read(struct segment s, int64_t chunk, uint4 &into) {
  const int64_t first = chunk * CHUNK_VECTORS + threadIdx.x;
  if ((chunk + 1) * CHUNK_WORDS <= s.words) {
    uint4 v[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; ++i)
      v[i] = load16_once(s.bytes + 16 * (first + int64_t(i) * THREADS));
#pragma unroll
    for (int i = 0; i < UNROLL; ++i)
      fold(into, v[i]);
    return;
  }

  const int64_t vectors = s.words / 4;
#pragma unroll
  for (int i = 0; i < UNROLL; ++i) {
    const int64_t at = first + int64_t(i) * THREADS;
    if (at < vectors)
      fold(into, load16_once(s.bytes + 16 * at));
  }
  if (threadIdx.x < s.words % 4)
    into.x ^= load4_once(s.bytes + 16 * vectors + 4 * threadIdx.x);
}

/* Lets no load be optimised away: the store happens for one value of 128 bits, which data will not give by chance. */
static __device__ __forceinline__ void keep(uint4 v, void *out) {
  if (v.x == 0x9e3779b9u && v.y == 0x7f4a7c15u && v.z == 0xf39cc060u && v.w == 0x5cedc835u)
    *static_cast<uint16_t *>(out) = static_cast<uint16_t>(v.x);
}
