//! id:         ours-5-shared-column
//! ladder:     ours
//! parent:     ours-4-early-b
//! change:     even and odd blocks have accumulators of their own and share B's registers; a code is two signed bytes, so that both halves share them too; B's scale takes the bias out
//! predicts:   inst < 0.7x; time < 0.98x; dram_bytes within 2%
//! cures:      issue-slots
//! param:      WARPS = 2 in {1, 2, 4, 8, 16}
//! param:      STAGES = 2 in {2, 3, 4, 6, 8}
//! param:      BLOCKS = 8 in {1, 2, 3, 4, 5, 6, 7, 8, 10}
//! param:      RAGGED = 0 in {0, 1}
//! when:       K % 256 != 0: RAGGED = 1
//! when:       K >= 16384: WARPS = 8, BLOCKS = 2
//! when:       K >= 4096: WARPS = 4, BLOCKS = 4
//! constants:  K
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 32, 1; swizzle = 128; l2 = 256
//! tensormap:  sfa_map = sfa; type = u8; dims = K % 256 ? 16 : K / 16, M, L; strides = K % 256 ? 16 : K / 16, K % 256 ? M * 16 : M * K / 16; box = 16, 32, 1; swizzle = 0; l2 = 256
//! needs:      sm >= 90
//! step:       kernel = gemv; grid = ceil(M / 32), L; block = 32 * WARPS; smem = 1024 + WARPS * (STAGES * (4096 + 512) + ceil(ceil(K / 256) / WARPS) * 416 + 128); args = a_map, sfa_map, b, sfa, sfb, c, M
//! accumulate: fp32
//! path:       1: TMA; prmt to bytes, mma.sync m16n8k32 s8 x s8
//! note:       parameters as in its parent; 21 configurations were swept on an H200 (2026-11-21), none was faster at all three shapes
//! note:       H200, 2026-11-21: 20.2 / 36.0 / 11.6 us where the read control took 16.2 / 31.0 / 9.3 and ours-4-early-b 20.3 / 35.5 / 11.9
//! note:       a fifth of the instructions went and the time did not follow: issue slots were not what bound its parent

#include "common/imma_blocks.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int K = SHAPE_K, ROWS = 32;
constexpr int UNIT_VALUES = 256, A_BYTES = UNIT_VALUES / 2, SF_BYTES = UNIT_VALUES / 16;
constexpr int UNITS = (K + UNIT_VALUES - 1) / UNIT_VALUES;
constexpr int A_SLOT = ROWS * A_BYTES, SIDE_SLOT = 512; /* beside A: its scales */
constexpr int MINE = (UNITS + WARPS - 1) / WARPS;       /* units of a warp, at most */
/* A chunk is the half of a unit: of each lane's four blocks of a row the first two, or the last two. */
constexpr int CHUNK_B = 144, CHUNK_SCALES = 64; /* B as bytes, and zeros; its scales as pairs of floats */
constexpr int WARP_BYTES = MINE * 2 * (CHUNK_B + CHUNK_SCALES) + 128; /* and barriers */

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const __grid_constant__ tensor_map a_map, const __grid_constant__ tensor_map sfa_map,
         const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa, const uint8_t *__restrict__ sfb,
         __half *__restrict__ c, int M) {
  extern __shared__ uint8_t shared[];
  uint8_t *const base = shared + (1024 - shared_address(shared) % 1024) % 1024;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int batch = blockIdx.y, row0 = blockIdx.x * ROWS;

  uint8_t *const ring = base + warp * STAGES * A_SLOT;
  uint8_t *const sides = base + WARPS * STAGES * A_SLOT + warp * STAGES * SIDE_SLOT;
  uint8_t *const own = base + WARPS * STAGES * (A_SLOT + SIDE_SLOT) + warp * WARP_BYTES;
  uint8_t *const scales_b = own + MINE * 2 * CHUNK_B, *const table = scales_b + MINE * 2 * CHUNK_SCALES;
  const uint32_t barriers = shared_address(table + 16);
  const uint8_t *const b_row = b + static_cast<int64_t>(batch) * PAD_ROWS * (K / 2);
  const uint8_t *const sfb_row = sfb + static_cast<int64_t>(batch) * PAD_ROWS * (K / 16);

  const auto issue = [&](int i) {
    const int unit = warp + i * WARPS, slot = i % STAGES;
    if (unit < UNITS && lane == 0) {
      const uint32_t barrier = barriers + slot * 8;
      barrier_expect(barrier, A_SLOT + (RAGGED ? 0 : ROWS * SF_BYTES));
      copy_box(shared_address(ring + slot * A_SLOT), &a_map, unit * A_BYTES, row0, batch, barrier);
      if (!RAGGED)
        copy_box(shared_address(sides + slot * SIDE_SLOT), &sfa_map, unit * SF_BYTES, row0, batch, barrier);
    }
  };

  if (lane == 0) {
#pragma unroll
    for (int i = 0; i < STAGES; ++i)
      barrier_init(barriers + i * 8);
    barrier_init_done();
  }
  if (lane == 0)
    *reinterpret_cast<e2m1_tables *>(table) = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  __syncwarp();
#pragma unroll
  for (int i = 0; i < STAGES - 1; ++i)
    issue(i);

  /* All of B that this warp needs, while the first of A is on its way. */
  uint32_t words[MINE], scale_words[MINE];
#pragma unroll
  for (int i = 0; i < MINE; ++i) {
    const int unit = warp + i * WARPS;
    words[i] = unit * UNIT_VALUES + lane * 8 < K ? load4(b_row + unit * A_BYTES + lane * 4) : 0;
    scale_words[i] = unit * UNIT_VALUES + lane / 8 * 64 < K ? load4(sfb_row + unit * SF_BYTES + lane / 8 * 4) : 0;
  }
#pragma unroll
  for (int i = 0; i < MINE; ++i) {
    /* A lane's word is half of block `block` of the unit; its place among the columns of its chunk. */
    const int block = lane / 2, place = block / 4 * 2 + block % 2;
    const split8 v = split_e2m1(words[i]);
    uint8_t *const chunk = own + (i * 2 + block / 2 % 2) * CHUNK_B, *const to = chunk + place * 16 + lane % 2 * 8;
    *reinterpret_cast<uint2 *>(to) = make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    if (lane < 2)
      *reinterpret_cast<uint4 *>(own + (i * 2 + lane) * CHUNK_B + 128) = make_uint4(0, 0, 0, 0);
    const float scale = two_scales(static_cast<uint16_t>(scale_words[i] >> 8 * (block % 4))).x;
    if (lane % 2 == 0)
      *reinterpret_cast<float2 *>(scales_b + (i * 2 + block / 2 % 2) * CHUNK_SCALES + place * 8) =
          scale_of_biased(scale);
  }
  __syncwarp();

  const volatile e2m1_tables *const fetched = reinterpret_cast<volatile e2m1_tables *>(table);
  const e2m1_tables tables = {fetched->plus, fetched->minus};
  const uint8_t *const b_lane = own + (g / 2 == t ? g * 16 : 128), *const scales_lane = scales_b + t * 16;
  const int bias[4] = {float_bias(), float_bias(), float_bias(), float_bias()};

  float sum[2][2] = {};
  int slot = 0, parity = 0;
  for (int i = 0; warp + i * WARPS < UNITS; ++i) {
    uint8_t *const side = sides + slot * SIDE_SLOT;
    const uint8_t *const rows_a = ring + slot * A_SLOT;
    barrier_wait(barriers + slot * 8, parity);
    __syncwarp();
    issue(i + STAGES - 1);
    if (RAGGED) {
      const int unit = warp + i * WARPS, row = min(row0 + lane, M - 1);
#pragma unroll
      for (int q = 0; q < 4; ++q)
        reinterpret_cast<uint32_t *>(side + lane * SF_BYTES)[q] =
            unit * UNIT_VALUES + q * 64 < K
                ? load4(sfa + (static_cast<int64_t>(batch) * M + row) * (K / 16) + unit * SF_BYTES + q * 4)
                : 0;
      __syncwarp();
    }
    uint32_t codes_a[2][2];
#pragma unroll
    for (int r = 0; r < 4; ++r)
      codes_a[r / 2][r % 2] = *reinterpret_cast<const uint32_t *>(side + (r * 8 + g) * SF_BYTES + t * 4);
#pragma unroll
    for (int chunk = 0; chunk < 2; ++chunk) {
      const uint4 k = stage16(b_lane + (i * 2 + chunk) * CHUNK_B);
      const float4 scale_b = *reinterpret_cast<const float4 *>(scales_lane + (i * 2 + chunk) * CHUNK_SCALES);
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
        const uint8_t *const rows = rows_a + (tile * 16 + g) * A_BYTES + ((2 * t + chunk) ^ g) * 16;
        add_two_blocks(sum[tile], stage16(rows), stage16(rows + 8 * A_BYTES),
                       static_cast<uint16_t>(codes_a[tile][0] >> (16 * chunk)),
                       static_cast<uint16_t>(codes_a[tile][1] >> (16 * chunk)), k, scale_b, bias, tables);
      }
    }
    slot = slot + 1 == STAGES ? 0 : slot + 1;
    parity ^= slot == 0;
  }

  __shared__ float partial[WARPS][ROWS];
  float mine = 0;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float x = sum[r / 2][r % 2];
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    x += __shfl_xor_sync(0xffffffffu, x, 2);
    mine = t == r ? x : mine;
  }
  partial[warp][t * 8 + g] = mine;
  __syncthreads();
  float x = 0;
  if (threadIdx.x < ROWS) {
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[w][threadIdx.x];
  }
  const int row = row0 + threadIdx.x;
  if (threadIdx.x < ROWS && row < M)
    c[static_cast<int64_t>(batch) * M + row] = __float2half(x);
}
