//! id:         ours-16-last-groups
//! ladder:     ours
//! parent:     ours-15-dp4a-ring
//! change:     the first groups of rows are given out beforehand, the last ones by tickets, so that blocks that DRAM serves slowly take fewer of them
//! predicts:   time < 0.99x; inst < 1.05x; dram_bytes within 2%
//! cures:      imbalance
//! param:      WARPS = 8 in {4, 7, 8, 14, 16}
//! param:      K_WARPS = 8 in {4, 7, 8, 14, 16}
//! param:      ROW_LANES = 8 in {8, 16, 32}
//! param:      ROWS = 8 in {1, 2, 4, 8, 16}
//! param:      STAGES = 3 in {2, 3, 4, 5, 6, 8}
//! param:      PER_SM = 2 in {1, 2, 3, 4}
//! param:      TICKETS = 0 in {0, 1}
//! when:       K > 7168: WARPS = 16, K_WARPS = 16, ROW_LANES = 32, ROWS = 2, STAGES = 4, PER_SM = 1, TICKETS = 1
//! when:       K > 4096: WARPS = 7, K_WARPS = 7, ROW_LANES = 16, ROWS = 4, STAGES = 5, PER_SM = 1
//! when:       K == 2048: WARPS = 16, ROWS = 16, STAGES = 4, PER_SM = 1, TICKETS = 1
//! constants:  M, K
//! scratch:    counts = L * 8; fill = 0
//! needs:      sm >= 90 && K % 256 == 0 && K <= 16384
//! step:       kernel = gemv; grid = min(ceil(M / ROWS), max(1, floor(sms * PER_SM / L))), L; block = 32 * WARPS + 32; args = a, b, sfa, sfb, c, counts, max(1, ceil(ceil(M / ROWS) / min(ceil(M / ROWS), max(1, floor(sms * PER_SM / L))) * (6 - TICKETS) / 6) - TICKETS), ceil(ceil(M / ROWS) / min(ceil(M / ROWS), max(1, floor(sms * PER_SM / L))) * 3 / 2) + 3; smem = 256 + STAGES * ROWS * (K / 2 + K / 16) + (ceil(ceil(M / ROWS) / min(ceil(M / ROWS), max(1, floor(sms * PER_SM / L))) * 3 / 2) + 3) * (ROWS * (K_WARPS + 1) * 4 + 4)
//! accumulate: fp32
//! path:       1: bulk copies; prmt to bytes, dp4a
//! note:       its predicts was written after forms of it had been measured
//! note:       a recorded run of that morning, H200, 2026-11-22: 17.11 / 31.35 / 10.04 us, 93 / 96 / 90 % of the read control (15.89 / 30.14 / 8.99), short of the 95 % aimed at at the first and the last
//!             shape; the fastest path of cuBLAS fp16 takes 3.5 / 3.4 / 3.0 times as long. At the second shape it does what its parent does: tickets took longer there
//! note:       what binds: DRAM, busy for 82 / 90 / 70 % of the time; issue slots need 8.8 / 14.6 / 4.5 us, the ALU 8.3 / 14.7 / 4.3, so that nothing else is near its limit; 26 / 27 / 31
//!             % of the warps' cycles wait for bytes of the ring
//! note:       what is missing at the first shape, by %clock and %globaltimer: blocks begin within 0.2 us, ask for their first slot after 0.56 and for the fourth after 1.0; bytes come at
//!             2.7 TB/s from 1.5 us on, 3.8, 4.0 and 4.7 in the next half microseconds, then at 4.6 to 5.2, the datasheet's rate, until 13; the last sums are there after 15.5 to 16.7,
//!             and blocks end 0.3 later. The read control has its first bytes a quarter of a microsecond sooner, and next to no end
//! note:       tried without gain: all slots asked for at once before anything else (0.1 us slower: the first one comes later), the first ones asked for in L2 before that, B asked for
//!             between them, fewer barriers or no fence before the first copy, three or four tickets ahead, slots of one row (19.3 us), two or four blocks a multiprocessor, more bytes in
//!             flight (55 to 74 KB a multiprocessor are best)
//! note:       what the compiler does to tickets: a number that it knows to be every lane's moves to a uniform register, and an addition of a constant is gathered over the warp and
//!             spread again; either waits for the atomic at once, 0.4 us at the first shape
//! note:       in one trace of three DRAM delivered about 2 TB/s for one or two microseconds somewhere in the middle; medians hide it
//! note:       2000 launches each at five shapes, odd last groups and few groups among them: every C the same, all tickets put back
//! note:       compute-sanitizer, memcheck and racecheck, at six small shapes, tickets in use at two: nothing found; of slots used twice see ours-18-turns; default, contest and extreme inputs at the benchmark and test shapes:
//!             right

#include "common/dp4a_blocks.cuh"
#include "common/load.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K, GROUPS = (M + ROWS - 1) / ROWS;
/* A lane loads 16 bytes, two blocks of 16 values; ROW_LANES of them are a line of a row, and the other lanes load the same line of other rows. */
constexpr int LINE_BYTES = ROW_LANES * 16, LINE_SCALES = ROW_LANES * 2, LINES = (K / 2 + LINE_BYTES - 1) / LINE_BYTES;
constexpr bool WHOLE = K / 2 % LINE_BYTES == 0;
/* K_WARPS warps share a row's lines, SHARE each; of a slot's rows a warp takes TILES times the rows of a load. */
constexpr int SHARE = (LINES + K_WARPS - 1) / K_WARPS, R_WARPS = WARPS / K_WARPS;
constexpr int LOAD_ROWS = 32 / ROW_LANES, TILES = ROWS / (LOAD_ROWS * R_WARPS);
constexpr int ROW_BYTES = K / 2, ROW_SCALES = K / 16, SLOT = ROWS * ROW_BYTES, SCALE_SLOT = ROWS * ROW_SCALES;
constexpr int PITCH = K_WARPS + 1; /* of the sums of a row */
static_assert(WARPS % K_WARPS == 0 && ROWS % (LOAD_ROWS * R_WARPS) == 0, "warps share K, then the rows of a slot");
static_assert((TILES & (TILES - 1)) == 0 && TILES <= ROW_LANES, "sums are exchanged in halves");
static_assert(STAGES <= 16, "the barriers have 256 bytes");
/* Named barriers: the ring can be waited for; all sums are there.  The warp that copies reaches the first and is not among those of the other. */
enum { RING_READY = 1, SUMS_READY = 2 };

extern "C" __global__ void __launch_bounds__(32 * WARPS + 32, PER_SM)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, unsigned *counts, int given, int most_groups) {
  extern __shared__ __align__(128) uint8_t shared[];
  __shared__ e2m1_tables tables_at[32]; /* a copy a lane: equal ones would be kept in uniform registers, and moved */
  const int lane = threadIdx.x % 32, warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
  const unsigned batch = blockIdx.y;
  const uint32_t full = shared_address(shared), empty = full + 8 * STAGES;
  uint8_t *const ring = shared + 256, *const scale_ring = ring + STAGES * SLOT;
  float *const partial = reinterpret_cast<float *>(scale_ring + STAGES * SCALE_SLOT);
  /* Of this block, in their order; -1 after the last one. */
  int *const groups = reinterpret_cast<int *>(partial + most_groups * ROWS * PITCH);

  /* The warp that copies.  Its first copy is asked for before anything else, and its loop is short, since all code has to be fetched before it runs. */
  if (warp == WARPS) {
    const auto copy = [&](int i, int slot, int group) {
      const int rows = M % ROWS == 0 ? ROWS : min(ROWS, M - group * ROWS);
      const uint64_t row = batch * M + unsigned(group) * ROWS;
      const uint32_t arrived = full + 8 * slot;
      groups[i] = group;
      barrier_expect(arrived, rows * (ROW_BYTES + ROW_SCALES));
      copy_bulk(shared_address(ring) + slot * SLOT, a + row * ROW_BYTES, rows * ROW_BYTES, arrived);
      copy_bulk(shared_address(scale_ring) + slot * SCALE_SLOT, sfa + row * ROW_SCALES, rows * ROW_SCALES, arrived);
    };
    if (elect_one()) {
#pragma unroll
      for (int i = 0; i < STAGES; ++i) {
        barrier_init(full + 8 * i);
        barrier_init_count(empty + 8 * i, WARPS);
      }
      barrier_init_done();
      copy(0, 0, blockIdx.x);
    }
    __syncwarp();
    named_arrive<RING_READY, 32 * WARPS + 32>();
    const int blocks = gridDim.x;
    int i = 1, slot = 1, parity = 1;
    const auto send = [&](int group) {
      /* The phase before the first one counts as complete. */
      barrier_wait(empty + 8 * slot, parity);
      if (elect_one())
        copy(i, slot, group);
      ++i;
      slot = slot + 1 == STAGES ? 0 : slot + 1;
      parity ^= slot == 0;
    };
    /* The first groups are given out beforehand, `given` to each block. */
#pragma unroll 1
    for (int group = blockIdx.x + blocks; group < min(GROUPS, given * blocks); group += blocks)
      send(group);
    const bool by_tickets = TICKETS && GROUPS > given * blocks;
    unsigned *const drawn = counts + 2 * batch;
    if (by_tickets) {
      /* The rest by tickets, two of them drawn ahead.  Who has all that there is room for draws no more, and others take what is left.  A ticket is its
       * lane's until it is needed: what the compiler knows to be every lane's would be waited for at once. */
      const auto draw = [&](int n) {
        unsigned ticket = 0;
        if (n < most_groups - 1)
          asm volatile("{ .reg .pred p;\n setp.eq.u32 p, %2, 1;\n @p atom.global.add.u32 %0, [%1], %2; }"
                       : "+r"(ticket)
                       : "l"(drawn), "r"(lane + 1)
                       : "memory");
        return ticket;
      };
      unsigned tickets[2] = {draw(i), draw(i + 1)};
      bool more = true;
#pragma unroll 1
      while (more)
#pragma unroll
        for (int k = 0; k < 2 && more; ++k) {
          const int group = i < most_groups - 1 ? given * blocks + __shfl_sync(0xffffffffu, tickets[k], 0) : GROUPS;
          more = group < GROUPS;
          if (more) {
            tickets[k] = draw(i + 2);
            send(group);
          }
        }
    }
    barrier_wait(empty + 8 * slot, parity);
    if (lane == 0) {
      groups[i] = -1;
      barrier_arrive(full + 8 * slot);
      /* The last block to have no more use for tickets puts them back, when all have been drawn. */
      if (by_tickets) {
        __threadfence();
        if (atomicInc(drawn + 1, blocks - 1) == blocks - 1)
          *drawn = 0;
      }
    }
    return;
  }

  const int of_rows = lane / ROW_LANES, of_line = lane % ROW_LANES, warp_k = warp % K_WARPS, warp_r = warp / K_WARPS;
  const auto inside = [&](int i) {
    const int line = i * K_WARPS + warp_k;
    return (LINES % K_WARPS == 0 || line < LINES) && (WHOLE || line * LINE_BYTES + of_line * 16 < ROW_BYTES);
  };
  const uint8_t *const b_lane = b + uint64_t(batch) * (PAD_ROWS * ROW_BYTES) + of_line * 16;
  const uint8_t *const sfb_lane = sfb + batch * (PAD_ROWS * ROW_SCALES) + of_line * 2;
  uint4 codes[SHARE];
  uint16_t scale_codes[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; ++i) {
    const int line = i * K_WARPS + warp_k;
    codes[i] = make_uint4(0, 0, 0, 0), scale_codes[i] = 0;
    if (inside(i)) {
      codes[i] = load16_once(b_lane + line * LINE_BYTES);
      scale_codes[i] = load2_once(sfb_lane + line * LINE_SCALES);
    }
  }
  if (threadIdx.x < 32)
    tables_at[lane] = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  named_sync<RING_READY, 32 * WARPS + 32>();

  dp4a_share mine[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; ++i)
    mine[i] = dp4a_share_of(codes[i], scale_codes[i]);
  const volatile e2m1_tables *const fetched = tables_at + lane;
  const e2m1_tables tables = {fetched->plus, fetched->minus};

  const int row = warp_r * TILES * LOAD_ROWS + of_rows;
  const uint32_t a_lane = kept(shared_address(ring) + row * ROW_BYTES + warp_k * LINE_BYTES + of_line * 16);
  const uint32_t scales_lane = kept(shared_address(scale_ring) + row * ROW_SCALES + warp_k * LINE_SCALES + of_line * 2);
  /* Lanes of a line exchange halves of their sums until each has one tile's; then as many as there are in a tile's share add theirs up. */
  const int tile_of_lane = of_line / (ROW_LANES / TILES);
  float *to = partial + (row + tile_of_lane * LOAD_ROWS) * PITCH + warp_k;
  int slot = 0, parity = 0, count = 0;
#pragma unroll 1
  for (;; ++count) {
    const uint32_t a_slot = a_lane + slot * SLOT, scales_slot = scales_lane + slot * SCALE_SLOT;
    barrier_wait(full + 8 * slot, parity);
    __syncwarp();
    if (groups[count] < 0)
      break;
    uint4 values[TILES][SHARE];
    uint16_t scales[TILES][SHARE];
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile)
#pragma unroll
      for (int i = 0; i < SHARE; ++i) {
        values[tile][i] = make_uint4(0, 0, 0, 0), scales[tile][i] = 0;
        if (inside(i)) {
          values[tile][i] = shared16(a_slot + tile * (LOAD_ROWS * ROW_BYTES) + i * (K_WARPS * LINE_BYTES));
          scales[tile][i] = shared2(scales_slot + tile * (LOAD_ROWS * ROW_SCALES) + i * (K_WARPS * LINE_SCALES));
        }
      }
    __syncwarp();
    if (lane == 0)
      barrier_arrive(empty + 8 * slot);
    slot = slot + 1 == STAGES ? 0 : slot + 1;
    parity ^= slot == 0;

    float sum[TILES] = {};
#pragma unroll
    for (int i = 0; i < SHARE; ++i)
#pragma unroll
      for (int tile = 0; tile < TILES; ++tile)
        sum[tile] = dp4a_add(sum[tile], values[tile][i], scales[tile][i], mine[i], tables);
#pragma unroll
    for (int n = TILES / 2, offset = ROW_LANES / 2; offset > 0; n /= 2, offset /= 2)
#pragma unroll
      for (int tile = 0; tile < (n > 0 ? n : 1); ++tile) {
        const bool upper = n > 0 && lane & offset;
        const float other = n > 0 ? sum[(tile + n) % TILES] : sum[0];
        sum[tile] = (upper ? other : sum[tile]) + __shfl_xor_sync(0xffffffffu, upper ? sum[tile] : other, offset);
      }
    if (of_line % (ROW_LANES / TILES) == 0)
      to[0] = sum[0];
    to += ROWS * PITCH;
  }

  named_sync<SUMS_READY, 32 * WARPS>();
#pragma unroll 1
  for (int i = threadIdx.x; i < count * ROWS; i += 32 * WARPS) {
    const int of_c = groups[i / ROWS] * ROWS + i % ROWS;
    float x = 0;
#pragma unroll
    for (int part = 0; part < K_WARPS; ++part)
      x += partial[i * PITCH + part];
    if (of_c < M)
      c[int64_t(batch) * M + of_c] = __float2half(x);
  }
}
