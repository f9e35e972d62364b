//! id:         ours-3-queue
//! ladder:     ours
//! parent:     ours-3-tma
//! side:       yes
//! change:     a queue of pieces of work, for warps that stay until it is empty
//! predicts:   time < 0.95x
//! cures:      tail
//! param:      WARPS = 4 in {1, 2, 4, 8}
//! param:      STAGES = 2 in {2, 3, 4}
//! param:      BLOCKS = 4 in {1, 2, 3, 4, 5, 8}
//! param:      PARTS = 16 in {1, 2, 4, 8, 16}
//! param:      RAGGED = 0 in {0, 1}
//! when:       K % 256 != 0: RAGGED = 1
//! when:       K < 16384: PARTS = 4
//! constants:  K
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 32, 1; swizzle = 128; l2 = 256
//! tensormap:  sfa_map = sfa; type = u8; dims = K % 256 ? 16 : K / 16, M, L; strides = K % 256 ? 16 : K / 16, K % 256 ? M * 16 : M * K / 16; box = 16, 32, 1; swizzle = 0; l2 = 256
//! scratch:    sums = ceil(M / 32) * 32 * L * 4; fill = 0
//! scratch:    counts = (ceil(M / 32) * L + 2) * 4; fill = 0
//! needs:      sm >= 90
//! step:       kernel = gemv; grid = sms * BLOCKS; block = 32 * WARPS; smem = 1024 + WARPS * (STAGES * (4096 + 768) + 512); args = a_map, sfa_map, b, sfa, sfb, c, sums, counts, M, L
//! accumulate: fp32
//! path:       1: TMA; prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       its predicts was written after its first measurement on an H200, so it tests the rung no more than a repetition would
//! note:       its parameters are the best of a sweep on an H200 at the benchmark shapes: 18 of them
//! note:       every task pays an atomic for its place in the queue and a fence and two atomics for its sums

#include "common/imma.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int K = SHAPE_K, ROWS = 32;
constexpr int UNIT_VALUES = 256, A_BYTES = UNIT_VALUES / 2, SF_BYTES = UNIT_VALUES / 16;
constexpr int UNITS = (K + UNIT_VALUES - 1) / UNIT_VALUES;
/* A task is a part of the units of one group of 32 rows. */
constexpr int TASK_UNITS = (UNITS + PARTS - 1) / PARTS, GROUP_TASKS = (UNITS + TASK_UNITS - 1) / TASK_UNITS;
constexpr int A_SLOT = ROWS * A_BYTES, SIDE_SLOT = 768; /* beside A: its scales, B, its scales */
constexpr int B_AT = ROWS * SF_BYTES, SFB_AT = B_AT + A_BYTES;
constexpr int WARP_BYTES = 512; /* B's unit as bytes, zeros, barriers */

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const __grid_constant__ tensor_map a_map, const __grid_constant__ tensor_map sfa_map,
         const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa, const uint8_t *__restrict__ sfb,
         __half *__restrict__ c, float *sums, int *counts, int M, int L) {
  extern __shared__ uint8_t shared[];
  uint8_t *const base = shared + (1024 - shared_address(shared) % 1024) % 1024;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int groups = (M + ROWS - 1) / ROWS, tasks = groups * L * GROUP_TASKS;
  int *const queue = counts + groups * L, *const gone = queue + 1;

  uint8_t *const ring = base + warp * STAGES * A_SLOT;
  uint8_t *const sides = base + WARPS * STAGES * A_SLOT + warp * STAGES * SIDE_SLOT;
  uint8_t *const own = base + WARPS * STAGES * (A_SLOT + SIDE_SLOT) + warp * WARP_BYTES;
  uint8_t *const decoded = own, *const zeros = own + UNIT_VALUES;
  const uint32_t barriers = shared_address(own + UNIT_VALUES + 16);
  int *const slot_task = reinterpret_cast<int *>(
      own + UNIT_VALUES + 16 + 64); /* what a slot holds: its group, and whether its task ends there; -1: no more */

  /* Lane 0 asks: one task ahead of the one whose units it is asking for. */
  int task = 0, next = 0, unit = 0, unit_end = 0, ask_slot = 0;
  if (lane == 0)
    next = atomicAdd(queue, 1);
  const auto issue = [&]() {
    if (lane == 0) {
      if (unit == unit_end) {
        task = next;
        unit = task % GROUP_TASKS * TASK_UNITS;
        unit_end = min(unit + TASK_UNITS, UNITS);
        if (task < tasks)
          next = atomicAdd(queue, 1);
      }
      if (task >= tasks) {
        slot_task[ask_slot] = -1;
      } else {
        const int group = task / GROUP_TASKS, batch = group / groups, row0 = group % groups * ROWS;
        const uint32_t barrier = barriers + ask_slot * 8, a_to = shared_address(ring + ask_slot * A_SLOT),
                       side = shared_address(sides + ask_slot * SIDE_SLOT);
        const int bytes = A_SLOT + (RAGGED ? 0 : ROWS * SF_BYTES + A_BYTES + SF_BYTES);
        slot_task[ask_slot] = group * 2 + (unit + 1 == unit_end);
        barrier_expect(barrier, bytes);
        copy_box(a_to, &a_map, unit * A_BYTES, row0, batch, barrier);
        if (!RAGGED) {
          copy_box(side, &sfa_map, unit * SF_BYTES, row0, batch, barrier);
          copy_bulk(side + B_AT, b + static_cast<int64_t>(batch) * PAD_ROWS * (K / 2) + unit * A_BYTES, A_BYTES,
                    barrier);
          copy_bulk(side + SFB_AT, sfb + static_cast<int64_t>(batch) * PAD_ROWS * (K / 16) + unit * SF_BYTES, SF_BYTES,
                    barrier);
        } else {
          slot_task[STAGES + ask_slot] = unit;
        }
        ++unit;
      }
      ask_slot = ask_slot + 1 == STAGES ? 0 : ask_slot + 1;
    }
  };

  if (lane == 0) {
#pragma unroll
    for (int i = 0; i < STAGES; ++i)
      barrier_init(barriers + i * 8);
    barrier_init_done();
  }
  if (lane < 4)
    reinterpret_cast<uint32_t *>(zeros)[lane] = 0;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < STAGES - 1; ++i)
    issue();
  __syncwarp();

  /* Column g of B is block g of a chunk and zero elsewhere: only the lanes whose own blocks are g hold anything. */
  const uint8_t *const even = g == 2 * t ? decoded + t * 64 : zeros, *const odd =
                                                                         g == 2 * t + 1 ? decoded + t * 64 + 16 : zeros;
  const int even_step = g == 2 * t ? 32 : 0, odd_step = g == 2 * t + 1 ? 32 : 0;

  float sum[2][2] = {};
  int slot = 0, parity = 0;
  for (int held; (held = slot_task[slot]) >= 0;) {
    uint8_t *const side = sides + slot * SIDE_SLOT;
    const uint8_t *const rows_a = ring + slot * A_SLOT;
    barrier_wait(barriers + slot * 8, parity);
    __syncwarp();
    issue();
    if (RAGGED) {
      const int held_unit = slot_task[STAGES + slot], batch = held / 2 / groups, row0 = held / 2 % groups * ROWS;
      const uint8_t *const b_row = b + static_cast<int64_t>(batch) * PAD_ROWS * (K / 2), *const sfb_row =
                                                                                             sfb + static_cast<int64_t>(
                                                                                                       batch) *
                                                                                                       PAD_ROWS *
                                                                                                       (K / 16);
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const bool inside = held_unit * UNIT_VALUES + part * 64 < K;
        const int row = min(row0 + lane, M - 1);
        reinterpret_cast<uint32_t *>(side + lane * SF_BYTES)[part] =
            inside ? load4(sfa + (static_cast<int64_t>(batch) * M + row) * (K / 16) + held_unit * SF_BYTES + part * 4)
                   : 0;
        if (lane == part)
          reinterpret_cast<uint32_t *>(side + SFB_AT)[part] =
              inside ? load4(sfb_row + held_unit * SF_BYTES + part * 4) : 0;
      }
      reinterpret_cast<uint32_t *>(side + B_AT)[lane] =
          held_unit * UNIT_VALUES + lane * 8 < K ? load4(b_row + held_unit * A_BYTES + lane * 4) : 0;
      __syncwarp();
    }
    const split8 v = split_e2m1(*reinterpret_cast<const uint32_t *>(side + B_AT + lane * 4));
    *reinterpret_cast<uint2 *>(decoded + lane * 8) =
        make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    __syncwarp();
    const uint32_t codes_b = *reinterpret_cast<const uint32_t *>(side + SFB_AT + t * 4);
    uint32_t codes_a[2][2];
#pragma unroll
    for (int r = 0; r < 4; ++r)
      codes_a[r / 2][r % 2] = *reinterpret_cast<const uint32_t *>(side + (r * 8 + g) * SF_BYTES + t * 4);
#pragma unroll
    for (int chunk = 0; chunk < 2; ++chunk) {
      const uint4 k0 = *reinterpret_cast<const uint4 *>(even + chunk * even_step),
                  k1 = *reinterpret_cast<const uint4 *>(odd + chunk * odd_step);
      const uint32_t kk[8] = {k0.x, k0.y, k0.z, k0.w, k1.x, k1.y, k1.z, k1.w};
      const float2 scale_b = two_scales(static_cast<uint16_t>(codes_b >> (16 * chunk)));
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
        const uint8_t *const rows = rows_a + (tile * 16 + g) * A_BYTES + ((2 * t + chunk) ^ g) * 16;
        const uint4 upper = stage16(rows), lower = stage16(rows + 8 * A_BYTES);
        int plus[4], minus[4];
        const uint32_t up[4] = {upper.x, upper.y, upper.z, upper.w}, low[4] = {lower.x, lower.y, lower.z, lower.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const split8 x = split_e2m1(up[j]), y = split_e2m1(low[j]);
          if (j == 0) {
            imma_first(plus, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, kk[0], kk[1], float_bias());
            imma_first(minus, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, kk[0], kk[1], 0);
          } else {
            imma_16x8x32(plus, x.plus_lo, y.plus_lo, x.plus_hi, y.plus_hi, kk[2 * j], kk[2 * j + 1]);
            imma_16x8x32(minus, x.minus_lo, y.minus_lo, x.minus_hi, y.minus_hi, kk[2 * j], kk[2 * j + 1]);
          }
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float2 scale_a = two_scales(static_cast<uint16_t>(codes_a[tile][half] >> (16 * chunk)));
          sum[tile][half] += float_of_biased(plus[2 * half] - minus[2 * half]) * (scale_a.x * scale_b.x);
          sum[tile][half] += float_of_biased(plus[2 * half + 1] - minus[2 * half + 1]) * (scale_a.y * scale_b.y);
        }
      }
    }
    slot = slot + 1 == STAGES ? 0 : slot + 1;
    parity ^= slot == 0;
    if (held % 2) {
      /* The task's sums: lane 4g+t keeps row 8t+g. */
      const int group = held / 2, batch = group / groups, row = group % groups * ROWS + t * 8 + g;
      float mine = 0;
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        float x = sum[r / 2][r % 2];
        x += __shfl_xor_sync(0xffffffffu, x, 1);
        x += __shfl_xor_sync(0xffffffffu, x, 2);
        mine = t == r ? x : mine;
        sum[r / 2][r % 2] = 0;
      }
      bool last = GROUP_TASKS == 1;
      if (!last) {
        float *const place = sums + group * ROWS + lane;
        atomicAdd(place, mine);
        __threadfence();
        __syncwarp();
        int before = 0;
        if (lane == 0)
          before = atomicAdd(counts + group, 1);
        last = __shfl_sync(0xffffffffu, before, 0) == GROUP_TASKS - 1;
        if (last) {
          __threadfence();
          mine = __ldcg(place);
          *place = 0; /* as the next launch must find it */
          if (lane == 0)
            counts[group] = 0;
        }
      }
      if (last && row < M)
        c[static_cast<int64_t>(batch) * M + row] = __float2half(mine * IMMA_SCALE);
    }
    __syncwarp();
  }
  if (lane == 0 && atomicAdd(gone, 1) == static_cast<int>(gridDim.x) * WARPS - 1) {
    *queue = 0;
    *gone = 0;
  }
}
