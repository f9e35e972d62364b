//! id:         cute-10-tma-tensor
//! ladder:     cute
//! parent:     cute-9-ptx-block
//! change:     A brought in by tensor copies (TMA) through a ring of stages, multiplied by the tensor cores; B decoded once a block
//! predicts:   inst < 0.9x; time < 1x; dram_bytes within 5%
//! cures:      issue-slots
//! param:      WARPGROUPS = 4 in {1, 2, 4}
//! param:      STAGES = 4 in {2, 3, 4, 6}
//! when:       K > 32768: WARPGROUPS = 2, STAGES = 2
//! when:       K < 16384: WARPGROUPS = 1, STAGES = 4
//! when:       smem_optin < 160K: WARPGROUPS = 2, STAGES = 3
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 64, 1; swizzle = 128; l2 = 256
//! step:       kernel = gemv; grid = ceil(M / 64), L; block = 128 * WARPGROUPS; smem = 1024 + WARPGROUPS * (STAGES * (8192 + 8) + 256) + ceil(K / 256) * 512 + 128; args = a_map, b, sfa, sfb, c, M, K
//! accumulate: fp32
//! published:  B200 21.8 us geomean "CuTe DSL write-up of a second participant"
//! needs:      sm >= 90
//! path:       sm >= 100: TMA, then mma.sync m16n8k16 (tcgen05 is cute-10-tcgen05), cvt.rn.f16x2.e2m1x2
//! path:       1: TMA, then wgmma m64n8k16 with A from registers; nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! note:       the original multiplies by tcgen05 with block scales, as cute-10-tcgen05 does; here both scales go into fp16 operands, where they are exact
//! note:       one column of eight is used: the tensor cores do eight times the work that is needed
//! note:       B lies in shared memory as 2 K bytes of fp16, which bounds K

#include "common/cute.cuh"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WGMMA 1
#else
#define WGMMA 0
#endif

constexpr int ROWS = 64;                /* of A: a warpgroup's tile, 16 rows a warp */
constexpr int GROUP_VALUES = 256;       /* along K: a stage, four tiles of 64, one for each thread of a quad */
constexpr int STAGE_BYTES = ROWS * 128; /* of A */
constexpr int B_GROUP_BYTES = GROUP_VALUES * 2;
constexpr int B_STEP_BYTES = 32; /* 16 values of K as fp16: one matrix instruction */

struct __align__(64) tensor_map {
  uint64_t opaque[16];
};

/* --- copies --- */

static __device__ __forceinline__ uint32_t shared_address(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

static __device__ __forceinline__ void barrier_init(uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void barrier_expect(uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void barrier_wait(uint32_t barrier, int parity) {
  uint32_t done;
  do {
    asm volatile("{ .reg .pred p;\n"
                 "  mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "  selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  } while (!done);
}

/* A box of 64 rows of 128 bytes; what lies beyond A arrives as zeros, and counts. */
static __device__ __forceinline__ void copy_box(uint32_t to, const tensor_map *map, int byte, int row, int batch,
                                                uint32_t barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, "
               "%4}], [%5];" ::"r"(to),
               "l"(map), "r"(byte), "r"(row), "r"(batch), "r"(barrier)
               : "memory");
}

/* Makes this thread's stores to shared memory, and its barriers, visible to copies and to wgmma. */
static __device__ __forceinline__ void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void warpgroup_sync(int warpgroup) {
  asm volatile("bar.sync %0, 128;" ::"r"(warpgroup + 1) : "memory");
}

/* --- operands ---
 *
 * A sum over K may be taken in any order that A and B share.  A quad of threads holds four tiles of a row, a tile each; a word of eight values
 * feeds two steps of 16, four values of each thread to a step: its first f16x2 as values 2t and 2t + 1 of the step, its second as 2t + 8 and
 * 2t + 9, t being the thread's place in the quad.  B is laid out to match. */

/* Eight codes, each times its scale.  Exact: 2 + 4 bits of significand, magnitudes from 2^-10 (2^-16 where decoding scales) to 2688. */
static __device__ __forceinline__ void scaled(uint32_t codes, __half2 scale, uint32_t out[4]) {
  __half2 v[4];
  e2m1_to_half(codes, v);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const __half2 product = __hmul2(v[i], scale);
    out[i] = *reinterpret_cast<const uint32_t *>(&product);
  }
}

/* B, scaled, in the order of the steps; zeros from K up to a whole group. */
static __device__ __forceinline__ void b_prepare(uint8_t *b_steps, const uint8_t *b_row, const uint8_t *sfb_row,
                                                 int K) {
  const int words = (K + GROUP_VALUES - 1) / GROUP_VALUES * (GROUP_VALUES / 8);
  for (int i = threadIdx.x; i < words; i += 128 * WARPGROUPS) {
    uint32_t v[4] = {0, 0, 0, 0};
    if (i < K / 8) {
      __half2 scale[2];
      e4m3_to_half(sfb_row[i / 2], scale);
      scaled(load4(b_row + 4 * i), __low2half2(scale[0]), v);
    }
    const int tile = i / TILE_WORDS, word = i % TILE_WORDS;
    uint8_t *const step = b_steps + tile / 4 * B_GROUP_BYTES + 2 * word * B_STEP_BYTES + tile % 4 * 4;
    *reinterpret_cast<uint32_t *>(step) = v[0];
    *reinterpret_cast<uint32_t *>(step + 16) = v[1];
    *reinterpret_cast<uint32_t *>(step + B_STEP_BYTES) = v[2];
    *reinterpret_cast<uint32_t *>(step + B_STEP_BYTES + 16) = v[3];
  }
}

/* --- eight steps: 128 values of K --- */

// clang-format off
#if WGMMA

#define STEP(a0, a1, a2, a3, b)                                                                                        \
  "  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {" a0 ", " a1 ", " a2 ", " a3 "}, " b         \
  ", 1, 1, 1, 0;\n"                                                                                                    \
  "  add.s64 b, b, 2;\n" /* B_STEP_BYTES, in units of 16 */

/* B's descriptor: no swizzle, so a core matrix is eight columns of 16 bytes, one after another, and the one for the second eight values of K
 * lies 16 bytes on.  Column 0 alone is B: the next seven overlap what follows it, and nobody reads their sums. */
static __device__ __forceinline__ void steps8(float d[4], const uint32_t a[8][4], uint32_t b_step, int) {
  const uint64_t b = (b_step >> 4) | 1ull << 16 | 1ull << 32;
  asm volatile("{ .reg .b64 b;\n"
      "  mov.b64 b, %36;\n"
      "  wgmma.fence.sync.aligned;\n"
      STEP("%4", "%5", "%6", "%7", "b")
      STEP("%8", "%9", "%10", "%11", "b")
      STEP("%12", "%13", "%14", "%15", "b")
      STEP("%16", "%17", "%18", "%19", "b")
      STEP("%20", "%21", "%22", "%23", "b")
      STEP("%24", "%25", "%26", "%27", "b")
      STEP("%28", "%29", "%30", "%31", "b")
      STEP("%32", "%33", "%34", "%35", "b")
      "  wgmma.commit_group.sync.aligned;\n"
      "  wgmma.wait_group.sync.aligned 0; }\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0][0]), "r"(a[0][1]), "r"(a[0][2]), "r"(a[0][3]), "r"(a[1][0]), "r"(a[1][1]), "r"(a[1][2]), "r"(a[1][3]),
        "r"(a[2][0]), "r"(a[2][1]), "r"(a[2][2]), "r"(a[2][3]), "r"(a[3][0]), "r"(a[3][1]), "r"(a[3][2]), "r"(a[3][3]),
        "r"(a[4][0]), "r"(a[4][1]), "r"(a[4][2]), "r"(a[4][3]), "r"(a[5][0]), "r"(a[5][1]), "r"(a[5][2]), "r"(a[5][3]),
        "r"(a[6][0]), "r"(a[6][1]), "r"(a[6][2]), "r"(a[6][3]), "r"(a[7][0]), "r"(a[7][1]), "r"(a[7][2]), "r"(a[7][3]),
        "l"(b)
      : "memory");
}

#else

/* Every column is B: each quad reads the same values. */
static __device__ __forceinline__ void steps8(float d[4], const uint32_t a[8][4], uint32_t b_step, int t) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    uint32_t b0, b1;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(b0) : "r"(b_step + i * B_STEP_BYTES + 4 * t) : "memory");
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(b1) : "r"(b_step + i * B_STEP_BYTES + 4 * t + 16) : "memory");
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b0), "r"(b1));
  }
}

#endif
// clang-format on

/* --- the kernel --- */

extern "C" __global__ void __launch_bounds__(128 * WARPGROUPS)
    gemv(const __grid_constant__ tensor_map a_map, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
         const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K) {
  extern __shared__ uint8_t shared[];
  /* The swizzle of tensor copies repeats every 1024 bytes of the address. */
  uint8_t *const a_stages = shared + (0u - shared_address(shared) & 1023);
  uint8_t *const b_steps = a_stages + WARPGROUPS * STAGES * STAGE_BYTES;
  const int groups = (K + GROUP_VALUES - 1) / GROUP_VALUES;
  uint8_t *const barriers = b_steps + groups * B_GROUP_BYTES + 128; /* the last columns beyond B's end */
  float *const partial = reinterpret_cast<float *>(barriers + WARPGROUPS * STAGES * 8);

  const int64_t batch = blockIdx.y;
  const int warpgroup = threadIdx.x / 128, warp = threadIdx.x / 32 % 4, quad = threadIdx.x / 4 % 8, t = threadIdx.x % 4;
  const bool leader = threadIdx.x % 128 == 0;
  const int row0 = blockIdx.x * ROWS, upper = 16 * warp + quad, lower = upper + 8; /* this thread's rows of the tile */

  const uint8_t *const ring = a_stages + warpgroup * STAGES * STAGE_BYTES;
  const uint32_t ready = shared_address(barriers) + warpgroup * STAGES * 8;
  /* Groups of K go to the warpgroups in turn. */
  const int mine = groups > warpgroup ? (groups - warpgroup + WARPGROUPS - 1) / WARPGROUPS : 0;
  const auto fetch = [&](int i) {
    const int stage = i % STAGES;
    barrier_expect(ready + 8 * stage, STAGE_BYTES);
    copy_box(shared_address(ring + stage * STAGE_BYTES), &a_map, (i * WARPGROUPS + warpgroup) * (GROUP_VALUES / 2),
             row0, blockIdx.y, ready + 8 * stage);
  };
  if (leader) {
    for (int stage = 0; stage < STAGES; ++stage)
      barrier_init(ready + 8 * stage, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    fence_async_proxy();
    for (int i = 0; i < min(STAGES, mine); ++i)
      fetch(i);
  }

  const uint8_t *sfa_upper = sfa + (batch * M + row0 + upper) * (K / 16);
  const uint8_t *sfa_lower = sfa + (batch * M + row0 + lower) * (K / 16);
  /* The scales of this thread's tile in group i; none beyond A, where the codes are zeros too. */
  const auto tile_scales = [&](const uint8_t *sfa_row, int row, int i) {
    const int tile = 4 * (i * WARPGROUPS + warpgroup) + t;
    return row0 + row < M && tile < K / TILE_VALUES ? load4_once(sfa_row + 4 * tile) : 0;
  };
  uint32_t next_upper = tile_scales(sfa_upper, upper, 0), next_lower = tile_scales(sfa_lower, lower, 0);

  b_prepare(b_steps, b + batch * PAD_ROWS * (K / 2), sfb + batch * PAD_ROWS * (K / 16), K);
  fence_async_proxy();
  __syncthreads();

  float d[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 1
  for (int i = 0; i < mine; ++i) {
    __half2 scale_upper[2], scale_lower[2];
    e4m3_to_half(next_upper, scale_upper), e4m3_to_half(next_lower, scale_lower);
    next_upper = tile_scales(sfa_upper, upper, i + 1), next_lower = tile_scales(sfa_lower, lower, i + 1);

    const uint8_t *const stage = ring + i % STAGES * STAGE_BYTES;
    barrier_wait(ready + i % STAGES * 8, i / STAGES & 1);
    __syncwarp(); /* matrix instructions are the whole warp's */
    /* Half a tile is two blocks: 16 bytes, which the copy has put at (their index in the row) ^ (row % 8). */
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int at = 16 * (2 * t + half ^ quad);
      const uint4 words_upper = stage16(stage + 128 * upper + at), words_lower = stage16(stage + 128 * lower + at);
      const uint32_t u[4] = {words_upper.x, words_upper.y, words_upper.z, words_upper.w};
      const uint32_t l[4] = {words_lower.x, words_lower.y, words_lower.z, words_lower.w};
      uint32_t steps[8][4];
#pragma unroll
      for (int word = 0; word < 4; ++word) {
        uint32_t vu[4], vl[4];
        scaled(u[word], word < 2 ? __low2half2(scale_upper[half]) : __high2half2(scale_upper[half]), vu);
        scaled(l[word], word < 2 ? __low2half2(scale_lower[half]) : __high2half2(scale_lower[half]), vl);
        steps[2 * word][0] = vu[0], steps[2 * word][1] = vl[0], steps[2 * word][2] = vu[1], steps[2 * word][3] = vl[1];
        steps[2 * word + 1][0] = vu[2], steps[2 * word + 1][1] = vl[2];
        steps[2 * word + 1][2] = vu[3], steps[2 * word + 1][3] = vl[3];
      }
      steps8(d, steps, shared_address(b_steps) + (i * WARPGROUPS + warpgroup) * B_GROUP_BYTES + half * 8 * B_STEP_BYTES,
             t);
    }

    warpgroup_sync(warpgroup); /* all have read the stage */
    if (leader && i + STAGES < mine)
      fetch(i + STAGES);
  }

  if (t == 0) { /* column 0 */
    partial[warpgroup * ROWS + upper] = d[0];
    partial[warpgroup * ROWS + lower] = d[2];
  }
  __syncthreads();
  if (threadIdx.x < ROWS && row0 + threadIdx.x < M) {
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < WARPGROUPS; ++i)
      sum += partial[i * ROWS + threadIdx.x];
    c[batch * M + row0 + threadIdx.x] = __float2half(sum * E2M1_UNSCALE);
  }
}
