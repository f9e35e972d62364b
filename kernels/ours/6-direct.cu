//! id:         ours-6-direct
//! ladder:     ours
//! parent:     ours-5-shared-column
//! change:     A and its scales straight from global memory into the registers of the fragments, several loads ahead, and no copy in shared memory
//! predicts:   time < 0.97x; dram_bytes within 2%; l2_read_bytes < 0.9x
//! cures:      long-scoreboard
//! param:      WARPS = 4 in {1, 2, 4, 7, 8, 16}
//! param:      TILES = 1 in {1, 2}
//! param:      UNROLL = 4 in {1, 2, 4, 8}
//! param:      PER_SM = 3 in {1, 2, 3, 4, 5, 6, 8, 10, 16, 32}
//! param:      BLOCKS = 3 in {1, 2, 3, 4, 5, 6, 7, 8}
//! when:       K > 8192: WARPS = 8, UNROLL = 2, BLOCKS = 2, PER_SM = 2
//! when:       K > 4096: WARPS = 7, BLOCKS = 2, PER_SM = 2
//! constants:  M, K
//! step:       kernel = gemv; grid = min(ceil(M / (16 * TILES)), ceil(sms * PER_SM / L)), L; block = 32 * WARPS; smem = 16 + WARPS * ceil(ceil(K / 512) / WARPS) * 832 + ceil(ceil(M / (16 * TILES)) / min(ceil(M / (16 * TILES)), ceil(sms * PER_SM / L))) * WARPS * TILES * 64
//! accumulate: fp32
//! path:       1: prmt to bytes, mma.sync m16n8k32 s8 x s8
//! note:       its parameters are the best of a sweep of 106 on an H200, made with a forerunner of its arithmetic, which read a negated copy of B
//! note:       H200, 2026-11-21: 22.0 / 38.3 / 12.0 us; the cause is the halves of lines: a read of A alone by loads of 64 bytes of 8 rows took 17.7 / 32.1 / 9.1,
//!             one by loads of 128 bytes of 4 rows 14.9 / 26.9 / 8.0 (each the best of 14 configurations; the read control, which reads a ninth more, 16.1 / 30.6 / 9.1)
//! note:       prefetching a block's whole slice into the L2 by bulk prefetch made every configuration that it was tried on slower

#include "common/imma_blocks.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K, ROWS = 16 * TILES;
/* A chunk is 128 values of K; a warp takes pieces of four, whose scales of a row are the 32 bytes that L2 hands out. */
constexpr int CHUNK_BYTES = 64, CHUNK_SCALES = 8, PIECE_CHUNKS = 4;
constexpr int PIECES = (K + 511) / 512;
constexpr int CHUNKS = (PIECES + WARPS - 1) / WARPS * PIECE_CHUNKS; /* of a warp */
constexpr bool WHOLE = K % (128 * PIECE_CHUNKS) == 0 && PIECES % WARPS == 0;
constexpr int GROUPS = (M + ROWS - 1) / ROWS;
/* Of a warp, a chunk: B as bytes, and zeros; its scales as pairs of floats. */
constexpr int B_STEP = 144, SCALES_STEP = 8 * CHUNK_SCALES;
constexpr int WARP_B = CHUNKS * B_STEP, WARP_SCALES = CHUNKS * SCALES_STEP;
static_assert(CHUNKS % UNROLL == 0, "a chunk is fetched into the same registers whatever the rows");

struct step {
  uint4 a[TILES][2];
  uint16_t scales[TILES][2];
};

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int, int, int) {
  extern __shared__ __align__(16) uint8_t shared[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int64_t batch = blockIdx.y;
  const int first = GROUPS * blockIdx.x / gridDim.x, last = GROUPS * (blockIdx.x + 1) / gridDim.x;

  uint8_t *const own_b = shared + 16 + warp * WARP_B, *const own_scales =
                                                          shared + 16 + WARPS * WARP_B + warp * WARP_SCALES;
  float *const partial = reinterpret_cast<float *>(shared + 16 + WARPS * (WARP_B + WARP_SCALES));

  /* A warp's chunk number i is this chunk of the row. */
  const auto chunk_of = [&](int i) { return (i / PIECE_CHUNKS * WARPS + warp) * PIECE_CHUNKS + i % PIECE_CHUNKS; };
  const uint8_t *const a_lane = a + batch * M * (K / 2) + t * 16, *const sfa_lane = sfa + batch * M * (K / 16) + t * 2;
  /* Chunks i to i + UNROLL - 1 of a group of rows; u is which of them. */
  struct source {
    const uint8_t *a[2 * TILES], *scales[2 * TILES];
    int inside;
  };
  const auto find = [&](int group, int i) {
    source s;
    const int chunk = chunk_of(i), row0 = group * ROWS + g;
    s.inside = K - chunk * 128 - t * 32;
#pragma unroll
    for (int r = 0; r < 2 * TILES; ++r) {
      const int row = M % ROWS == 0 ? row0 : min(row0 + 8 * r, M - 1), beyond = M % ROWS == 0 ? 8 * r : 0;
      s.a[r] = a_lane + (row * static_cast<int64_t>(K / 2) + chunk * CHUNK_BYTES) + beyond * (K / 2);
      s.scales[r] = sfa_lane + (row * static_cast<int64_t>(K / 16) + chunk * CHUNK_SCALES) + beyond * (K / 16);
    }
    return s;
  };
  const auto fetch = [&](step &to, const source &from, int u) {
#pragma unroll
    for (int r = 0; r < 2 * TILES; ++r) {
      if (WHOLE || u * 128 < from.inside) {
        to.a[r / 2][r % 2] = load16_once(from.a[r] + u * CHUNK_BYTES);
        to.scales[r / 2][r % 2] = __ldg(reinterpret_cast<const uint16_t *>(from.scales[r] + u * CHUNK_SCALES));
      } else {
        to.a[r / 2][r % 2] = make_uint4(0, 0, 0, 0);
        to.scales[r / 2][r % 2] = 0;
      }
    }
  };

  step ahead[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
    fetch(ahead[u], find(first, 0), u);

  /* The warp's share of B, while the first of A is on its way. */
  const uint8_t *const b_row = b + batch * PAD_ROWS * (K / 2), *const sfb_row = sfb + batch * PAD_ROWS * (K / 16);
#pragma unroll
  for (int i = 0; i < CHUNKS / 2; ++i) {
    const int mine = 2 * i + lane / 16, word = lane % 16, chunk = chunk_of(mine);
    const uint32_t codes = WHOLE || chunk * 128 + word * 8 < K ? load4(b_row + chunk * CHUNK_BYTES + word * 4) : 0;
    const split8 v = split_e2m1(codes);
    uint8_t *const to = own_b + mine * B_STEP + word * 8;
    *reinterpret_cast<uint2 *>(to) = make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
  }
#pragma unroll
  for (int i = 0; i < CHUNKS / 4; ++i) {
    const int mine = 4 * i + lane / 8, chunk = chunk_of(mine);
    const uint8_t code =
        WHOLE || chunk * 128 + lane % 8 * 16 < K ? __ldg(sfb_row + chunk * CHUNK_SCALES + lane % 8) : 0;
    *reinterpret_cast<float2 *>(own_scales + mine * SCALES_STEP + lane % 8 * 8) = scale_of_biased(two_scales(code).x);
  }
  for (int i = lane; i < CHUNKS; i += 32)
    *reinterpret_cast<uint4 *>(own_b + i * B_STEP + 128) = make_uint4(0, 0, 0, 0);
  if (threadIdx.x == 0)
    *reinterpret_cast<e2m1_tables *>(shared) = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  __syncthreads();

  const volatile e2m1_tables *const fetched = reinterpret_cast<volatile e2m1_tables *>(shared);
  const e2m1_tables tables = {fetched->plus, fetched->minus};
  const uint8_t *const b_lane = own_b + (g / 2 == t ? g * 16 : 128);
  const uint8_t *const scales_lane = own_scales + t * 16;
  const int bias[4] = {float_bias(), float_bias(), float_bias(), float_bias()};

#pragma unroll 1
  for (int group = first; group < last; ++group) {
    float sum[TILES][2] = {};
#pragma unroll 1
    for (int i = 0; i < CHUNKS; i += UNROLL) {
      const bool turn = i + UNROLL == CHUNKS, more = !turn || group + 1 < last;
      const source next = find(turn ? group + 1 : group, turn ? 0 : i + UNROLL);
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
        const uint4 k = stage16(b_lane + (i + u) * B_STEP);
        const float4 scale_b = *reinterpret_cast<const float4 *>(scales_lane + (i + u) * SCALES_STEP);
#pragma unroll
        for (int tile = 0; tile < TILES; ++tile)
          add_two_blocks(sum[tile], ahead[u].a[tile][0], ahead[u].a[tile][1], ahead[u].scales[tile][0],
                         ahead[u].scales[tile][1], k, scale_b, bias, tables);
        if (more)
          fetch(ahead[u], next, u);
      }
    }
#pragma unroll
    for (int r = 0; r < 2 * TILES; ++r) {
      float x = sum[r / 2][r % 2];
      x += __shfl_xor_sync(0xffffffffu, x, 1);
      x += __shfl_xor_sync(0xffffffffu, x, 2);
      if (t == 0)
        partial[((group - first) * WARPS + warp) * ROWS + r * 8 + g] = x;
    }
  }

  __syncthreads();
  for (int i = threadIdx.x; i < (last - first) * ROWS; i += 32 * WARPS) {
    const int row = first * ROWS + i;
    float x = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[(i / ROWS * WARPS + w) * ROWS + i % ROWS];
    if (row < M)
      c[batch * M + row] = __float2half(x);
  }
}
