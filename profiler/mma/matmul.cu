// One matrix product for every type that mma.sync takes: C[M][N] = sum over k of A[M][K] * B[N][K], A and B K-major.
//
// Whatever the type, one instruction takes 16 rows of A and 8 of B that are 32 bytes wide, so the kernel counts K in bytes and knows nothing of
// elements.  The compiling side puts in front: MMA (the instruction's name), ACC_F32, ACC_F16 or ACC_S32, SCALES where it takes block
// scales, and the tile: BLOCK_M, BLOCK_N, BLOCK_K (bytes), WARPS_M, WARPS_N, STAGES, GROUP_M.
// M, N and K are multiples of the tile: the host sees to it.

#if defined(ACC_F32)
typedef float acc_t;
#define ACCS 4
#define ACC "+f"
#elif defined(ACC_F16)
typedef unsigned acc_t; // two fp16
#define ACCS 2
#define ACC "+r"
#else
typedef int acc_t;
#define ACCS 4
#define ACC "+r"
#endif

constexpr int kStep = 32; // bytes along K of one instruction
constexpr int kThreads = 32 * WARPS_M * WARPS_N;
constexpr int kWarpM = BLOCK_M / WARPS_M, kWarpN = BLOCK_N / WARPS_N;
constexpr int kTilesM = kWarpM / 16, kTilesN = kWarpN / 8;
constexpr int kStageBytes = (BLOCK_M + BLOCK_N) * BLOCK_K;
constexpr int kChunks = BLOCK_K / 16; // 16-byte pieces of a row
static_assert(BLOCK_K == 64 || BLOCK_K == 128, "the swizzle is written for rows of 64 and 128 bytes");
static_assert(kWarpM % 16 == 0 && kWarpN % 16 == 0, "a warp's tile is made of 16 x 16");
static_assert(BLOCK_M * kChunks % kThreads == 0 && BLOCK_N * kChunks % kThreads == 0, "a tile is copied in whole turns of the block");

struct frag_a { unsigned r[4]; };
struct frag_b { unsigned r[2]; };
struct accs { acc_t r[ACCS]; };

#ifdef SCALES
// Scales of 1 for every block: the rate does not depend on them.  ue8m0 and ue4m3 write 1 as 0x7f and 0x38.
#define SCALE_OPERANDS ", {%10}, {0, 0}, {%10}, {0, 0}"
#define SCALE_INPUT , "r"(SCALES)
#else
#define SCALE_OPERANDS ""
#define SCALE_INPUT
#endif

__device__ __forceinline__ void multiply(accs &c, const frag_a &a, const frag_b &b) {
#ifdef ACC_F16
  asm volatile(MMA " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(c.r[0]), "+r"(c.r[1])
               : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]));
#else
  asm volatile(MMA " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}" SCALE_OPERANDS ";"
               : ACC(c.r[0]), ACC(c.r[1]), ACC(c.r[2]), ACC(c.r[3])
               : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]) SCALE_INPUT);
#endif
}

__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

// Eight rows of one chunk, which ldmatrix reads at once, fall on eight different groups of banks.
__device__ __forceinline__ int swizzle(int row, int chunk) {
  return chunk ^ (BLOCK_K == 128 ? row & 7 : row >> 1 & 3);
}

template <int ROWS>
__device__ __forceinline__ void copy_rows(unsigned to, const char *from, long pitch) {
#pragma unroll
  for (int i = 0; i < ROWS * kChunks / kThreads; i++) {
    const int at = i * kThreads + (int)threadIdx.x, row = at / kChunks, chunk = at % kChunks;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + row * BLOCK_K + swizzle(row, chunk) * 16),
                 "l"(from + row * pitch + chunk * 16));
  }
}

__device__ __forceinline__ void load_fragments(frag_a (&a)[kTilesM], frag_b (&b)[kTilesN], unsigned rows_a, unsigned rows_b,
                                               int step) {
  const int lane = threadIdx.x % 32;
  const int row_a = lane % 16, row_b = lane / 16 * 8 + lane % 8;
  const unsigned at_a = rows_a + row_a * BLOCK_K + swizzle(row_a, step * 2 + lane / 16) * 16;
  const unsigned at_b = rows_b + row_b * BLOCK_K + swizzle(row_b, step * 2 + lane / 8 % 2) * 16;
#pragma unroll
  for (int m = 0; m < kTilesM; m++)
    load_matrices(a[m].r, at_a + m * 16 * BLOCK_K);
#pragma unroll
  for (int n = 0; n < kTilesN; n += 2) {
    unsigned r[4];
    load_matrices(r, at_b + n * 8 * BLOCK_K);
    b[n].r[0] = r[0], b[n].r[1] = r[1];
    b[n + 1].r[0] = r[2], b[n + 1].r[1] = r[3];
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    matmul(const char *__restrict__ a, const char *__restrict__ b, acc_t *__restrict__ c, int m, int n, long row_bytes) {
  extern __shared__ __align__(1024) char shared[];
  const unsigned stages = (unsigned)__cvta_generic_to_shared(shared);
  // GROUP_M rows of blocks go together along N, so that what they read of B stays in the L2.
  const int blocks_m = m / BLOCK_M, blocks_n = n / BLOCK_N;
  const int group = (int)blockIdx.x / (GROUP_M * blocks_n), first = group * GROUP_M;
  const int rows = min(blocks_m - first, GROUP_M), in_group = (int)blockIdx.x % (GROUP_M * blocks_n);
  const int block_m = first + in_group % rows, block_n = in_group / rows;
  const int warp = threadIdx.x / 32, warp_m = warp / WARPS_N, warp_n = warp % WARPS_N;
  const char *const from_a = a + (long)block_m * BLOCK_M * row_bytes, *const from_b = b + (long)block_n * BLOCK_N * row_bytes;
  const int turns = (int)(row_bytes / BLOCK_K);

  accs sum[kTilesM][kTilesN] = {};
  frag_a fa[2][kTilesM];
  frag_b fb[2][kTilesN];

#pragma unroll
  for (int s = 0; s < STAGES - 1; s++) {
    if (s < turns) {
      copy_rows<BLOCK_M>(stages + s * kStageBytes, from_a + (long)s * BLOCK_K, row_bytes);
      copy_rows<BLOCK_N>(stages + s * kStageBytes + BLOCK_M * BLOCK_K, from_b + (long)s * BLOCK_K, row_bytes);
    }
    asm volatile("cp.async.commit_group;");
  }
  for (int turn = 0, stage = 0, fill = STAGES - 1; turn < turns; turn++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
    __syncthreads(); // the stage is there for all, and nobody reads any more the one that is filled next
    const unsigned rows_a = stages + stage * kStageBytes + warp_m * kWarpM * BLOCK_K;
    const unsigned rows_b = stages + stage * kStageBytes + (BLOCK_M + warp_n * kWarpN) * BLOCK_K;
    load_fragments(fa[0], fb[0], rows_a, rows_b, 0);
    if (turn + STAGES - 1 < turns) {
      const long at = (long)(turn + STAGES - 1) * BLOCK_K;
      copy_rows<BLOCK_M>(stages + fill * kStageBytes, from_a + at, row_bytes);
      copy_rows<BLOCK_N>(stages + fill * kStageBytes + BLOCK_M * BLOCK_K, from_b + at, row_bytes);
    }
    asm volatile("cp.async.commit_group;");
#pragma unroll
    for (int step = 0; step < BLOCK_K / kStep; step++) {
      if (step + 1 < BLOCK_K / kStep)
        load_fragments(fa[(step + 1) % 2], fb[(step + 1) % 2], rows_a, rows_b, step + 1);
#pragma unroll
      for (int i = 0; i < kTilesM; i++)
#pragma unroll
        for (int j = 0; j < kTilesN; j++)
          multiply(sum[i][j], fa[step % 2][i], fb[step % 2][j]);
    }
    stage = stage + 1 == STAGES ? 0 : stage + 1;
    fill = fill + 1 == STAGES ? 0 : fill + 1;
  }

  // A thread holds two neighbours of a row, and two more eight rows below.
  const int lane = threadIdx.x % 32;
  const int words = ACCS == 2 ? n / 2 : n; // in a row of C
#pragma unroll
  for (int i = 0; i < kTilesM; i++)
#pragma unroll
    for (int j = 0; j < kTilesN; j++) {
      const long row = (long)block_m * BLOCK_M + warp_m * kWarpM + i * 16 + lane / 4;
      const int column = block_n * BLOCK_N + warp_n * kWarpN + j * 8 + lane % 4 * 2;
#if defined(ACC_F16)
      c[row * words + column / 2] = sum[i][j].r[0];
      c[(row + 8) * words + column / 2] = sum[i][j].r[1];
#else
      struct alignas(8) pair { acc_t x, y; };
      *(pair *)&c[row * words + column] = pair{sum[i][j].r[0], sum[i][j].r[1]};
      *(pair *)&c[(row + 8) * words + column] = pair{sum[i][j].r[2], sum[i][j].r[3]};
#endif
    }
}

// The instruction's own ceiling: PEAK_CHAINS independent sums a warp, operands in registers, no memory.
extern "C" __global__ void __launch_bounds__(256) peak(acc_t *out, int turns, unsigned operand) {
  accs sum[PEAK_CHAINS];
  // Chains that start alike would be one chain to the compiler, where it sees through the instruction.
#pragma unroll
  for (int i = 0; i < PEAK_CHAINS; i++)
    for (int r = 0; r < ACCS; r++)
      sum[i].r[r] = (acc_t)(turns * (i * ACCS + r));
  frag_a a = {{operand, operand + 1, operand + 2, operand + 3}};
  const frag_b b = {{operand + 4, operand + 5}};
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < 2 * PEAK_CHAINS; i++) {
      multiply(sum[i % PEAK_CHAINS], a, b);
      a.r[0]++; // an instruction that is emulated as a product and a sum would have its product made once and for all
    }
  acc_t all = 0;
#pragma unroll
  for (int i = 0; i < PEAK_CHAINS; i++)
    for (int r = 0; r < ACCS; r++)
      all += sum[i].r[r];
  if (turns < 0) // never: it keeps the sums
    *out = all;
}
