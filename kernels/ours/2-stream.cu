//! id:         ours-2-stream
//! ladder:     ours
//! parent:     ours-2-ring
//! side:       yes
//! change:     the work cut evenly over warps that fill the chip once, whole rows or not; shared rows are summed by atomics
//! predicts:   time < 0.9x
//! cures:      tail
//! param:      WARPS = 8 in {1, 2, 4, 8, 12, 16}
//! param:      STAGES = 2 in {2, 3, 4}
//! param:      BLOCKS = 1 in {1, 2, 3, 4}
//! param:      SCALE_BYTES = 4 in {4, 16}
//! param:      SCALE_CA = 1 in {0, 1}
//! param:      RAGGED = 1 in {0, 1}
//! when:       K % 256 == 0 && M >= 32: SCALE_BYTES = 16, RAGGED = 0
//! constants:  K
//! scratch:    sums = ceil(M / 32) * 32 * L * 4; fill = 0
//! scratch:    done = ceil(M / 32) * L * 4; fill = 0
//! step:       kernel = gemv; grid = sms * BLOCKS; block = 32 * WARPS; smem = WARPS * (STAGES * 33 * 144 + 272); args = a, b, sfa, sfb, c, sums, done, M, L
//! accumulate: fp32
//! path:       1: cp.async; prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       its predicts was written after its first measurement on an H200, so it tests the rung no more than a repetition would
//! note:       its parameters are the best of a sweep on an H200 at the benchmark shapes: 15 of them, 33 with its forerunner
//! note:       faster at the first benchmark shape, slower at the other two; fences, atomics and the even cut were not told apart

#include "common/imma.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

/* The unit of work is 256 values of K of 32 rows: 128 bytes of A and 16 scales a row, and the same of B. */
constexpr int K = SHAPE_K, ROWS = 32;
constexpr int UNIT_VALUES = 256, A_BYTES = UNIT_VALUES / 2, SF_BYTES = UNIT_VALUES / 16;
constexpr int UNITS = (K + UNIT_VALUES - 1) / UNIT_VALUES; /* a group of rows */
constexpr int SLOT_BYTES = (ROWS + 1) * (A_BYTES + SF_BYTES);
/* A row's scales lie behind its bytes: the stride of 144 keeps a warp's 16-byte reads apart in the banks. */
constexpr int ROW_BYTES = A_BYTES + SF_BYTES, B_AT = ROWS * ROW_BYTES;

template <int BYTES, bool CACHED = false>
static __device__ __forceinline__ void copy_async(uint32_t to, const uint8_t *from, bool inside) {
  if (RAGGED) {
    const int bytes = inside ? BYTES : 0;
    if (BYTES == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  } else if (BYTES == 16 && CACHED)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else if (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, float *sums, int *done, int M, int L) {
  extern __shared__ __align__(16) uint8_t shared[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int g = lane / 4, t = lane % 4;
  const int groups = (M + ROWS - 1) / ROWS; /* a batch */
  const int64_t all = static_cast<int64_t>(groups) * L * UNITS;
  const int warps = gridDim.x * WARPS, me = blockIdx.x * WARPS + warp;
  const int begin = static_cast<int>(all * me / warps), end = static_cast<int>(all * (me + 1) / warps);

  uint8_t *const ring = shared + warp * (STAGES * SLOT_BYTES + UNIT_VALUES + 16);
  uint8_t *const decoded = ring + STAGES * SLOT_BYTES, *const zeros = decoded + UNIT_VALUES;
  const uint32_t ring_address = static_cast<uint32_t>(__cvta_generic_to_shared(ring));
  const uint32_t a_to = lane / 8 * ROW_BYTES + lane % 8 * 16;

  /* The next unit to ask for, and where its rows begin. */
  int ask = begin, ask_unit = begin % UNITS, ask_group = begin / UNITS, ask_slot = 0;
  const uint8_t *a_from, *sfa_from, *b_from, *sfb_from;
  const auto find_rows = [&]() {
    const int batch = ask_group / groups, first = ask_group % groups * ROWS;
    const int row0 = RAGGED ? first : min(first, M - ROWS);
    const int64_t row = static_cast<int64_t>(batch) * M + row0;
    a_from = a + (row + (RAGGED ? 0 : lane / 8)) * (K / 2) + lane % 8 * 16;
    sfa_from = sfa + (row + (RAGGED ? 0 : lane)) * (K / 16);
    b_from = b + static_cast<int64_t>(batch) * PAD_ROWS * (K / 2) + lane % 8 * 16;
    sfb_from = sfb + static_cast<int64_t>(batch) * PAD_ROWS * (K / 16) + lane % 8 * SCALE_BYTES;
  };
  const auto issue = [&]() {
    if (ask < end) {
      const uint32_t to = ring_address + ask_slot * SLOT_BYTES;
      const int first = ask_unit * UNIT_VALUES;
      const int last_row = RAGGED ? M - 1 - ask_group % groups * ROWS : 0;
#pragma unroll
      for (int q = 0; q < ROWS / 4; ++q) {
        const int64_t row = RAGGED ? static_cast<int64_t>(min(q * 4 + lane / 8, last_row)) : q * 4;
        copy_async<16>(to + a_to + q * 4 * ROW_BYTES, a_from + row * (K / 2) + ask_unit * A_BYTES,
                       first + lane % 8 * 32 < K);
      }
      if (RAGGED) {
#pragma unroll
        for (int q = 0; q < ROWS * SF_BYTES / SCALE_BYTES / 32; ++q) {
          const int copy = q * 32 + lane, row = copy / (SF_BYTES / SCALE_BYTES), part = copy % (SF_BYTES / SCALE_BYTES);
          copy_async<SCALE_BYTES>(to + row * ROW_BYTES + A_BYTES + part * SCALE_BYTES,
                                  sfa_from + static_cast<int64_t>(min(row, last_row)) * (K / 16) + ask_unit * SF_BYTES +
                                      part * SCALE_BYTES,
                                  first + part * SCALE_BYTES * 16 < K);
        }
      } else {
        copy_async<SCALE_BYTES, SCALE_CA>(to + lane * ROW_BYTES + A_BYTES, sfa_from + ask_unit * SF_BYTES, true);
      }
      if (lane < 8)
        copy_async<16>(to + B_AT + lane * 16, b_from + ask_unit * A_BYTES, first + lane * 32 < K);
      else if (lane - 8 < SF_BYTES / SCALE_BYTES)
        copy_async<SCALE_BYTES>(to + B_AT + A_BYTES + (lane - 8) * SCALE_BYTES, sfb_from + ask_unit * SF_BYTES,
                                first + (lane - 8) * SCALE_BYTES * 16 < K);
      ++ask;
      ask_slot = ask_slot + 1 == STAGES ? 0 : ask_slot + 1;
      if (++ask_unit == UNITS) {
        ask_unit = 0;
        ++ask_group;
        find_rows();
      }
    }
    copy_commit();
  };

  find_rows();
#pragma unroll
  for (int i = 0; i < STAGES - 1; ++i)
    issue();
  if (lane < 4)
    reinterpret_cast<uint32_t *>(zeros)[lane] = 0;

  /* Column g of B is block g of a chunk and zero elsewhere: only the lanes whose own blocks are g hold anything. */
  const uint8_t *const even = g == 2 * t ? decoded + t * 64 : zeros, *const odd =
                                                                         g == 2 * t + 1 ? decoded + t * 64 + 16 : zeros;
  const int even_step = g == 2 * t ? 32 : 0, odd_step = g == 2 * t + 1 ? 32 : 0;

  float sum[2][2] = {};
  int group = begin / UNITS, unit = begin % UNITS, taken = 0, slot_index = 0;
  for (int i = begin; i < end; ++i) {
    copy_wait<STAGES - 2>();
    __syncwarp();
    issue();
    const uint8_t *const slot = ring + slot_index * SLOT_BYTES;
    slot_index = slot_index + 1 == STAGES ? 0 : slot_index + 1;
    const split8 v = split_e2m1(*reinterpret_cast<const uint32_t *>(slot + B_AT + lane * 4));
    *reinterpret_cast<uint2 *>(decoded + lane * 8) =
        make_uint2(join_bytes(v.plus_lo, v.minus_lo), join_bytes(v.plus_hi, v.minus_hi));
    __syncwarp();
    const uint32_t codes_b = *reinterpret_cast<const uint32_t *>(slot + B_AT + A_BYTES + t * 4);
    uint32_t codes_a[2][2];
#pragma unroll
    for (int r = 0; r < 4; ++r)
      codes_a[r / 2][r % 2] = *reinterpret_cast<const uint32_t *>(slot + (r * 8 + g) * ROW_BYTES + A_BYTES + t * 4);
#pragma unroll
    for (int chunk = 0; chunk < 2; ++chunk) {
      const uint4 k0 = *reinterpret_cast<const uint4 *>(even + chunk * even_step),
                  k1 = *reinterpret_cast<const uint4 *>(odd + chunk * odd_step);
      const uint32_t kk[8] = {k0.x, k0.y, k0.z, k0.w, k1.x, k1.y, k1.z, k1.w};
      const float2 scale_b = two_scales(static_cast<uint16_t>(codes_b >> (16 * chunk)));
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
        const uint8_t *const rows = slot + (tile * 16 + g) * ROW_BYTES + (2 * t + chunk) * 16;
        const uint4 upper = stage16(rows), lower = stage16(rows + 8 * ROW_BYTES);
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
    ++taken;
    if (++unit == UNITS || i + 1 == end) {
      /* The rows' sums over what this warp had of them: lane 4g+t keeps row 8t+g. */
      float mine = 0;
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        float x = sum[r / 2][r % 2];
        x += __shfl_xor_sync(0xffffffffu, x, 1);
        x += __shfl_xor_sync(0xffffffffu, x, 2);
        mine = t == r ? x : mine;
        sum[r / 2][r % 2] = 0;
      }
      const int batch = group / groups, first = group % groups * ROWS;
      const int row = (RAGGED ? first : min(first, M - ROWS)) + t * 8 + g;
      bool last = taken == UNITS;
      if (!last) {
        float *const place = sums + group * ROWS + lane;
        atomicAdd(place, mine);
        __threadfence();
        __syncwarp();
        int before = 0;
        if (lane == 0)
          before = atomicAdd(done + group, taken);
        last = __shfl_sync(0xffffffffu, before, 0) + taken == UNITS;
        if (last) {
          __threadfence();
          mine = __ldcg(place);
          *place = 0; /* as the next launch must find it */
          if (lane == 0)
            done[group] = 0;
        }
      }
      if (last && row < M)
        c[static_cast<int64_t>(batch) * M + row] = __float2half(mine * IMMA_SCALE);
      taken = unit = 0;
      ++group;
    }
  }
}
