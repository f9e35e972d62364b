//! id:         ours-13-b-in-parts
//! ladder:     ours
//! parent:     ours-12-turns
//! side:       yes
//! change:     where a row has several segments, the B of the later ones is decoded when the first have been used
//! predicts:   time < 0.995x; inst < 1.02x; dram_bytes within 2%
//! param:      WGS = 4 in {2, 3, 4}
//! param:      K_WGS = 1 in {1, 2, 3, 4}
//! param:      ROWS = 8 in {8, 16, 24, 32}
//! param:      TURNS = 1 in {0, 1}
//! param:      SEGMENTS = 1 in {1, 2, 4}
//! param:      STAGES = 8 in {2, 3, 4, 5, 6, 8}
//! when:       K == 16384: TURNS = 0, WGS = 2, K_WGS = 2, ROWS = 8, SEGMENTS = 4, STAGES = 5
//! when:       K > 4096: TURNS = 0, WGS = 2, K_WGS = 2, ROWS = 8, STAGES = 4
//! when:       K > 2048: TURNS = 0, K_WGS = 2, ROWS = 16, STAGES = 3
//! constants:  M, K
//! needs:      sm >= 90 && M % 8 == 0 && K % 256 == 0
//! step:       kernel = gemv; grid = ceil(ceil(M / ROWS) / ceil(ceil(M / ROWS) / max(1, floor(sms / L)))), L; block = 128 * WGS + 32; args = a, b, sfa, sfb, c, ceil(ceil(M / ROWS) / max(1, floor(sms / L))); smem = 256 + STAGES * ROWS * K / 2 / SEGMENTS + (ceil((STAGES - 1) / SEGMENTS) + 1) * ROWS * K / 16 + ceil(K / 1024) * 4224 + ceil(ceil(M / ROWS) / ceil(ceil(M / ROWS) / ceil(ceil(M / ROWS) / max(1, floor(sms / L))))) * ROWS * K_WGS * 16
//! accumulate: fp32
//! path:       sm == 90: bulk copies; e4m3 bytes, wgmma m64n32k32 with A from registers
//! path:       1: bulk copies; e4m3 bytes, mma.sync m16n8k32
//! note:       H200, 2026-11-22: 18.05 / 33.02 / 10.30 us; in the same call ours-12-turns took 18.03 / 33.13 / 10.29: nothing gained. Nor does a form that decodes half of B and is
//!             wrong (17.95 against 18.06 at the first shape): what the first unit waits for B is not what the time goes to
//! note:       compute-sanitizer, memcheck and racecheck, 64x16384x1, where B is decoded in parts: nothing found; default and extreme inputs at the benchmark and test shapes: right

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
constexpr bool EVEN = SEGMENT_QUADS % K_WGS == 0;
constexpr int OWN_QUADS = (SEGMENT_QUADS + K_WGS - 1) / K_WGS;
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

  /* Of B a pass is 16 bytes a thread.  The first pass is stored while the first of A is on its way; where passes are whole segments, the others when they
   * are needed.  Zeros beyond K. */
  const auto store_pass = [&](int i) {
    const int piece = i * 128 * WGS + threadIdx.x;
    if (PIECES % (128 * WGS) == 0 || piece < PIECES) {
      fp8_store_b(b_quads, piece, codes[i]);
      b_scales[piece] = __hmul2(half_scales(scale_codes[i]), __float2half2_rn(SFB_DOWN));
    }
  };
  constexpr int SEGMENT_PIECES = SEGMENT_QUADS * 32, PASS_SEGMENTS = 128 * WGS / SEGMENT_PIECES;
  constexpr bool LATER = SEGMENTS > 1 && 128 * WGS % SEGMENT_PIECES == 0;
#pragma unroll
  for (int i = 0; i < (LATER ? 1 : OWN_PIECES); ++i)
    store_pass(i);
  fp8_b_stored();
  computing_sync();

  const int g = lane / 4, t = lane % 4, half = g % 2, of_quad = warp % 4;
  const int wg_k = warp / 4 % K_WGS, wg_r = TURNS ? 0 : warp / 4 / K_WGS, begin = TURNS ? warp / 4 : 0;
  const uint32_t a_lane = kept(shared_address(ring) + (wg_r * 8 + g / 2) * SEGMENT_BYTES + of_quad * LINE_BYTES +
                               half * 64 + t * 16 + (EVEN ? wg_k * (4 * LINE_BYTES) : 0));
  const uint32_t scales_lane = kept(shared_address(scale_ring) + (wg_r * 8 + g / 2) * SCALES_PITCH +
                                    of_quad * LINE_SCALES + half * 8 + t * 2 + (EVEN ? wg_k * (4 * LINE_SCALES) : 0));
  const uint32_t b_scales_lane = kept(shared_address(b_scales) + (of_quad * (LINE_SCALES / 2) + half * 4 + t) * 4 +
                                      (EVEN ? wg_k * (4 * LINE_SCALES * 2) : 0));
  const uint32_t b_at = shared_address(b_quads) + (EVEN ? wg_k * FP8_QUAD : 0);

  float sum[TILES][2] = {};
  float *to = partial + ((begin * ROWS + wg_r * 8 + g / 2 + half * 4) * PARTS + wg_k * 4 + of_quad);
  fp8_sums d = {};
  float2 above = make_float2(0, 0), below = above;
  const auto finish = [&](float(&of_rows)[2]) {
    fp8_wait(d);
    fp8_own(d, of_quad, [&](const float *even, const float *odd) {
      of_rows[0] = fmaf(half ? even[1] : even[0], above.x, of_rows[0]);
      of_rows[0] = fmaf(half ? odd[1] : odd[0], above.y, of_rows[0]);
      of_rows[1] = fmaf(half ? even[3] : even[2], below.x, of_rows[1]);
      of_rows[1] = fmaf(half ? odd[3] : odd[2], below.y, of_rows[1]);
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

  int slot = begin, parity = 0, segment = 0, scale_slot = 0;
#pragma unroll 1
  for (int unit = begin; unit < units; unit += STEP) {
#pragma unroll
    for (int i = 1; LATER && i < OWN_PIECES; ++i)
      if (unit == i * PASS_SEGMENTS) {
        store_pass(i);
        fp8_b_stored();
        computing_sync();
      }
    barrier_wait(full + 8 * slot, parity);
    __syncwarp();
    /* Quads that do not divide evenly go to the warpgroups by turns. */
    const int mine = EVEN ? 0 : (wg_k + unit) % K_WGS;
    const uint32_t a_slot = a_lane + slot * SLOT + mine * (4 * LINE_BYTES);
    const uint32_t scales_slot = scales_lane + (SEGMENTS == 1 ? slot : scale_slot) * SCALE_SLOT +
                                 segment * (SEGMENT_QUADS * 4 * LINE_SCALES) + mine * (4 * LINE_SCALES);
    const uint32_t b_scales_segment =
        b_scales_lane + segment * (SEGMENT_QUADS * 4 * LINE_SCALES * 2) + mine * (4 * LINE_SCALES * 2);
    const uint32_t b_segment = b_at + segment * (SEGMENT_QUADS * FP8_QUAD) + mine * FP8_QUAD;
#pragma unroll
    for (int i = 0; i < OWN_QUADS; ++i) {
      const int quad = i * K_WGS;
      if (i * K_WGS + K_WGS > SEGMENT_QUADS && quad + mine >= SEGMENT_QUADS)
        break;
      /* The scales beyond K need not be numbers. */
      const bool inside = WHOLE || (quad + (EVEN ? wg_k : mine)) * 4 + of_quad < LINES;
#pragma unroll
      for (int tile = 0; tile < TILES; ++tile) {
        const uint32_t at = a_slot + tile * (8 * R_WGS * SEGMENT_BYTES) + quad * (4 * LINE_BYTES);
        const uint32_t scales_at = scales_slot + tile * (8 * R_WGS * SCALES_PITCH) + quad * (4 * LINE_SCALES);
        const fp8_fragments f = fp8_fragments_of(shared16(at), shared16(at + 4 * SEGMENT_BYTES));
        const __half2 of_b = as_half2(shared4(b_scales_segment + quad * (4 * LINE_SCALES * 2)));
        const uint32_t upper = inside ? shared2(scales_at) : 0;
        const uint32_t lower = inside ? shared2(scales_at + 4 * SCALES_PITCH) : 0;
        /* The sums of the step before, which were on their way while this one was decoded. */
        finish(sum[(tile + TILES - 1) % TILES]);
        if (i == 0 && tile == 0 && segment == 0 && unit > begin)
          put();
        fp8_start(d, f, b_segment + quad * FP8_QUAD);
        above = __half22float2(__hmul2(half_scales(upper), of_b));
        below = __half22float2(__hmul2(half_scales(lower), of_b));
      }
    }
    __syncwarp();
    if (lane == 0)
      barrier_arrive(empty + 8 * slot);
    slot = slot + STEP >= STAGES ? begin : slot + STEP;
    parity ^= slot == begin;
    if (++segment == SEGMENTS) {
      segment = 0;
      scale_slot = scale_slot + 1 == SCALE_SLOTS ? 0 : scale_slot + 1;
    }
  }
  finish(sum[TILES - 1]);
  if (units > begin)
    put();

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
