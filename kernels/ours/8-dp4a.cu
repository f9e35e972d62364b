//! id:         ours-8-dp4a
//! ladder:     ours
//! parent:     ours-6-lines
//! change:     dp4a instead of the tensor cores, and a lane's share of B in its registers for all of its rows
//! predicts:   time < 0.9x; sm_clock_hz > 1.03x; pipe_tensor < 0.01x; dram_bytes within 2%
//! cures:      issue-slots
//! param:      WARPS = 4 in {1, 2, 4, 7, 8, 14, 16, 32}
//! param:      SHARE = 2 in {1, 2, 4}
//! param:      UNROLL = 2 in {1, 2, 3, 4, 6, 8}
//! param:      PER_SM = 7 in {1, 2, 3, 4, 5, 6, 7, 8, 10}
//! when:       K > 8192: WARPS = 32, SHARE = 2, PER_SM = 1
//! when:       K > 7168: WARPS = 32, SHARE = 1, PER_SM = 1
//! when:       K > 4096: WARPS = 14, SHARE = 2, PER_SM = 2
//! when:       K > 2048: WARPS = 8, SHARE = 2, PER_SM = 3
//! constants:  M, K
//! needs:      K <= 16384
//! step:       kernel = gemv; grid = min(ceil(M / 4), ceil((sms * PER_SM - L + 1) / L)), L; block = 32 * WARPS; smem = ceil(ceil(M / 4) / min(ceil(M / 4), ceil((sms * PER_SM - L + 1) / L))) * WARPS * 16
//! accumulate: fp32
//! path:       1: prmt to bytes, dp4a
//! note:       its parameters are the best of sweeps of 53, 22 and 17 configurations on an H200; the figures below are with PER_SM = 6 at the third shape, where 7 took 1 % less
//! note:       H200, 2026-11-21: 19.7 / 34.0 / 11.0 us, 82 / 91 / 84 % of the read control in the same run (16.2 / 31.0 / 9.3); cuBLAS fp16 took 61.5 / 112.4 / 30.7, 3.1 / 3.3 / 2.8 times as long
//! note:       short of the 95 % aimed at: its copies alone took 17.4 / 31.6 / 9.7 us, its arithmetic alone, on rows that lay in L1 or L2, 14.3 / 26.2 / 9.0 (some of these at neighbouring
//!             parameters); neither reaches the whole, so what is missing is overlap: about 40 % of the warps' cycles wait for loads while ALU and issue slots are busy for 55 % of them
//! note:       not what binds: the clock (1.96 GHz, as the control's); issue slots (13 % fewer instructions at the first two shapes, by tables kept out of uniform registers, gained half a percent);
//!             DRAM and L2 traffic (66.1 and 66.5 MB at the first shape). Right shifts by multiplication, which take a quarter of the ALU's work to the FMA pipe, were slower
//! note:       not isolated: which of ALU, FMA pipe and latency makes the arithmetic alone take 14.3 us where its ALU instructions fill 9

#include "common/dp4a_blocks.cuh"
#include "common/load.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K;
/* A load takes a line of 256 values, 128 bytes, of each of 4 rows: 16 bytes a lane, two blocks. */
constexpr int LINE_VALUES = 256, LINE_BYTES = 128, LINE_SCALES = 16, ROWS = 4;
constexpr int GROUPS = (M + ROWS - 1) / ROWS, LINES = (K + LINE_VALUES - 1) / LINE_VALUES;
constexpr bool WHOLE = K % LINE_VALUES == 0 && LINES == WARPS * SHARE;
static_assert(LINES <= WARPS * SHARE, "the warps of a block share a row's lines");

struct step {
  uint4 a[SHARE];
  uint16_t scales[SHARE];
};

extern "C" __global__ void __launch_bounds__(32 * WARPS, PER_SM)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int, int, int) {
  extern __shared__ __align__(16) float partial[];
  __shared__ e2m1_tables tables_at[32]; /* a copy a lane: equal ones would be kept in uniform registers, and moved */
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int of_rows = lane / 8, of_line = lane % 8;
  const int64_t batch = blockIdx.y;
  const int first = GROUPS * blockIdx.x / gridDim.x, groups = GROUPS * (blockIdx.x + 1) / gridDim.x - first;
  const int line0 = warp * SHARE;

  const uint8_t *const a_lane = a + batch * M * (K / 2) + line0 * LINE_BYTES + of_line * 16;
  const uint8_t *const sfa_lane = sfa + batch * M * (K / 16) + line0 * LINE_SCALES + of_line * 2;
  const auto inside = [&](int i) { return WHOLE || (line0 + i) * LINE_VALUES + of_line * 32 < K; };
  const auto fetch = [&](step &to, int group) {
    const int64_t row = M % ROWS == 0 ? group * ROWS + of_rows : min(group * ROWS + of_rows, M - 1);
    const uint8_t *const from = a_lane + row * (K / 2), *const scales = sfa_lane + row * (K / 16);
#pragma unroll
    for (int i = 0; i < SHARE; ++i) {
      if (inside(i)) {
        to.a[i] = load16_once(from + i * LINE_BYTES);
        to.scales[i] = __ldg(reinterpret_cast<const uint16_t *>(scales + i * LINE_SCALES));
      } else {
        to.a[i] = make_uint4(0, 0, 0, 0);
        to.scales[i] = 0;
      }
    }
  };

  /* B is asked for before A, so that it does not wait behind all of the chip's first loads of A. */
  const uint8_t *const b_lane = b + batch * PAD_ROWS * (K / 2) + line0 * LINE_BYTES + of_line * 16;
  const uint8_t *const sfb_lane = sfb + batch * PAD_ROWS * (K / 16) + line0 * LINE_SCALES + of_line * 2;
  uint4 codes[SHARE];
  uint16_t scale_codes[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; ++i) {
    codes[i] = inside(i) ? load16(b_lane + i * LINE_BYTES) : make_uint4(0, 0, 0, 0);
    scale_codes[i] = inside(i) ? __ldg(reinterpret_cast<const uint16_t *>(sfb_lane + i * LINE_SCALES)) : 0;
  }
  step ahead[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
    if (u < groups)
      fetch(ahead[u], first + u);

  if (threadIdx.x < 32)
    tables_at[lane] = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  dp4a_share mine[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; ++i)
    mine[i] = dp4a_share_of(codes[i], scale_codes[i]);
  __syncthreads();
  const volatile e2m1_tables *const fetched = tables_at + lane;
  const e2m1_tables tables = {fetched->plus, fetched->minus};

#pragma unroll 1
  for (int group = 0; group < groups; group += UNROLL) {
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (group + u >= groups)
        break;
      float sum = 0;
#pragma unroll
      for (int i = 0; i < SHARE; ++i)
        sum = dp4a_add(sum, ahead[u].a[i], ahead[u].scales[i], mine[i], tables);
      if (group + u + UNROLL < groups)
        fetch(ahead[u], first + group + u + UNROLL);
#pragma unroll
      for (int step = 4; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
      if (of_line == 0)
        partial[((group + u) * WARPS + warp) * ROWS + of_rows] = sum;
    }
  }

  __syncthreads();
  for (int i = threadIdx.x; i < groups * ROWS; i += 32 * WARPS) {
    const int row = first * ROWS + i;
    float x = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      x += partial[(i / ROWS * WARPS + w) * ROWS + i % ROWS];
    if (row < M)
      c[batch * M + row] = __float2half(x);
  }
}
