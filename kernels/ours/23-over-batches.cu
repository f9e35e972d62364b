//! id:         ours-23-over-batches
//! ladder:     ours
//! parent:     ours-22-whole-rows
//! side:       yes
//! change:     one grid over the rows of all batches, as many blocks as are resident; a block that comes to the next batch loads and decodes its B anew
//! predicts:   time < 1.00x; inst < 1.01x; dram_bytes within 2%
//! param:      RING = 60 in {40, 50, 60, 80, 100, 120}
//! param:      PAIRS = 0 in {0, 1}
//! let:        LARGE = M * K * L > sms * 230000
//! let:        PER_SM = 3 * L > sms ? 2 : 1
//! let:        FEW = M * L < 4 * sms && K <= 18432
//! let:        BATCH = K > 9216 || M * L < 4 * sms || PER_SM > 1 ? 1 : 2
//! let:        ROW_LANES = K <= 512 ? 16 : 32
//! let:        LINES = ceil(K / (32 * ROW_LANES))
//! let:        K_WARPS = FEW ? ceil(LINES / ceil(LINES / 18)) : LINES <= 5 ? 1 : LINES == 6 || LINES == 8 ? LINES / 2 : ceil(LINES / ceil(LINES / 9))
//! let:        SHARE = ceil(LINES / K_WARPS)
//! let:        R_WARPS = FEW || K_WARPS > 1 ? 1 : 4
//! let:        TURNS = FEW || K > 9216 && PER_SM > 1 ? 1 : PER_SM > 1 ? 2 : K_WARPS > 1 ? (SHARE > 4 ? 1 : SHARE > 1 ? 2 : 3) : K <= 2048 ? 4 : LARGE || K > 4096 ? 3 : 2
//! let:        WARPS = K_WARPS * R_WARPS * TURNS
//! let:        ROWS_OF_K = min(K <= 512 ? 16 : 8, max(K <= 18432 ? 2 : 1, pow(2, round(log2(16384 / K)))))
//! let:        ROWS = FEW ? pow(2, ceil(log2(max(2, M * L / sms)))) : min(ROWS_OF_K, max(R_WARPS * 32 / ROW_LANES, pow(2, floor(log2(M * L / sms)))))
//! let:        SLOT_BYTES = ROWS * (K / 2 + K / 16)
//! let:        GROUPS = ceil(M / ROWS) * L
//! let:        BLOCKS = min(GROUPS, sms * PER_SM)
//! let:        SLOTS = ceil(GROUPS / BLOCKS)
//! let:        GROUP_SUMS = K_WARPS > 1 ? ROWS * (K_WARPS + 1) : 0
//! let:        AT_ONCE = FEW && SLOTS <= 16 && SLOTS * (SLOT_BYTES + 4 * GROUP_SUMS) + 4 * GROUP_SUMS + K / 2 + K / 16 <= floor(smem_optin / PER_SM) - 2560
//! let:        RING_SLOTS = TURNS * min(floor(16 / TURNS), max(2, round(RING * 1024 / PER_SM / SLOT_BYTES / TURNS)))
//! let:        STAGES = AT_ONCE ? SLOTS : RING_SLOTS
//! let:        TICKETS = GROUPS >= 3 * BLOCKS && !AT_ONCE
//! let:        GIVEN = max(1, ceil(GROUPS / BLOCKS * (2 + 2 * BATCH - TICKETS) / (2 + 2 * BATCH)) - TICKETS)
//! let:        MOST_GROUPS = K_WARPS == 1 ? STAGES : AT_ONCE ? SLOTS + 1 : ceil(GROUPS / BLOCKS * 3 / 2) + 7
//! let:        EPOCH = MOST_GROUPS * (GROUP_SUMS + 1) > 12K && !AT_ONCE ? 32 : 0
//! let:        B_AT_ONCE = BLOCKS >= 32 * L && K % 256 == 0 && (M * L >= 4 * sms || K <= 4096)
//! let:        CLUSTER = PAIRS && L == 1 && B_AT_ONCE && BLOCKS % 2 == 0 ? 2 : 1
//! constants:  M, K, L, CLUSTER, PER_SM, ROW_LANES, K_WARPS, TURNS, WARPS, ROWS, BATCH, AT_ONCE, STAGES, TICKETS, EPOCH, B_AT_ONCE
//! scratch:    counts = 8; fill = 0
//! needs:      sm >= 90
//! step:       kernel = gemv; grid = BLOCKS; block = 32 * WARPS + 32; cluster = CLUSTER, 1, 1; args = a, b, sfa, sfb, c, counts, GIVEN, MOST_GROUPS;
//!             smem = 256 + STAGES * SLOT_BYTES + B_AT_ONCE * (K / 2 + K / 16) + (EPOCH ? EPOCH * (GROUP_SUMS + 2) : MOST_GROUPS * (GROUP_SUMS + 1)) * 4
//! accumulate: fp32
//! path:       sm >= 100: bulk copies; cvt.rn.f16x2.e2m1x2, fp16 pairs
//! path:       1: bulk copies; prmt to bytes, dp4a
//! note:       its prediction, all shapes and what came of it: recorded/notes/shapes.md
//! id:         ours-24-multicast
//! parent:     ours-22-whole-rows
//! side:       yes
//! change:     two blocks of a cluster each fetch half of B, for both
//! predicts:   time < 1.05x
//! param:      PAIRS = 1 in {0, 1}
//! note:       its prediction and what came of it: recorded/notes/shapes.md

#include "common/load.cuh"
#include "common/share_blocks.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

constexpr int M = SHAPE_M, K = SHAPE_K, OF_BATCH = (M + ROWS - 1) / ROWS, GROUPS = OF_BATCH * SHAPE_L;
/* A lane loads 16 bytes, two blocks of 16 values; ROW_LANES of them are a line of a row, and the other lanes load the same line of other rows. */
constexpr int LINE_BYTES = ROW_LANES * 16, LINE_SCALES = ROW_LANES * 2, LINES = (K / 2 + LINE_BYTES - 1) / LINE_BYTES;
constexpr bool WHOLE = K / 2 % LINE_BYTES == 0;
/* Warps are TURNS teams, which take slots by turns.  Of a team K_WARPS warps share a row's lines, SHARE each; of a slot's rows a warp takes TILES times the rows of a load. */
constexpr int SHARE = (LINES + K_WARPS - 1) / K_WARPS, R_WARPS = WARPS / TURNS / K_WARPS;
constexpr int LOAD_ROWS = 32 / ROW_LANES, TILES = ROWS / (LOAD_ROWS * R_WARPS);
constexpr int ROW_BYTES = K / 2, ROW_SCALES = K / 16, SLOT = ROWS * ROW_BYTES, SCALE_SLOT = ROWS * ROW_SCALES;
/* Of a row each warp leaves a sum. */
constexpr int PITCH = K_WARPS + 1;
static_assert(AT_ONCE || STAGES % TURNS == 0,
              "a slot belongs to a team: its barrier can be waited for one phase ahead, not two");
static_assert(WARPS % (TURNS * K_WARPS) == 0 && ROWS % (LOAD_ROWS * R_WARPS) == 0,
              "warps share K, then the rows of a slot");
static_assert((TILES & (TILES - 1)) == 0 && TILES <= ROW_LANES, "sums are exchanged in halves");
/* A warp that has whole rows writes their C at once: no sums wait for the end, and a slot's group need not be known when it is used again. */
constexpr bool WHOLE_ROWS = K_WARPS == 1;
constexpr int BARRIERS = 256; /* bytes of both kinds */
static_assert(16 * STAGES <= BARRIERS, "a slot has two barriers");
/* Bulk copies take runs of 16 bytes: where rows of scales are none, the lanes of the warp that copies bring 4 each. */
constexpr bool BULK_SCALES = ROW_SCALES % 16 == 0;
/* A row of B is asked for once a block, in shared memory; where it cannot be, or few blocks share it, its warps load it. */
constexpr int B_BYTES = B_AT_ONCE ? ROW_BYTES + ROW_SCALES : 0;
static_assert(!B_AT_ONCE || BULK_SCALES, "bulk copies take runs of 16 bytes");
/* Sums wait for the end; where EPOCH is not 0, for the end of so many groups.  Then `groups` is a ring of two epochs: copies run ahead by less than one. */
constexpr int GROUP_RING = 2 * EPOCH;
static_assert(EPOCH % TURNS == 0 && (EPOCH == 0 || EPOCH >= STAGES + TURNS && !WHOLE_ROWS),
              "an epoch is whole turns, and more than the ring");
/* Named barriers: the ring can be waited for; all sums are there.  The warp that copies reaches the first and is not among those of the other. */
enum { RING_READY = 1, SUMS_READY = 2 };

extern "C" __global__ void __launch_bounds__(32 * WARPS + 32, PER_SM)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, unsigned *counts, int given, int most_groups) {
  extern __shared__ __align__(128) uint8_t shared[];
  __shared__ __align__(8) uint64_t b_barrier;
  __shared__ int total;                 /* of this block's groups */
  __shared__ e2m1_tables tables_at[32]; /* a copy a lane: equal ones would be kept in uniform registers, and moved */
  const int lane = threadIdx.x % 32, warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
  const uint32_t full = shared_address(shared), empty = full + 8 * STAGES, b_arrived = shared_address(&b_barrier);
  uint8_t *const ring = shared + BARRIERS, *const scale_ring = ring + STAGES * SLOT;
  const uint32_t b_row = shared_address(scale_ring) + STAGES * SCALE_SLOT;
  float *const partial = reinterpret_cast<float *>(scale_ring + STAGES * SCALE_SLOT + B_BYTES);
  /* Of this block, in their order, or of the slots; then -1 for each team. */
  int *const groups =
      reinterpret_cast<int *>(partial + (WHOLE_ROWS ? 0 : (EPOCH ? EPOCH : most_groups) * ROWS * PITCH));
  const int slots = (GROUPS - int(blockIdx.x) + int(gridDim.x) - 1) /
                    int(gridDim.x); /* of this block, where it has one for each group */
  /* Neighbouring groups where there are batches and tickets even out the end, so that a block comes to few of them. */
  const bool by_tickets = TICKETS && GROUPS > given * int(gridDim.x);
  const auto group_of = [&](int i) { return int(SHAPE_L > 1 && by_tickets ? blockIdx.x * given + i : blockIdx.x + i * gridDim.x); };
  const auto batch_of = [](int group) { return SHAPE_L == 1 ? 0 : group / OF_BATCH; };
  const auto row_of = [&](int group) { return (group - batch_of(group) * OF_BATCH) * ROWS; }; /* of its batch */
  const auto group_at = [](int i, int slot) { return WHOLE_ROWS ? slot : EPOCH ? i % GROUP_RING : i; };

  const auto copy = [&](int i, int slot, int group) {
    const int rows = M % ROWS == 0 ? ROWS : min(ROWS, M - row_of(group));
    const uint64_t row = uint64_t(batch_of(group)) * M + unsigned(row_of(group));
    const uint32_t arrived = full + 8 * slot;
    if (!AT_ONCE)
      groups[group_at(i, slot)] = group;
    barrier_expect(arrived, rows * (BULK_SCALES ? ROW_BYTES + ROW_SCALES : ROW_BYTES));
    copy_bulk_once(shared_address(ring) + slot * SLOT, a + row * ROW_BYTES, rows * ROW_BYTES, arrived);
    if (BULK_SCALES)
      copy_bulk_once(shared_address(scale_ring) + slot * SCALE_SLOT, sfa + row * ROW_SCALES, rows * ROW_SCALES,
                     arrived);
  };
  const auto copy_scales_by_lanes = [&](int slot, int group) {
    const int bytes = min(ROWS, M - row_of(group)) * ROW_SCALES;
    const uint8_t *const from = sfa + (uint64_t(batch_of(group)) * M + unsigned(row_of(group))) * ROW_SCALES;
    for (int at = lane * 4; at < bytes; at += 128)
      copy4_async(scale_ring + slot * SCALE_SLOT + at, from + at);
    barrier_arrive_copied(full + 8 * slot);
  };
  /* The first copy stands where the kernel begins: code that comes later has to be fetched first. */
  if (warp == WARPS) {
    if (elect_one()) {
#pragma unroll
      for (int i = 0; i < STAGES; ++i) {
        barrier_init_count(full + 8 * i, BULK_SCALES ? 1 : 33);
        if (!AT_ONCE)
          barrier_init_count(empty + 8 * i, WARPS / TURNS);
      }
      barrier_init(b_arrived);
      barrier_init_done();
      if (B_AT_ONCE)
        barrier_expect(b_arrived, B_BYTES);
      if (B_AT_ONCE && CLUSTER == 1) {
        const uint64_t batch = batch_of(group_of(0));
        copy_bulk(b_row, b + batch * (PAD_ROWS * ROW_BYTES), ROW_BYTES, b_arrived);
        copy_bulk(b_row + ROW_BYTES, sfb + batch * (PAD_ROWS * ROW_SCALES), ROW_SCALES, b_arrived);
      }
      copy(0, 0, group_of(0));
    }
    __syncwarp();
    if (!BULK_SCALES)
      copy_scales_by_lanes(0, group_of(0));
  }
  if (CLUSTER > 1) { /* the other block's barrier is there before bytes come to it */
    cluster_sync();
    const int half = ROW_BYTES / 2, rank = blockIdx.x % 2;
    if (warp == WARPS && elect_one()) {
      copy_bulk_to(3, b_row + rank * half, b + rank * half, half, b_arrived);
      if (rank == 0)
        copy_bulk_to(3, b_row + ROW_BYTES, sfb, ROW_SCALES, b_arrived);
    }
  }
  int role = warp;
  asm volatile("" : "+r"(role)); /* or the compiler joins the two parts, and moves both */

  /* The warp that copies. */
  if (role == WARPS) {
    named_arrive<RING_READY, 32 * WARPS + 32>();
    if (AT_ONCE) {
#pragma unroll 1
      for (int i = 1; i < slots; ++i) {
        if (elect_one())
          copy(i, i, group_of(i));
        if (!BULK_SCALES)
          copy_scales_by_lanes(i, group_of(i));
      }
      return;
    }
    const int blocks = gridDim.x;
    unsigned *const drawn = counts;
    int i = 1, slot = 1, parity = 1;
    /* Who has all that there is room for draws no more, and others take what is left.  A ticket is its lane's until it is needed, and counts up to a
     * bound: the compiler would gather an addition over the warp, and keep what it knows to be every lane's in a uniform register; either waits. */
    unsigned ticket = GROUPS, first = GROUPS;
    const auto draw = [&] {
      ticket = GROUPS;
      if (WHOLE_ROWS || EPOCH || i <= most_groups - TURNS - 2 * BATCH)
        asm volatile("{ .reg .pred p;\n setp.eq.u32 p, %2, 0;\n @p atom.global.inc.u32 %0, [%1], 0x3fffffff; }"
                     : "+r"(ticket)
                     : "l"(drawn), "r"(lane)
                     : "memory");
    };
    /* `given` groups are given out to each block beforehand, the others by tickets, BATCH groups each. */
    if (by_tickets)
      draw();
#pragma unroll 1
    for (;; ++i) {
      int group = group_of(i);
      if (i >= given) {
        group = GROUPS;
        if (by_tickets) {
          const int of_batch = (i - given) % BATCH;
          if (of_batch == 0) {
            first = given * blocks + __shfl_sync(0xffffffffu, ticket, 0) * BATCH;
            draw();
          }
          group = first + of_batch;
        }
      }
      if (group >= GROUPS)
        break;
      /* The phase before the first one counts as complete. */
      barrier_wait(empty + 8 * slot, parity);
      if (elect_one())
        copy(i, slot, group);
      if (!BULK_SCALES)
        copy_scales_by_lanes(slot, group);
      slot = slot + 1 == STAGES ? 0 : slot + 1;
      parity ^= slot == 0;
    }
    if (lane == 0 && !WHOLE_ROWS)
      total = i;
#pragma unroll 1
    for (int turn = 0; turn < TURNS; ++turn) {
      barrier_wait(empty + 8 * slot, parity);
      if (lane == 0) {
        groups[group_at(i + turn, slot)] = -1;
        barrier_arrive(full + 8 * slot);
      }
      if (!BULK_SCALES)
        barrier_arrive(full + 8 * slot);
      slot = slot + 1 == STAGES ? 0 : slot + 1;
      parity ^= slot == 0;
    }
    /* The last block to have no more use for tickets puts them back, when all have been drawn. */
    if (lane == 0 && by_tickets) {
      __threadfence();
      if (atomicInc(drawn + 1, blocks - 1) == blocks - 1)
        *drawn = 0;
    }
    return;
  }

  const int of_rows = lane / ROW_LANES, of_line = lane % ROW_LANES, warp_k = warp % K_WARPS,
            warp_r = warp / K_WARPS % R_WARPS, turn = TURNS > 1 ? warp / (WARPS / TURNS) : 0;
  const auto inside = [&](int i) {
    const int line = i * K_WARPS + warp_k;
    return (LINES % K_WARPS == 0 || line < LINES) && (WHOLE || line * LINE_BYTES + of_line * 16 < ROW_BYTES);
  };
  uint4 codes[SHARE];
  uint16_t scale_codes[SHARE];
  const auto load_b = [&](int batch, bool lanes) {
    const uint8_t *const b_lane = b + uint64_t(batch) * (PAD_ROWS * ROW_BYTES) + of_line * 16;
    const uint8_t *const sfb_lane = sfb + uint64_t(batch) * (PAD_ROWS * ROW_SCALES) + of_line * 2;
#pragma unroll
    for (int i = 0; i < SHARE; ++i) {
      const int line = i * K_WARPS + warp_k;
      codes[i] = make_uint4(0, 0, 0, 0), scale_codes[i] = 0;
      if (lanes && inside(i)) {
        codes[i] = load16_once(b_lane + line * LINE_BYTES);
        scale_codes[i] = load2_once(sfb_lane + line * LINE_SCALES);
      }
    }
  };
  int batch = batch_of(group_of(0));
  load_b(batch, !B_AT_ONCE);
  if (threadIdx.x < 32)
    tables_at[lane] = {E2M1_PLUS_LO, E2M1_MINUS_LO};
  named_sync<RING_READY, 32 * WARPS + 32>();

  if (B_AT_ONCE)
    barrier_wait(b_arrived, 0);
  block_share mine[SHARE];
#pragma unroll
  for (int i = 0; i < SHARE; ++i) {
    const int line = i * K_WARPS + warp_k;
    if (B_AT_ONCE && inside(i)) {
      codes[i] = shared16(b_row + line * LINE_BYTES + of_line * 16);
      scale_codes[i] = shared2(b_row + ROW_BYTES + line * LINE_SCALES + of_line * 2);
    }
    mine[i] = block_share_of(codes[i], scale_codes[i]);
  }
  const volatile e2m1_tables *const fetched = tables_at + lane;
  const e2m1_tables tables = {fetched->plus, fetched->minus};

  const int row = warp_r * TILES * LOAD_ROWS + of_rows;
  const uint32_t a_lane = kept(shared_address(ring) + row * ROW_BYTES + warp_k * LINE_BYTES + of_line * 16);
  const uint32_t scales_lane = kept(shared_address(scale_ring) + row * ROW_SCALES + warp_k * LINE_SCALES + of_line * 2);
  /* Lanes of a line exchange halves of their sums until each has one tile's; then as many as there are in a tile's share add theirs up. */
  const int tile_of_lane = of_line / (ROW_LANES / TILES), of_tile = of_line % (ROW_LANES / TILES);
  float *to = partial + (turn * ROWS + row + tile_of_lane * LOAD_ROWS) * PITCH + warp_k;
  float *const sums_of_lane = to;
  /* Rows of the groups from `first` on, as they lie in `groups`: all warps have left their sums, and add them up. */
  const auto add_up = [&](int first, int n) {
    named_sync<SUMS_READY, 32 * WARPS>();
#pragma unroll 1
    for (int i = threadIdx.x; i < n * ROWS; i += 32 * WARPS) {
      const int nth = first + i / ROWS, group = AT_ONCE ? group_of(nth) : groups[group_at(nth, 0)];
      const int of_c = row_of(group) + i % ROWS;
      float x = 0;
#pragma unroll
      for (int k = 0; k < K_WARPS; ++k)
        x += partial[i * PITCH + k];
      if (of_c < M)
        c[int64_t(batch_of(group)) * M + of_c] = __float2half(x);
    }
  };

  int slot = turn, parity = 0, count = turn, done = 0;
#pragma unroll 1
  for (; !AT_ONCE || count < slots; count += TURNS) {
    const uint32_t a_slot = a_lane + slot * SLOT, scales_slot = scales_lane + slot * SCALE_SLOT;
    barrier_wait(full + 8 * slot, parity);
    __syncwarp();
    const int group = AT_ONCE ? group_of(count) : groups[group_at(count, slot)];
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
    /* A team that has come to its end waits with the others for an epoch's sums, where there are more groups than the epoch has. */
    if (EPOCH && (group < 0 ? total > done + EPOCH : count >= done + EPOCH)) {
      add_up(done, EPOCH);
      named_sync<SUMS_READY, 32 * WARPS>();
      done += EPOCH;
      to = sums_of_lane;
    }
    /* After the loads, which need not wait for it; after the last group they were of old bytes. */
    if (group < 0)
      break;
    if (AT_ONCE) {
      slot += TURNS;
    } else {
      __syncwarp();
      if (lane == 0)
        barrier_arrive(empty + 8 * slot);
      slot = slot + TURNS == STAGES + turn ? turn : slot + TURNS;
      parity ^= slot == turn;
    }

    if (SHAPE_L > 1 && batch_of(group) != batch) {
      batch = batch_of(group);
      load_b(batch, true);
#pragma unroll
      for (int i = 0; i < SHARE; ++i)
        mine[i] = block_share_of(codes[i], scale_codes[i]);
    }
    float sum[TILES] = {};
#pragma unroll
    for (int i = 0; i < SHARE; ++i)
#pragma unroll
      for (int tile = 0; tile < TILES; ++tile)
        sum[tile] = block_add(sum[tile], values[tile][i], scales[tile][i], mine[i], tables);
#pragma unroll
    for (int n = TILES / 2, offset = ROW_LANES / 2; offset > 0; n /= 2, offset /= 2)
#pragma unroll
      for (int tile = 0; tile < (n > 0 ? n : 1); ++tile) {
        const bool upper = n > 0 && lane & offset;
        const float other = n > 0 ? sum[(tile + n) % TILES] : sum[0];
        sum[tile] = (upper ? other : sum[tile]) + __shfl_xor_sync(0xffffffffu, upper ? sum[tile] : other, offset);
      }
    if (WHOLE_ROWS) {
      const int of_c = row_of(group) + row + tile_of_lane * LOAD_ROWS;
      if (of_tile == 0 && (M % ROWS == 0 || of_c < M))
        c[int64_t(batch) * M + of_c] = __float2half(sum[0]);
      __syncwarp(); /* or the compiler takes lanes for parted from here on, and has the loop twice */
      continue;
    }
    if (of_tile == 0)
      to[0] = sum[0];
    to += TURNS * ROWS * PITCH;
  }

  if (!WHOLE_ROWS)
    add_up(done, AT_ONCE ? slots : total - done);
}
