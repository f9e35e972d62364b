//! id:         ours-0-shared-b
//! ladder:     ours
//! change:     B decoded once a block, times its scales, into shared memory; a warp streams several rows against it
//! param:      WARPS = 8 in {4, 8, 16}
//! param:      ROWS_PER_WARP = 4 in {1, 2, 4, 8}
//! param:      UNROLL = 2 in {1, 2, 4}
//! param:      RESIDENT_THREADS = 512 in {512, 768, 1024}
//! step:       kernel = gemv; grid = ceil(M / (WARPS * ROWS_PER_WARP)), L; block = 32 * WARPS; smem = 2048 * min(16, ceil(K / 1024))
//! accumulate: fp16-block
//! needs:      sm >= 80
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! note:       the budget on an H200: reading 4096x7168x8 takes 30.2 us, in which 132 multiprocessors x 4 schedulers at 1.98 GHz issue 31.6e6
//!             warp instructions, 0.134 an element or 4.3 a thread; the ALU pipe, half as wide, takes 0.067 of them or 2.15 a thread
//! note:       its loop on sm_90a is 651 instructions for 256 values of a lane, 0.079 an element or 2.54 a thread, more than half of them to
//!             decode A; that of cuda-6-fused, which decodes B for every row too, is 515 for 128, 4.02 a thread

#include "common/load.cuh"
#include "common/piece.cuh"
#include "common/reduce.cuh"

constexpr int THREADS = 32 * WARPS;
/* A lane takes units of 32 values: 16 bytes of A and two scales; a warp takes groups of 32 neighbouring units. */
constexpr int UNIT_VALUES = 32, GROUP_UNITS = 32;
constexpr int CHUNK_GROUPS = 16; /* of B, in shared memory at a time: 32 KiB */
constexpr int GROUP_WORDS = 128; /* of 16 bytes, of B in shared memory */
static_assert(CHUNK_GROUPS % UNROLL == 0, "a group is fetched into the same registers whatever the chunk");

/* A product a * (b * sfb) is kept at 2^-6 of its value, so that eight of the largest stay within fp16.  Where decoded values come times
 * 2^-6 each, A brings that along and B's is taken out with its scale; otherwise B's scale brings it.  All products are multiples of 2^-17,
 * so nothing underflows, and b * sfb, of 6 significant bits, is exact. */
constexpr float PRODUCT_UNIT = 64.0f;
constexpr float SFB_FACTOR = E2M1_UNSCALE / PRODUCT_UNIT;

static __device__ __forceinline__ uint4 piece_scaled(uint32_t codes, __half2 scale) {
  const struct piece p = piece_of(codes);
  return make_uint4(bits_of(__hmul2(p.x, scale)), bits_of(__hmul2(p.y, scale)), bits_of(__hmul2(p.z, scale)),
                    bits_of(__hmul2(p.w, scale)));
}

/* One block of 16: two words of A, eight pairs of B.  One f16x2 chain. */
static __device__ __forceinline__ float dot16(uint32_t a_lo, uint32_t a_hi, uint4 b_lo, uint4 b_hi) {
  const struct piece lo = piece_of(a_lo), hi = piece_of(a_hi);
  __half2 sum = __hmul2(lo.x, half2_of(b_lo.x));
  sum = __hfma2(lo.y, half2_of(b_lo.y), sum);
  sum = __hfma2(lo.z, half2_of(b_lo.z), sum);
  sum = __hfma2(lo.w, half2_of(b_lo.w), sum);
  sum = __hfma2(hi.x, half2_of(b_hi.x), sum);
  sum = __hfma2(hi.y, half2_of(b_hi.y), sum);
  sum = __hfma2(hi.z, half2_of(b_hi.z), sum);
  sum = __hfma2(hi.w, half2_of(b_hi.w), sum);
  return halves_sum(sum);
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT_THREADS / THREADS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  extern __shared__ uint4 b_chunk[]; /* group, word of the unit, lane: 32 lanes read 512 neighbouring bytes */

  const int lane = threadIdx.x % 32;
  const int first_row = (blockIdx.x * WARPS + threadIdx.x / 32) * ROWS_PER_WARP;
  const int64_t batch = blockIdx.y;
  const int units = K / UNIT_VALUES, groups = units / GROUP_UNITS; /* whole ones; what is left comes last */

  const uint8_t *b_row = b + batch * PAD_ROWS * (K / 2);
  const uint8_t *sfb_row = sfb + batch * PAD_ROWS * (K / 16);
  const uint8_t *a_lane[ROWS_PER_WARP], *sfa_lane[ROWS_PER_WARP];
#pragma unroll
  for (int r = 0; r < ROWS_PER_WARP; ++r) {
    const int64_t row = batch * M + min(first_row + r, M - 1); /* beyond M: the last again, not written */
    a_lane[r] = a + row * (K / 2) + 16 * lane;
    sfa_lane[r] = sfa + row * (K / 16) + 2 * lane;
  }

  uint4 codes[UNROLL][ROWS_PER_WARP];
  uint32_t scales[UNROLL][ROWS_PER_WARP];
  const auto fetch = [&](int u, int group) {
#pragma unroll
    for (int r = 0; r < ROWS_PER_WARP; ++r) {
      codes[u][r] = load16_once(a_lane[r] + 512 * group);
      scales[u][r] = load2_once(sfa_lane[r] + 64 * group);
    }
  };

  float sums[ROWS_PER_WARP] = {};
  const auto add = [&](int r, uint4 code, uint32_t scale, const uint4 *b_lane) {
    const float2 s = __half22float2(scale_pair(scale));
    sums[r] += s.x * dot16(code.x, code.y, b_lane[0], b_lane[32]);
    sums[r] += s.y * dot16(code.z, code.w, b_lane[64], b_lane[96]);
  };

  /* The first loads of A are under way while B is decoded. */
#pragma unroll
  for (int u = 0; u < UNROLL; ++u)
    if (u < groups)
      fetch(u, u);

#pragma unroll 1
  for (int begin = 0; begin * GROUP_UNITS < units; begin += CHUNK_GROUPS) {
    const int first_unit = begin * GROUP_UNITS;
    if (begin > 0)
      __syncthreads(); /* all warps are done with the chunk before */
#pragma unroll 1
    for (int i = threadIdx.x; i < min(units - first_unit, CHUNK_GROUPS * GROUP_UNITS); i += THREADS) {
      const uint4 code = load16(b_row + 16 * (first_unit + i));
      const float2 s = __half22float2(scale_pair(load2(sfb_row + 2 * (first_unit + i))));
      const __half2 s0 = __float2half2_rn(s.x * SFB_FACTOR), s1 = __float2half2_rn(s.y * SFB_FACTOR);
      uint4 *slot = b_chunk + i / GROUP_UNITS * GROUP_WORDS + i % GROUP_UNITS;
      slot[0] = piece_scaled(code.x, s0);
      slot[32] = piece_scaled(code.y, s0);
      slot[64] = piece_scaled(code.z, s1);
      slot[96] = piece_scaled(code.w, s1);
    }
    __syncthreads();

    const int end = min(groups, begin + CHUNK_GROUPS);
#pragma unroll 1
    for (int group = begin; group < end; group += UNROLL) {
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
        if (group + u < end) {
          const uint4 *b_lane = b_chunk + (group + u - begin) * GROUP_WORDS + lane;
#pragma unroll
          for (int r = 0; r < ROWS_PER_WARP; ++r)
            add(r, codes[u][r], scales[u][r], b_lane);
          if (group + u + UNROLL < groups)
            fetch(u, group + u + UNROLL);
        }
      }
    }
    if (groups < begin + CHUNK_GROUPS && groups * GROUP_UNITS + lane < units) {
#pragma unroll
      for (int r = 0; r < ROWS_PER_WARP; ++r)
        add(r, load16_once(a_lane[r] + 512 * groups), load2_once(sfa_lane[r] + 64 * groups),
            b_chunk + (groups - begin) * GROUP_WORDS + lane);
    }
  }

#pragma unroll
  for (int r = 0; r < ROWS_PER_WARP; ++r) {
    const float sum = sum_lanes<32>(sums[r]);
    if (lane == 0 && first_row + r < M)
      c[batch * M + first_row + r] = __float2half(sum * PRODUCT_UNIT);
  }
}
