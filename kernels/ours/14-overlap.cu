//! id:         ours-14-overlap
//! ladder:     ours
//! parent:     ours-12-turns
//! side:       yes
//! change:     the matrix instructions of a step run while the next step is decoded: two of each, fragments and sums
//! predicts:   time < 0.95x; inst < 1.03x; dram_bytes within 2%
//! param:      WGS = 3 in {2, 3}
//! param:      K_WGS = 1 in {1, 2, 3}
//! param:      ROWS = 8 in {8, 16, 24, 32}
//! param:      TURNS = 1 in {0, 1}
//! param:      SEGMENTS = 1 in {1, 2, 4, 8}
//! param:      STAGES = 6 in {2, 3, 4, 5, 6, 8, 9, 10}
//! when:       K == 16384: TURNS = 0, WGS = 2, K_WGS = 2, SEGMENTS = 4, STAGES = 4
//! when:       K > 4096: WGS = 2, STAGES = 4
//! when:       K > 2048: TURNS = 0, WGS = 2, K_WGS = 2, STAGES = 3
//! constants:  M, K
//! needs:      sm >= 90 && M % 8 == 0 && K % 256 == 0
//! step:       kernel = gemv; grid = ceil(ceil(M / ROWS) / ceil(ceil(M / ROWS) / max(1, floor(sms / L)))), L; block = 128 * WGS + 32; args = a, b, sfa, sfb, c, ceil(ceil(M / ROWS) / max(1, floor(sms / L))); smem = 256 + STAGES * ROWS * K / 2 / SEGMENTS + (ceil((STAGES - 1) / SEGMENTS) + 1) * ROWS * K / 16 + ceil(K / 1024) * 4224 + ceil(ceil(M / ROWS) / ceil(ceil(M / ROWS) / ceil(ceil(M / ROWS) / max(1, floor(sms / L))))) * ROWS * K_WGS * 16
//! accumulate: fp32
//! path:       sm == 90: bulk copies; e4m3 bytes, wgmma m64n32k32 with A from registers
//! path:       1: bulk copies; e4m3 bytes, mma.sync m16n8k32
//! note:       its parameters at the benchmark shapes are the best of 12, 8 and 14 configurations. Recorded run, H200, 2026-11-22: 17.76 / 32.85 / 10.51 us, where ours-12-turns took
//!             17.85 / 32.59 / 10.21. Its predicts is refuted: alone, on slots that are there, the arithmetic got faster (15.6 us instead of 16.8 at the first shape), and blocks wait for
//!             data again
//! note:       what a step costs, 128 bytes of 8 rows a warp, everything in shared memory, four warpgroups: 148 cycles of a multiprocessor for a warpgroup's; 104 without decoding, 119
//!             with 8 columns instead of 32, 96 to 106 without the matrix instructions, their fragments folded instead. By the counters of the whole kernel ALU instructions alone need
//!             112 and issue 117: matrix instructions whose A lies in registers hardly overlap with ALU instructions, however many warps there are
//! note:       with the tensor cores at work that loop ran at 1.77 GHz, without them at 1.96
//! note:       sums and fragments that are on their way must not cross the end of a rolled loop: ptxas then waits for each matrix instruction (C7514). Four warpgroups have too few
//!             registers (C7512)
//! note:       compute-sanitizer, memcheck and racecheck, at four small shapes: nothing found; default, contest and extreme inputs at the benchmark and test shapes: right

#include "common/fp8_tiles.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K, GROUPS = (M + ROWS - 1) / ROWS;
/* By turns a slot is one warpgroup's own; else all of them share it.  Of its rows a warpgroup takes TILES times 8. */
constexpr int R_WGS = TURNS ? 1 : WGS / K_WGS, TILES = ROWS / (8 * R_WGS), STEP = TURNS ? WGS : 1;
/* A line is 256 values: 128 bytes of a row, 16 scales.  Four make a quad. */
constexpr int LINE_VALUES = 256, LINE_BYTES = 128, LINE_SCALES = 16, LINES = K / LINE_VALUES, QUADS = (LINES + 3) / 4;
constexpr bool WHOLE = LINES % 4 == 0;
/* A slot of the ring holds a segment of ROWS rows.  Scales come for whole rows, with the first segment, into slots of their own: as many as can be in
 * use. */
constexpr int SEGMENT_BYTES = K / 2 / SEGMENTS, SEGMENT_QUADS = (QUADS + SEGMENTS - 1) / SEGMENTS;
/* Quads that do not divide evenly are several warpgroups', and each warp's line of them is one's. */
constexpr int OWN_QUADS = (SEGMENT_QUADS + K_WGS - 1) / K_WGS, REST = SEGMENT_QUADS % K_WGS;
/* Steps of a group of rows.  If their number is even, the first step of the next group is decoded while the last one's matrix instructions run. */
constexpr int UNIT_STEPS = OWN_QUADS * TILES, STEPS = SEGMENTS * UNIT_STEPS;
constexpr bool ACROSS = STEPS % 2 == 0;
constexpr int SLOT = ROWS * SEGMENT_BYTES, SCALES_PITCH = K / 16, SCALE_SLOT = ROWS * SCALES_PITCH;
constexpr int SCALE_SLOTS = (STAGES - 1 + SEGMENTS - 1) / SEGMENTS + 1; /* STAGES where a segment is a row */
constexpr int PARTS = 4 * K_WGS;                                        /* warps that share a row */
/* B's scales times this, so that their products with A's are fp16. */
constexpr float SFB_DOWN = 0.0625f;
static_assert(K_WGS <= SEGMENT_QUADS, "every warpgroup has a first quad");
static_assert(!TURNS || (K_WGS == 1 && SEGMENTS == 1 && STAGES % WGS == 0),
              "no warpgroup waits for a phase of a slot that another has not seen");
static_assert(WGS % K_WGS == 0 && ROWS % (8 * R_WGS) == 0, "warpgroups share K, then 8 rows each");
static_assert(SEGMENTS == 1 || K % (4 * LINE_VALUES * SEGMENTS) == 0, "a segment is whole quads");
static_assert(STAGES <= 16, "the barriers have 256 bytes");

/* A barrier of the warps that compute; the one that copies is not among them. */
static __device__ __forceinline__ void computing_sync() {
  asm volatile("bar.sync 1, %0;" ::"n"(128 * WGS) : "memory");
}

extern "C" __global__ void __launch_bounds__(128 * WGS + 32, 1)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int block_groups) {
  extern __shared__ __align__(128) uint8_t shared[];
  const int lane = threadIdx.x % 32, warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
  const int64_t batch = blockIdx.y;
  const int first = blockIdx.x * block_groups, last = min(first + block_groups, GROUPS);
  const int units = (last - first) * SEGMENTS;

  const uint32_t full = shared_address(shared), empty = full + 8 * STAGES;
  uint8_t *const ring = shared + 256, *const scale_ring = ring + STAGES * SLOT;
  uint8_t *const b_quads = scale_ring + SCALE_SLOTS * SCALE_SLOT;
  __half2 *const b_scales = reinterpret_cast<__half2 *>(b_quads + QUADS * FP8_QUAD);
  float *const partial = reinterpret_cast<float *>(b_scales + QUADS * 4 * (LINE_SCALES / 2));

  const auto copy = [&](int unit) {
    const int slot = unit % STAGES, segment = unit % SEGMENTS, group = first + unit / SEGMENTS;
    const int rows = M % ROWS == 0 ? ROWS : min(ROWS, M - group * ROWS);
    const int64_t row = batch * M + group * ROWS;
    const uint32_t to = shared_address(ring) + slot * SLOT, arrived = full + 8 * slot;
    barrier_expect(arrived, rows * (SEGMENT_BYTES + (segment == 0 ? K / 16 : 0)));
    if (SEGMENTS == 1) {
      copy_bulk(to, a + row * (K / 2), rows * SEGMENT_BYTES, arrived);
    } else {
#pragma unroll
      for (int r = 0; r < ROWS; ++r)
        if (M % ROWS == 0 || r < rows)
          copy_bulk(to + r * SEGMENT_BYTES, a + (row + r) * (K / 2) + segment * SEGMENT_BYTES, SEGMENT_BYTES, arrived);
    }
    if (segment == 0)
      copy_bulk(shared_address(scale_ring) + unit / SEGMENTS % SCALE_SLOTS * SCALE_SLOT, sfa + row * (K / 16),
                rows * (K / 16), arrived);
  };
  /* The first copy is asked for before anything else: the code of the rest has to be fetched too. */
  if (warp == 4 * WGS && elect_one()) {
#pragma unroll
    for (int i = 0; i < STAGES; ++i) {
      barrier_init(full + 8 * i);
      barrier_init_count(empty + 8 * i, TURNS ? 4 : 4 * WGS);
    }
    barrier_init_done();
    copy(0);
  }

  constexpr int PIECES = QUADS * 4 * 8, OWN_PIECES = (PIECES + 128 * WGS - 1) / (128 * WGS);
  const uint8_t *const b_row = b + batch * PAD_ROWS * (K / 2), *const sfb_row = sfb + batch * PAD_ROWS * (K / 16);
  uint4 codes[OWN_PIECES];
  uint32_t scale_codes[OWN_PIECES];
#pragma unroll
  for (int i = 0; i < OWN_PIECES; ++i) {
    const int piece = i * 128 * WGS + threadIdx.x;
    codes[i] = make_uint4(0, 0, 0, 0), scale_codes[i] = 0;
    if (threadIdx.x < 128 * WGS && piece < K / 32) {
      codes[i] = load16_once(b_row + piece * 16);
      scale_codes[i] = load2_once(sfb_row + piece * 2);
    }
  }
  __syncthreads();

  if (warp == 4 * WGS) {
    if (elect_one())
      for (int unit = 1; unit < units; ++unit) {
        if (unit >= STAGES)
          barrier_wait(empty + 8 * (unit % STAGES), (unit / STAGES - 1) & 1);
        copy(unit);
      }
    return;
  }

  /* All of B, while the first of A is on its way; zeros beyond K. */
#pragma unroll
  for (int i = 0; i < OWN_PIECES; ++i) {
    const int piece = i * 128 * WGS + threadIdx.x;
    if (PIECES % (128 * WGS) == 0 || piece < PIECES) {
      fp8_store_b(b_quads, piece, codes[i]);
      b_scales[piece] = __hmul2(half_scales(scale_codes[i]), __float2half2_rn(SFB_DOWN));
    }
  }
  fp8_b_stored();
  computing_sync();

  const int g = lane / 4, t = lane % 4, half = g % 2, of_quad = warp % 4;
  const int wg_k = warp / 4 % K_WGS, wg_r = TURNS ? 0 : warp / 4 / K_WGS, begin = TURNS ? warp / 4 : 0;
  const uint32_t a_lane = kept(shared_address(ring) + (wg_r * 8 + g / 2) * SEGMENT_BYTES + half * 64 + t * 16 +
                               (wg_k * 4 + of_quad) * LINE_BYTES);
  const uint32_t scales_lane = kept(shared_address(scale_ring) + (wg_r * 8 + g / 2) * SCALES_PITCH + half * 8 + t * 2 +
                                    (wg_k * 4 + of_quad) * LINE_SCALES);
  const uint32_t b_scales_lane =
      kept(shared_address(b_scales) + ((wg_k * 4 + of_quad) * (LINE_SCALES / 2) + half * 4 + t) * 4);
  const uint32_t b_at = shared_address(b_quads) + wg_k * FP8_QUAD;
  /* From a warpgroup's own place among K_WGS quads to the one of the rest that it has a share in, and whether this warp's line is in the share. */
  const int back = REST ? wg_k % max(REST, 1) - wg_k : 0;
  const bool shared_line =
      REST == 0 || of_quad % ((K_WGS - wg_k % max(REST, 1) + REST - 1) / max(REST, 1)) == wg_k / max(REST, 1);

  float sum[TILES][2] = {};
  float *to = partial + ((begin * ROWS + wg_r * 8 + g / 2 + half * 4) * PARTS + wg_k * 4 + of_quad);
  fp8_sums d[2] = {};
  fp8_fragments f[2] = {};
  float2 above[2] = {}, below[2] = {};
  const auto finish = [&](int step) {
    const int i = step % 2;
    float(&of_rows)[2] = sum[step % TILES];
    fp8_own(d[i], of_quad, [&](const float *even, const float *odd) {
      of_rows[0] = fmaf(half ? even[1] : even[0], above[i].x, of_rows[0]);
      of_rows[0] = fmaf(half ? odd[1] : odd[0], above[i].y, of_rows[0]);
      of_rows[1] = fmaf(half ? even[3] : even[2], below[i].x, of_rows[1]);
      of_rows[1] = fmaf(half ? odd[3] : odd[2], below[i].y, of_rows[1]);
    });
  };
  const auto put = [&] {
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile) {
      /* Lanes of the first half keep the upper row, those of the second the lower one. */
      float x = half ? sum[tile][1] : sum[tile][0];
      x += __shfl_xor_sync(0xffffffffu, half ? sum[tile][0] : sum[tile][1], 4);
      x += __shfl_xor_sync(0xffffffffu, x, 1);
      x += __shfl_xor_sync(0xffffffffu, x, 2);
      if (t == 0)
        to[tile * R_WGS * 8 * PARTS] = x;
      sum[tile][0] = sum[tile][1] = 0;
    }
    to += STEP * ROWS * PARTS;
  };

  /* The unit that is being decoded, a step ahead of what is being multiplied. */
  int slot = begin, parity = 0, scale_slot = SEGMENTS == 1 ? begin : 0;
  uint4 codes_above, codes_below;
  uint32_t upper, lower, of_b;
  const auto fetch = [&](int step) {
    const int segment = step / UNIT_STEPS, i = step % UNIT_STEPS / TILES, tile = step % TILES;
    if (step % UNIT_STEPS == 0) {
      barrier_wait(full + 8 * slot, parity);
      __syncwarp();
    }
    const bool rest = i * K_WGS + K_WGS > SEGMENT_QUADS;
    const int quad = i * K_WGS + (rest ? back : 0), line = (segment * SEGMENT_QUADS + quad) * 4;
    const uint32_t at = a_lane + slot * SLOT + tile * (8 * R_WGS * SEGMENT_BYTES) + quad * (4 * LINE_BYTES);
    const uint32_t scales_at =
        scales_lane + scale_slot * SCALE_SLOT + tile * (8 * R_WGS * SCALES_PITCH) + line * LINE_SCALES;
    /* The scales beyond K need not be numbers. */
    const bool counts = (WHOLE || line + wg_k * 4 + of_quad < LINES) && (!rest || shared_line);
    codes_above = shared16(at), codes_below = shared16(at + 4 * SEGMENT_BYTES);
    of_b = shared4(b_scales_lane + line * (LINE_SCALES * 2));
    upper = counts ? shared2(scales_at) : 0;
    lower = counts ? shared2(scales_at + 4 * SCALES_PITCH) : 0;
  };
  const auto decode = [&](int step) {
    f[step % 2] = fp8_fragments_of(codes_above, codes_below);
    above[step % 2] = __half22float2(__hmul2(half_scales(upper), as_half2(of_b)));
    below[step % 2] = __half22float2(__hmul2(half_scales(lower), as_half2(of_b)));
    if (step % UNIT_STEPS == UNIT_STEPS - 1) {
      __syncwarp();
      if (lane == 0)
        barrier_arrive(empty + 8 * slot);
      slot = slot + STEP >= STAGES ? begin : slot + STEP;
      parity ^= slot == begin;
    }
    if (step == STEPS - 1)
      scale_slot = SEGMENTS == 1 ? slot : scale_slot + 1 == SCALE_SLOTS ? 0 : scale_slot + 1;
  };

  const int turns = TURNS ? (last - first - begin + STEP - 1) / STEP : last - first;
  if (turns > 0) {
    fetch(0);
    decode(0);
  }
#pragma unroll 1
  for (int turn = 1; turn <= turns; ++turn) {
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      const int i = step % 2, quad = step / UNIT_STEPS * SEGMENT_QUADS + step % UNIT_STEPS / TILES * K_WGS;
      const bool rest = step % UNIT_STEPS / TILES * K_WGS + K_WGS > SEGMENT_QUADS, ends = step == STEPS - 1;
      fp8_start(d[i], f[i], b_at + (quad + (rest ? back : 0)) * FP8_QUAD);
      const bool more = !ends || turn < turns;
      if (more)
        fetch(ends ? 0 : step + 1);
      if (step > 0) {
        fp8_wait<1>(d[1 - i], f[1 - i]);
        finish(step - 1);
      }
      if ((!ends || ACROSS) && more)
        decode(ends ? 0 : step + 1);
      if (ends) {
        fp8_wait<0>(d[i], f[i]);
        finish(step);
        put();
      }
      if (ends && !ACROSS && more)
        decode(0);
    }
  }

  computing_sync();
  for (int i = threadIdx.x; i < (last - first) * ROWS; i += 128 * WGS) {
    const int row = first * ROWS + i;
    float x = 0;
#pragma unroll
    for (int part = 0; part < PARTS; ++part)
      x += partial[i * PARTS + part];
    if (row < M)
      c[batch * M + row] = __float2half(x * (FP8_UNSCALE / SFB_DOWN));
  }
}
