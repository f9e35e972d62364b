//! id:         ours-6-lines
//! ladder:     ours
//! parent:     ours-6-direct
//! change:     a warp loads whole lines: 128 bytes of each of 4 rows instead of 64 of 8
//! predicts:   time < 0.92x; inst within 8%; dram_bytes within 2%
//! cures:      long-scoreboard
//! param:      WARPS = 4 in {1, 2, 4, 7, 8, 16}
//! param:      TILES = 1 in {1, 2}
//! param:      UNROLL = 2 in {1, 2}
//! param:      PER_SM = 4 in {1, 2, 3, 4, 5, 6, 8, 10, 16, 32}
//! param:      BLOCKS = 4 in {1, 2, 3, 4, 5, 6, 7, 8}
//! when:       K > 8192: WARPS = 16, BLOCKS = 1, PER_SM = 1
//! when:       K > 4096: WARPS = 2, TILES = 2, BLOCKS = 8, PER_SM = 8
//! constants:  M, K
//! step:       kernel = gemv; grid = min(ceil(M / (8 * TILES)), ceil(sms * PER_SM / L)), L; block = 32 * WARPS; smem = 16 + WARPS * ceil(ceil(K / 512) / WARPS) * 832 + ceil(ceil(M / (8 * TILES)) / min(ceil(M / (8 * TILES)), ceil(sms * PER_SM / L))) * WARPS * TILES * 32
//! accumulate: fp32
//! path:       1: prmt to bytes, mma.sync m16n8k32 s8 x s8
//! note:       its parameters are the best of sweeps of 56 and 24 configurations on an H200; right shifts by multiplication instead of the ALU were no faster
//! note:       H200, 2026-11-21: 19.6 / 35.3 / 11.1 us

#include "common/imma_blocks.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K, ROWS = 8 * TILES;
/* A line is 256 values of K; a warp takes pieces of two, whose scales of a row are the 32 bytes that L2 hands out. */
constexpr int LINE_BYTES = 128, LINE_SCALES = 16, PIECE_LINES = 2;
constexpr int PIECES = (K + 511) / 512;
constexpr int LINES = (PIECES + WARPS - 1) / WARPS * PIECE_LINES; /* of a warp */
constexpr bool WHOLE = K % (256 * PIECE_LINES) == 0 && PIECES % WARPS == 0;
constexpr int GROUPS = (M + ROWS - 1) / ROWS;
/* Of a warp, a line: even blocks of B, odd ones and zeros; its scales as pairs of floats. */
constexpr int B_STEP = 288, B_ODD = 128, B_ZEROS = 256, SCALES_STEP = 128;
constexpr int WARP_B = LINES * B_STEP, WARP_SCALES = LINES * SCALES_STEP;
static_assert(PIECE_LINES % UNROLL == 0, "what is fetched together is of one piece");

struct step {
  uint4 a[TILES][2];
  uint16_t scales[TILES][2];
};

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int, int, int) {
  extern __shared__ __align__(16) uint8_t shared[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4, half = g % 2;
  const int64_t batch = blockIdx.y;
  const int first = GROUPS * blockIdx.x / gridDim.x, last = GROUPS * (blockIdx.x + 1) / gridDim.x;

  uint8_t *const own_b = shared + 16 + warp * WARP_B, *const own_scales =
                                                          shared + 16 + WARPS * WARP_B + warp * WARP_SCALES;
  float *const partial = reinterpret_cast<float *>(shared + 16 + WARPS * (WARP_B + WARP_SCALES));

  /* A warp's line number i is this line of the row. */
  const auto line_of = [&](int i) { return (i / PIECE_LINES * WARPS + warp) * PIECE_LINES + i % PIECE_LINES; };
  const uint8_t *const a_lane = a + batch * M * (K / 2) + half * 64 + t * 16, *const sfa_lane = sfa +
                                                                                                batch * M * (K / 16) +
                                                                                                half * 8 + t * 2;
  /* Lines i to i + UNROLL - 1 of a group of rows; u is which of them. */
  struct source {
    const uint8_t *a[2 * TILES], *scales[2 * TILES];
    int inside;
  };
  const auto find = [&](int group, int i) {
    source s;
    const int line = line_of(i), row0 = group * ROWS + g / 2;
    s.inside = K - line * 256 - half * 128 - t * 32;
#pragma unroll
    for (int r = 0; r < 2 * TILES; ++r) {
      const int row = M % ROWS == 0 ? row0 : min(row0 + 4 * r, M - 1), beyond = M % ROWS == 0 ? 4 * r : 0;
      s.a[r] = a_lane + (row * static_cast<int64_t>(K / 2) + line * LINE_BYTES) + beyond * (K / 2);
      s.scales[r] = sfa_lane + (row * static_cast<int64_t>(K / 16) + line * LINE_SCALES) + beyond * (K / 16);
    }
    return s;
  };
  const auto fetch = [&](step &to, const source &from, int u) {
#pragma unroll
    for (int r = 0; r < 2 * TILES; ++r) {
      if (WHOLE || u * 256 < from.inside) {
        to.a[r / 2][r % 2] = load16_once(from.a[r] + u * LINE_BYTES);
        to.scales[r / 2][r % 2] = __ldg(reinterpret_cast<const uint16_t *>(from.scales[r] + u * LINE_SCALES));
      } else {
        to.a[r / 2][r % 2] = make_uint4(0, 0, 0, 0);
        to.scales[r / 2][r % 2] = 0;
      }
    }
  };

  /* The warp's share of B is asked for before A, so that it does not wait behind all of the chip's first loads of A. */
  const uint8_t *const b_row = b + batch * PAD_ROWS * (K / 2), *const sfb_row = sfb + batch * PAD_ROWS * (K / 16);
  uint32_t words[LINES];
  uint8_t codes[LINES / 2];
#pragma unroll
  for (int i = 0; i < LINES; ++i)
    words[i] = WHOLE || line_of(i) * 256 + lane * 8 < K ? load4(b_row + line_of(i) * LINE_BYTES + lane * 4) : 0;
#pragma unroll
  for (int i = 0; i < LINES / 2; ++i) {
    const int block = line_of(2 * i) * LINE_SCALES + lane;
    codes[i] = WHOLE || block * 16 < K ? __ldg(sfb_row + block) : 0;
  }

  step ahead[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
    fetch(ahead[u], find(first, 0), u);

    /* A lane's word is half of a block of its line. */
#pragma unroll
  for (int i = 0; i < LINES; ++i) {
    const int block = lane / 2;
    const split8 v = split_e2m1(words[i]);
    *reinterpret_cast<uint2 *>(own_b + i * B_STEP + block % 2 * B_ODD + (block % 8 / 2 * 2 + block / 8) * 16 +
                               lane % 2 * 8) =
        make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    if (lane < 2)
      *reinterpret_cast<uint4 *>(own_b + i * B_STEP + B_ZEROS + lane * 16) = make_uint4(0, 0, 0, 0);
  }
#pragma unroll
  for (int i = 0; i < LINES / 2; ++i) {
    const int block = lane % 16;
    *reinterpret_cast<float2 *>(own_scales + (2 * i + lane / 16) * SCALES_STEP + (block % 8 / 2 * 2 + block / 8) * 16 +
                                block % 2 * 8) = scale_of_biased(two_scales(codes[i]).x);
  }
  if (threadIdx.x == 0)
    *reinterpret_cast<e2m1_tables *>(shared) = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  __syncthreads();

  const volatile e2m1_tables *const fetched = reinterpret_cast<volatile e2m1_tables *>(shared);
  const e2m1_tables tables = {fetched->plus, fetched->minus};
  /* Lanes that hold no column read zeros for both kinds of block. */
  const uint8_t *const even_lane = own_b + (g / 2 == t ? g * 16 : B_ZEROS), *const odd_lane =
                                                                                own_b + (g / 2 == t ? B_ODD + g * 16
                                                                                                    : B_ZEROS + 16);
  const uint8_t *const scales_lane = own_scales + (2 * t + half) * 16;
  const int bias[4] = {float_bias(), float_bias(), float_bias(), float_bias()};

#pragma unroll 1
  for (int group = first; group < last; ++group) {
    float sum[TILES][2] = {};
#pragma unroll 1
    for (int i = 0; i < LINES; i += UNROLL) {
      const bool turn = i + UNROLL == LINES, more = !turn || group + 1 < last;
      const source next = find(turn ? group + 1 : group, turn ? 0 : i + UNROLL);
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
        const uint4 b_even = stage16(even_lane + (i + u) * B_STEP), b_odd = stage16(odd_lane + (i + u) * B_STEP);
        const float4 scale_b = *reinterpret_cast<const float4 *>(scales_lane + (i + u) * SCALES_STEP);
#pragma unroll
        for (int tile = 0; tile < TILES; ++tile)
          add_two_blocks_of_line(sum[tile], ahead[u].a[tile][0], ahead[u].a[tile][1], ahead[u].scales[tile][0],
                                 ahead[u].scales[tile][1], b_even, b_odd, scale_b, bias, tables, half);
        if (more)
          fetch(ahead[u], next, u);
      }
    }
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile) {
      /* Lanes of the first half keep the upper row, those of the second the lower one. */
      float x = half ? sum[tile][1] : sum[tile][0];
      x += __shfl_xor_sync(0xffffffffu, half ? sum[tile][0] : sum[tile][1], 4);
      x += __shfl_xor_sync(0xffffffffu, x, 1);
      x += __shfl_xor_sync(0xffffffffu, x, 2);
      if (t == 0)
        partial[((group - first) * WARPS + warp) * ROWS + tile * 8 + half * 4 + g / 2] = x;
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
