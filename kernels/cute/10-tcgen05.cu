//! id:         cute-10-tcgen05
//! ladder:     cute
//! parent:     cute-10-tma-tensor
//! change:     the tensor core of sm_100 takes codes and block scales as they are stored: nothing is decoded, one thread issues, the sums lie in tensor memory
//! predicts:   inst < 0.1x; time < 1x; dram_bytes within 5%
//! cures:      issue-slots
//! param:      STAGES = 4 in {2, 3, 4, 6}
//! param:      SPLIT = 1 in {1, 2, 4, 8}
//! when:       ceil(M / 128) * L < sms: SPLIT = 4
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 128, 1; swizzle = 128; l2 = 256
//! tensormap:  b_map = b; type = u8; dims = K / 2, 1, L; strides = K / 2, 128 * K / 2; box = 128, 8, 1; swizzle = 128; l2 = 256
//! sf_layout:  128x4
//! step:       kernel = gemv; grid = SPLIT, ceil(M / 128), L; block = 128; cluster = SPLIT, 1, 1; smem = 1024 + STAGES * 21504 + 16 * STAGES + 16 + 512; args = a_map, b_map, sfa, sfb, c, M, K
//! accumulate: fp32
//! limits:     scale_max < 448
//! published:  B200 21.8 us geomean "CuTe DSL write-up of a second participant"
//! needs:      sm >= 100 && sm < 120
//! path:       1: never run: TMA and bulk copies, then tcgen05.mma.kind::mxf4nvf4.block_scale.scale_vec::4X
//! note:       never run: no chip that has tcgen05 was at hand; compiled and disassembled, its descriptors and layouts tested on the host
//! note:       limits: the instruction takes scales as ue4m3, without a sign; of the inputs here only the extreme ones have negative scales, and 448 with them
//! note:       accumulate: fp32 is what the PTX ISA says of the sums; how the tensor core rounds within an instruction was not seen
//! note:       one column of eight is used; the seven others are zeros that the copy of B makes, and cost no DRAM read
//! note:       every block reads SFB with its 128 stored rows, of which it uses one: the 128x4 layout has no smaller tile
//! note:       K is split over the blocks of a cluster where rows alone leave multiprocessors without one: an instruction has 128 rows, no fewer

#include "common/tcgen05.cuh"
#include "common/tensor_copy.cuh"

#include <cuda_fp16.h>

static_assert(STAGE_BYTES == 21504, "the front matter asks for shared memory by this number");
static_assert(MMA_COLUMNS + STAGES * TMEM_STAGE <= 512, "tensor memory has 512 columns");

constexpr int WARP_COPY = 0, WARP_MMA = 1; /* warp 0 allocates tensor memory too */

/* The shared memory of a block: stages, a barrier each for "full" and "empty", one for "done", the address in tensor memory, the sums. */
struct layout {
  uint32_t stages, full, empty, done, tmem, sums;
};

static __device__ __forceinline__ layout layout_of(uint32_t shared) {
  layout at;
  at.stages = shared + (0u - shared & 1023); /* the swizzle repeats every 1024 bytes of the address */
  at.full = at.stages + STAGES * STAGE_BYTES;
  at.empty = at.full + 8 * STAGES;
  at.done = at.empty + 8 * STAGES;
  at.tmem = at.done + 8;
  at.sums = at.tmem + 8;
  return at;
}

/* A block's share of K: stages rank, rank + SPLIT, ...; the last stage of K may have fewer steps than four. */
struct share {
  int stages, rank, steps; /* steps: of all K */
};

static __device__ __forceinline__ int share_steps(const share &s, int i) {
  return min(int(STAGE_STEPS), s.steps - (i * SPLIT + s.rank) * STAGE_STEPS);
}

/* One thread: keeps the ring full.  Beyond A, B and K the boxes arrive as zeros, and count. */
static __device__ __forceinline__ void copy_all(const layout &at, const share &s, const tensor_map *a,
                                                const tensor_map *b, const uint8_t *sfa_tiles,
                                                const uint8_t *sfb_tiles) {
#pragma unroll 1
  for (int i = 0; i < s.stages; ++i) {
    const int stage = i % STAGES, turn = i / STAGES, group = i * SPLIT + s.rank;
    const uint32_t to = at.stages + stage * STAGE_BYTES, full = at.full + 8 * stage;
    const int scale_bytes = share_steps(s, i) * SCALE_TILE_BYTES;
    if (turn > 0)
      barrier_wait(at.empty + 8 * stage, turn - 1 & 1);
    barrier_expect(full, STAGE_SFA - STAGE_A + 2 * scale_bytes);
    copy_box(to + STAGE_A, a, group * STAGE_ROW_BYTES, blockIdx.y * MMA_ROWS, blockIdx.z, full);
    copy_box(to + STAGE_B, b, group * STAGE_ROW_BYTES, 0, blockIdx.z, full);
    copy_bulk(to + STAGE_SFA, sfa_tiles + int64_t(group) * STAGE_STEPS * SCALE_TILE_BYTES, scale_bytes, full);
    copy_bulk(to + STAGE_SFB, sfb_tiles + int64_t(group) * STAGE_STEPS * SCALE_TILE_BYTES, scale_bytes, full);
  }
}

/* One thread: multiplies what arrives.  A stage's columns of scales are written anew only after its "empty", which tells that the products
 * that read them are done. */
static __device__ __forceinline__ void multiply_all(const layout &at, const share &s, uint32_t tmem) {
  const uint32_t instruction = mma_instruction(MMA_ROWS, MMA_COLUMNS);
#pragma unroll 1
  for (int i = 0; i < s.stages; ++i) {
    const int stage = i % STAGES, steps = share_steps(s, i);
    const uint32_t from = at.stages + stage * STAGE_BYTES;
    barrier_wait(at.full + 8 * stage, i / STAGES & 1);
    tcgen05_after_barrier();
#pragma unroll
    for (int step = 0; step < STAGE_STEPS; ++step) {
      if (step < steps) {
        const uint32_t sfa = tmem + tmem_sfa(stage, step), sfb = tmem + tmem_sfb(stage, step);
        tmem_copy_scales(sfa, mma_scales(from + STAGE_SFA, step));
        tmem_copy_scales(sfb, mma_scales(from + STAGE_SFB, step));
        tcgen05_mma(tmem, mma_operand(from + STAGE_A, step), mma_operand(from + STAGE_B, step), instruction, sfa, sfb,
                    i + step > 0);
      }
    }
    tcgen05_commit(at.empty + 8 * stage);
  }
  tcgen05_commit(at.done);
}

/* The sums of this block's row in the other blocks of the cluster, added to its own by the first. */
static __device__ __forceinline__ float cluster_sum(uint32_t sums, float own) {
  const uint32_t place = sums + 4 * threadIdx.x;
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(place), "f"(own) : "memory");
  cluster_sync();
  if (blockIdx.x == 0) {
#pragma unroll
    for (int rank = 1; rank < SPLIT; ++rank) {
      float other;
      asm volatile("{ .reg .b32 at;\n mapa.shared::cluster.u32 at, %1, %2;\n ld.shared::cluster.f32 %0, [at]; }"
                   : "=f"(other)
                   : "r"(place), "r"(rank)
                   : "memory");
      own += other;
    }
  }
  cluster_sync(); /* a block's shared memory lasts until it has been read */
  return own;
}

extern "C" __global__ void __launch_bounds__(128)
    gemv(const __grid_constant__ tensor_map a_map, const __grid_constant__ tensor_map b_map,
         const uint8_t *__restrict__ sfa, const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K) {
  extern __shared__ uint8_t shared[];
  const layout at = layout_of(shared_address(shared));
  const int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0); /* in a uniform register */

  const int rank = blockIdx.x, groups = (K + STAGE_VALUES - 1) / STAGE_VALUES;
  const share mine = {groups > rank ? (groups - rank + SPLIT - 1) / SPLIT : 0, rank, K / MMA_VALUES};

  if (warp == WARP_COPY)
    tmem_alloc(at.tmem, tmem_columns(STAGES));
  if (warp == WARP_MMA && elect_one()) {
    for (int i = 0; i < 2 * STAGES + 1; ++i) /* full, empty, done */
      barrier_init(at.full + 8 * i);
    barrier_init_done();
  }
  tcgen05_before_barrier();
  __syncthreads();
  tcgen05_after_barrier();
  uint32_t tmem;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(tmem) : "r"(at.tmem) : "memory");

  if (warp == WARP_COPY && elect_one()) {
    const int64_t row_tile = int64_t(blockIdx.z) * gridDim.y + blockIdx.y;
    copy_all(at, mine, &a_map, &b_map, sfa + row_tile * mine.steps * SCALE_TILE_BYTES,
             sfb + int64_t(blockIdx.z) * mine.steps * SCALE_TILE_BYTES);
  }
  if (warp == WARP_MMA && elect_one())
    multiply_all(at, mine, tmem);

  barrier_wait(at.done, 0);
  __syncwarp(); /* reading tensor memory is the whole warp's */
  tcgen05_after_barrier();
  float sum = tmem_load(tmem, warp); /* column 0 */
  if (mine.stages == 0)
    sum = 0.0f; /* nothing was written there */
  tcgen05_before_barrier();
  __syncthreads();
  /* Given back before the cluster waits: a block that waits for tensor memory never waits for one that waits for it. */
  if (warp == WARP_COPY) {
    tcgen05_after_barrier();
    tmem_free(tmem, tmem_columns(STAGES));
  }
  if (SPLIT > 1)
    sum = cluster_sum(at.sums, sum);
  const int row = blockIdx.y * MMA_ROWS + threadIdx.x;
  if (blockIdx.x == 0 && row < M)
    c[int64_t(blockIdx.z) * M + row] = __float2half(sum);
}
