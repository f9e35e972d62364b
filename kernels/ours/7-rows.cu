//! id:         ours-7-rows
//! ladder:     ours
//! parent:     ours-5-shared-column
//! side:       yes
//! change:     one warp of a block that stays asks for runs of whole rows, tens of KB at a time; lanes read lines of 128 bytes of 8 rows
//! predicts:   time < 0.9x; dram_bytes within 2%; l2_read_bytes < 0.9x
//! cures:      long-scoreboard
//! param:      WARPS = 16 in {4, 7, 8, 14, 16}
//! param:      K_WARPS = 8 in {1, 2, 4, 7, 8, 14, 16}
//! param:      ROWS = 16 in {8, 16, 32}
//! param:      SEGMENTS = 1 in {1, 2, 4}
//! param:      STAGES = 6 in {2, 3, 4, 5, 6, 8, 10}
//! param:      PER_SM = 1 in {1, 2}
//! when:       K >= 16384: K_WARPS = 16, ROWS = 8, SEGMENTS = 2, STAGES = 5
//! when:       K == 7168: WARPS = 7, K_WARPS = 7, ROWS = 8, STAGES = 3, PER_SM = 2
//! when:       K > 2048: STAGES = 2
//! constants:  M, K
//! needs:      sm >= 90 && M % 8 == 0 && K % 32 == 0
//! step:       kernel = gemv; grid = min(ceil(M / ROWS), ceil((sms * PER_SM - L + 1) / L)), L; block = 32 * WARPS + 32; smem = 256 + ceil(K / 256) * 416 + STAGES * ROWS * K / 2 / SEGMENTS + (ceil((STAGES - 1) / SEGMENTS) + 1) * ROWS * K / 16 + ceil(ceil(M / ROWS) / min(ceil(M / ROWS), ceil((sms * PER_SM - L + 1) / L))) * ROWS * K_WARPS * 4
//! accumulate: fp32
//! path:       1: bulk copies; prmt to bytes, mma.sync m16n8k32 s8 x s8
//! note:       its parameters are the best of a sweep of 47 on an H200
//! note:       H200, 2026-11-21: 20.7 / 35.4 / 12.9 us; its copies alone took 16.8 / 30.7 / 9.5, within 5 % of the read control at each shape (K_WARPS = 7 at the second,
//!             WARPS = 8 at the third), and its arithmetic alone, on what lay in shared memory, 20.4 / 33.5 / 11.9 (WARPS = 14, STAGES = 6, PER_SM = 1 at the second): arithmetic binds
//! note:       its copies with one matrix instruction a line: the clock fell from 1.974 to 1.889 GHz and the time rose by 0.3 to 0.4 us; so any use of the tensor cores
//!             costs 5 % of the clock, but little of the 4 us between its copies and the whole

#include "common/imma_blocks.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K, GROUPS = (M + ROWS - 1) / ROWS;
/* A line is 256 values: 128 bytes of a row, 16 scales. */
constexpr int LINE_VALUES = 256, LINE_BYTES = 128, LINE_SCALES = 16, LINES = (K + LINE_VALUES - 1) / LINE_VALUES;
/* Of B, a line: even blocks, odd blocks and zeros; its scales as pairs of floats. */
constexpr int B_STEP = 288, B_ODD = 128, B_ZEROS = 256, SCALES_STEP = 128;
/* A slot of the ring holds a segment of ROWS rows.  Scales come for whole rows, with the first segment, into slots of their own: as many as can be in use. */
constexpr int SEGMENT_BYTES = K / 2 / SEGMENTS, SEGMENT_LINES = (LINES + SEGMENTS - 1) / SEGMENTS;
constexpr int SLOT = ROWS * SEGMENT_BYTES, SCALE_SLOT = ROWS * (K / 16);
constexpr int SCALE_SLOTS = (STAGES - 1 + SEGMENTS - 1) / SEGMENTS + 1;
constexpr int TILES = ROWS / 8, ROW_WARPS = WARPS / K_WARPS, WARP_TILES = (TILES + ROW_WARPS - 1) / ROW_WARPS;
static_assert(SEGMENTS == 1 || K % (LINE_VALUES * SEGMENTS) == 0, "a segment is whole lines");
static_assert(STAGES <= 15, "the barriers have 256 bytes");

extern "C" __global__ void __launch_bounds__(32 * WARPS + 32, PER_SM)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int, int, int) {
  extern __shared__ __align__(128) uint8_t shared[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t batch = blockIdx.y;
  const int first = GROUPS * blockIdx.x / gridDim.x, last = GROUPS * (blockIdx.x + 1) / gridDim.x;
  const int units = (last - first) * SEGMENTS;

  const uint32_t full = shared_address(shared), empty = full + 8 * STAGES;
  uint8_t *const tables_at = shared + 240;
  uint8_t *const ring = shared + 256, *const scale_ring = ring + STAGES * SLOT;
  uint8_t *const b_bytes = scale_ring + SCALE_SLOTS * SCALE_SLOT, *const b_scales = b_bytes + LINES * B_STEP;
  float *const partial = reinterpret_cast<float *>(b_scales + LINES * SCALES_STEP);

  if (threadIdx.x == 32 * WARPS) {
#pragma unroll
    for (int i = 0; i < STAGES; ++i) {
      barrier_init(full + 8 * i);
      barrier_init_count(empty + 8 * i, WARPS);
    }
    barrier_init_done();
  }

  if (warp == WARPS) {
    __syncwarp();
    /* The first units need no empty slot and wait for nobody. */
    for (int unit = 0; unit < units; ++unit) {
      const int slot = unit % STAGES, segment = unit % SEGMENTS, group = first + unit / SEGMENTS;
      const int rows = min(ROWS, M - group * ROWS);
      const int64_t row = batch * M + group * ROWS;
      if (unit == STAGES)
        __syncthreads();
      if (unit >= STAGES)
        barrier_wait(empty + 8 * slot, (unit / STAGES - 1) & 1);
      const uint32_t to = shared_address(ring + slot * SLOT);
      if (lane == 0) {
        barrier_expect(full + 8 * slot, rows * (SEGMENT_BYTES + (segment == 0 ? K / 16 : 0)));
        if (segment == 0)
          copy_bulk(shared_address(scale_ring + unit / SEGMENTS % SCALE_SLOTS * SCALE_SLOT), sfa + row * (K / 16),
                    rows * (K / 16), full + 8 * slot);
        if (SEGMENTS == 1)
          copy_bulk(to, a + row * (K / 2), rows * SEGMENT_BYTES, full + 8 * slot);
      }
      __syncwarp();
      if (SEGMENTS > 1 && lane < rows)
        copy_bulk(to + lane * SEGMENT_BYTES, a + (row + lane) * (K / 2) + segment * SEGMENT_BYTES, SEGMENT_BYTES,
                  full + 8 * slot);
    }
    if (units <= STAGES)
      __syncthreads();
    __syncthreads();
    return;
  }

  /* All of B, while the first of A is on its way. */
  const uint8_t *const b_row = b + batch * PAD_ROWS * (K / 2), *const sfb_row = sfb + batch * PAD_ROWS * (K / 16);
  for (int i = threadIdx.x; i < LINES * LINE_VALUES / 8; i += 32 * WARPS) {
    const int line = i / 32, block = i % 32 / 2, half = block / 8, t = block % 8 / 2;
    const split8 v = split_e2m1(i * 8 < K ? load4(b_row + i * 4) : 0);
    uint8_t *const to = b_bytes + line * B_STEP + block % 2 * B_ODD + (2 * t + half) * 16 + i % 2 * 8;
    *reinterpret_cast<uint2 *>(to) = make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
  }
  for (int i = threadIdx.x; i < LINES * LINE_SCALES; i += 32 * WARPS) {
    const int line = i / LINE_SCALES, block = i % LINE_SCALES, half = block / 8, t = block % 8 / 2;
    const float scale = i * 16 < K ? two_scales(__ldg(sfb_row + i)).x : 0;
    *reinterpret_cast<float2 *>(b_scales + line * SCALES_STEP + (2 * t + half) * 16 + block % 2 * 8) =
        scale_of_biased(scale);
  }
  for (int i = threadIdx.x; i < LINES * 2; i += 32 * WARPS)
    *reinterpret_cast<uint4 *>(b_bytes + i / 2 * B_STEP + B_ZEROS + i % 2 * 16) = make_uint4(0, 0, 0, 0);
  if (threadIdx.x == 0)
    *reinterpret_cast<e2m1_tables *>(tables_at) = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  __syncthreads();

  const volatile e2m1_tables *const fetched = reinterpret_cast<volatile e2m1_tables *>(tables_at);
  const e2m1_tables tables = {fetched->plus, fetched->minus};
  const int g = lane / 4, t = lane % 4, half = g % 2;
  const int warp_k = warp % K_WARPS, warp_row = warp / K_WARPS;
  /* Lanes that hold no column read zeros for both kinds of block. */
  const uint8_t *const even_lane = b_bytes + (g / 2 == t ? g * 16 : B_ZEROS), *const odd_lane =
                                                                                  b_bytes + (g / 2 == t ? B_ODD + g * 16
                                                                                                        : B_ZEROS + 16);
  const uint8_t *const scales_lane = b_scales + (2 * t + half) * 16;
  const int a_lane = g / 2 * SEGMENT_BYTES + half * 64 + t * 16, sfa_lane = g / 2 * (K / 16) + half * 8 + t * 2;
  const int bias[4] = {float_bias(), float_bias(), float_bias(), float_bias()};

  float sum[WARP_TILES][2] = {};
  int slot = 0, parity = 0, segment = 0, scale_slot = 0;
  float *to = partial + warp_k * 8 + g / 2 + half * 4;
#pragma unroll 1
  for (int unit = 0; unit < units; ++unit) {
    barrier_wait(full + 8 * slot, parity);
    const uint8_t *const rows_a = ring + slot * SLOT + a_lane;
    const uint8_t *const rows_scales = scale_ring + scale_slot * SCALE_SLOT + sfa_lane;
#pragma unroll
    for (int i = 0; i < (SEGMENT_LINES + K_WARPS - 1) / K_WARPS; ++i) {
      const int line = i * K_WARPS + warp_k, of_row = segment * SEGMENT_LINES + line;
      if (SEGMENT_LINES % K_WARPS == 0 || line < SEGMENT_LINES) {
        const uint4 b_even = stage16(even_lane + of_row * B_STEP), b_odd = stage16(odd_lane + of_row * B_STEP);
        const float4 scale_b = *reinterpret_cast<const float4 *>(scales_lane + of_row * SCALES_STEP);
        /* B is zero beyond K, but the scales there need not be numbers. */
        const bool inside = K % LINE_VALUES == 0 || of_row * LINE_VALUES + half * 128 + t * 32 < K;
#pragma unroll
        for (int tile = 0; tile < WARP_TILES; ++tile) {
          const int row = (warp_row + tile * ROW_WARPS) * 8;
          if (TILES % ROW_WARPS != 0 && row >= ROWS)
            break;
          const uint8_t *const at = rows_a + row * SEGMENT_BYTES + line * LINE_BYTES;
          const uint8_t *const scales = rows_scales + row * (K / 16) + of_row * LINE_SCALES;
          const uint16_t above = *reinterpret_cast<const uint16_t *>(scales),
                         below = *reinterpret_cast<const uint16_t *>(scales + 4 * (K / 16));
          add_two_blocks_of_line(sum[tile], stage16(at), stage16(at + 4 * SEGMENT_BYTES), inside ? above : 0,
                                 inside ? below : 0, b_even, b_odd, scale_b, bias, tables, half);
        }
      }
    }
    __syncwarp();
    if (lane == 0)
      barrier_arrive(empty + 8 * slot);
    slot = slot + 1 == STAGES ? 0 : slot + 1;
    parity ^= slot == 0;
    if (++segment == SEGMENTS) {
      segment = 0;
      scale_slot = scale_slot + 1 == SCALE_SLOTS ? 0 : scale_slot + 1;
#pragma unroll
      for (int tile = 0; tile < WARP_TILES; ++tile) {
        /* Lanes of the first half keep the upper row, those of the second the lower one. */
        float x = half ? sum[tile][1] : sum[tile][0];
        x += __shfl_xor_sync(0xffffffffu, half ? sum[tile][0] : sum[tile][1], 4);
        x += __shfl_xor_sync(0xffffffffu, x, 1);
        x += __shfl_xor_sync(0xffffffffu, x, 2);
        const int row = warp_row + tile * ROW_WARPS;
        if (t == 0 && (TILES % ROW_WARPS == 0 || row < TILES))
          to[row * K_WARPS * 8] = x;
        sum[tile][0] = sum[tile][1] = 0;
      }
      to += TILES * K_WARPS * 8;
    }
  }

  __syncthreads();
  for (int i = threadIdx.x; i < (last - first) * ROWS; i += 32 * WARPS) {
    const int row = first * ROWS + i;
    float x = 0;
#pragma unroll
    for (int k = 0; k < K_WARPS; ++k)
      x += partial[(i / 8 * K_WARPS + k) * 8 + i % 8];
    if (row < M)
      c[batch * M + row] = __float2half(x);
  }
}
