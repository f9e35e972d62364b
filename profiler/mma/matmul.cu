// One matrix product for every type that mma.sync takes: C[M][N] = sum over k of A[M][K] * B[N][K], A and B K-major.
//
// Whatever the type, one instruction takes 16 rows of A and 8 of B that are 32 bytes wide, so the kernel counts K in bytes and knows nothing of
// elements.  The compiling side puts in front: MMA (the instruction's name), ACC_F32, ACC_F16 or ACC_S32, SCALES where it takes block
// scales, and the tile: BLOCK_M, BLOCK_N, BLOCK_K (bytes), WARPS_M, WARPS_N, STAGES, GROUP_M.
// M and N are multiples of 16 and K of the tile: the host sees to it.

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
constexpr int kTurnRows = kThreads / kChunks;
constexpr int kSteps = BLOCK_K / kStep;
static_assert(BLOCK_K == 64 || BLOCK_K == 128, "the swizzle is written for rows of 64 and 128 bytes");
static_assert(kWarpM % 16 == 0 && kWarpN % 16 == 0, "a warp's tile is made of 16 x 16");
static_assert(STAGES >= 3, "one is read, one is being filled, one is there");
static_assert(kTilesM * kSteps % 2 == 0, "a turn begins in the same registers as the one before");
static_assert(BLOCK_M % kTurnRows == 0 && BLOCK_N % kTurnRows == 0, "a tile is copied in whole turns of the block");
static_assert(kTurnRows % 8 == 0, "a thread's rows are swizzled alike");

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

// Where a thread's 16 bytes of a row come from and go to.  Every turn of the block copies kTurnRows rows of one operand.
struct copier {
  const char *a, *b; // of the thread's first row at the stage that comes next
  int row, last_a, last_b;
  int pitch; // bytes of a row; 256 of them are below 2^31
  unsigned to; // of the thread's first row in a stage
};

__device__ __forceinline__ void copy_piece(unsigned to, const char *from, bool there) {
  asm volatile("{\n.reg .pred there;\nsetp.ne.b32 there, %2, 0;\n@there cp.async.cg.shared.global [%0], [%1], 16;\n}" ::"r"(to),
               "l"(from), "r"((int)there));
}

// Part `part` of `parts` of the copy of a stage.  Rows past the last are the last once more, and nobody asks for their sums.
__device__ __forceinline__ void copy_part(const copier &c, int part, int parts, unsigned stage, bool there) {
  constexpr int turns_a = BLOCK_M / kTurnRows, turns = turns_a + BLOCK_N / kTurnRows;
#pragma unroll
  for (int i = turns * part / parts; i < turns * (part + 1) / parts; i++) {
    const bool of_a = i < turns_a;
    const int row = c.row + (of_a ? i : i - turns_a) * kTurnRows;
    const unsigned at = (unsigned)(min(row, of_a ? c.last_a : c.last_b) * c.pitch);
    copy_piece(stage + c.to + i * kTurnRows * BLOCK_K, (of_a ? c.a : c.b) + at, there);
  }
}

__device__ __forceinline__ void load_b(frag_b (&b)[kTilesN], int n, unsigned at) {
  unsigned r[4];
  load_matrices(r, at + n * 8 * BLOCK_K);
  b[n].r[0] = r[0], b[n].r[1] = r[1];
  b[n + 1].r[0] = r[2], b[n + 1].r[1] = r[3];
}

extern "C" __global__ void __launch_bounds__(kThreads)
    matmul(const char *__restrict__ a, const char *__restrict__ b, acc_t *__restrict__ c, int m, int n, long row_bytes) {
  extern __shared__ __align__(1024) char shared[];
  const unsigned stages = (unsigned)__cvta_generic_to_shared(shared);
  // GROUP_M rows of blocks go together along N, so that what they read of B stays in the L2.
  const int blocks_m = (m + BLOCK_M - 1) / BLOCK_M, blocks_n = (n + BLOCK_N - 1) / BLOCK_N;
  const int group = (int)blockIdx.x / (GROUP_M * blocks_n), first = group * GROUP_M;
  const int rows = min(blocks_m - first, GROUP_M), in_group = (int)blockIdx.x % (GROUP_M * blocks_n);
  const int block_m = (first + in_group % rows) * BLOCK_M, block_n = in_group / rows * BLOCK_N;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warp_m = warp / WARPS_N * kWarpM, warp_n = warp % WARPS_N * kWarpN;
  const int copy_row = threadIdx.x / kChunks, copy_chunk = threadIdx.x % kChunks;
  copier copy = {a + block_m * row_bytes + copy_chunk * 16, b + block_n * row_bytes + copy_chunk * 16, copy_row,
                 m - block_m - 1, n - block_n - 1, (int)row_bytes, copy_row * BLOCK_K + swizzle(copy_row, copy_chunk) * 16};
  const int turns = (int)(row_bytes / BLOCK_K);

  // A stage begins at a multiple of BLOCK_K, so that an exclusive or with 32 times the step leads to the step's chunks, swizzled.
  const int row_a = lane % 16, row_b = lane / 16 * 8 + lane % 8;
  const unsigned lane_a = (warp_m + row_a) * BLOCK_K + swizzle(row_a, lane / 16) * 16;
  const unsigned lane_b = (BLOCK_M + warp_n + row_b) * BLOCK_K + swizzle(row_b, lane / 8 % 2) * 16;

  accs sum[kTilesM][kTilesN] = {};
  frag_a fa[2];
  frag_b fb[2][kTilesN];

#pragma unroll
  for (int s = 0; s < STAGES - 1; s++) {
    copy_part(copy, 0, 1, stages + s * kStageBytes, s < turns);
    copy.a += BLOCK_K, copy.b += BLOCK_K;
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
  __syncthreads();
  load_matrices(fa[0].r, stages + lane_a);
#pragma unroll
  for (int j = 0; j < kTilesN; j += 2)
    load_b(fb[0], j, stages + lane_b);

  // The operands of a multiplication are loaded while the one before it runs, across the border of two stages too.
  unsigned now = stages, fill = stages + (STAGES - 1) * kStageBytes;
  for (int turn = 0; turn < turns; turn++) {
    const unsigned next = now + kStageBytes == stages + STAGES * kStageBytes ? stages : now + kStageBytes;
#pragma unroll
    for (int step = 0; step < kSteps; step++) {
      const bool crosses = step + 1 == kSteps;
      if (crosses) { // the next stage is there for all, and nobody reads any more the one before this, which is filled
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 3));
        __syncthreads();
      }
      const unsigned at_a = (now + lane_a) ^ (step * kStep);
      const unsigned next_a = crosses ? next + lane_a : (now + lane_a) ^ ((step + 1) * kStep);
      const unsigned next_b = crosses ? next + lane_b : (now + lane_b) ^ ((step + 1) * kStep);
#pragma unroll
      for (int i = 0; i < kTilesM; i++) {
        const int even = (step * kTilesM + i) % 2;
        load_matrices(fa[!even].r, i + 1 < kTilesM ? at_a + (i + 1) * 16 * BLOCK_K : next_a);
#pragma unroll
        for (int j = kTilesN / 2 * i / kTilesM; j < kTilesN / 2 * (i + 1) / kTilesM; j++)
          load_b(fb[(step + 1) % 2], 2 * j, next_b);
        if (crosses)
          copy_part(copy, i, kTilesM, fill, turn + STAGES - 1 < turns);
#pragma unroll
        for (int j = 0; j < kTilesN; j++)
          multiply(sum[i][j], fa[even], fb[step % 2][j]);
      }
    }
    asm volatile("cp.async.commit_group;");
    copy.a += BLOCK_K, copy.b += BLOCK_K;
    fill = now;
    now = next;
  }

  // A thread holds two neighbours of a row, and two more eight rows below.
  const int words = ACCS == 2 ? n / 2 : n; // in a row of C
#pragma unroll
  for (int i = 0; i < kTilesM; i++)
#pragma unroll
    for (int j = 0; j < kTilesN; j++) {
      const long row = block_m + warp_m + i * 16 + lane / 4;
      const int column = block_n + warp_n + j * 8 + lane % 4 * 2;
      if (row >= m || column >= n) // a warp's 16 x 8 lie within C or outside
        continue;
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
  constexpr int side = 4;
  static_assert(2 * PEAK_CHAINS == side * side, "a turn multiplies every A with every B");
  accs sum[PEAK_CHAINS];
  // Chains that start alike would be one chain to the compiler, where it sees through the instruction.
#pragma unroll
  for (int i = 0; i < PEAK_CHAINS; i++)
    for (int r = 0; r < ACCS; r++)
      sum[i].r[r] = (acc_t)(turns * (i * ACCS + r));
  // No two products of a turn share both operands, and every A changes from turn to turn, as in a matrix product: an instruction that is
  // emulated as conversions, a product and a sum would else have some of them made once for several.  The lanes' registers differ, or the
  // compiler would keep them in uniform ones and move them for every product.
  frag_a a[side];
  frag_b b[side];
  const unsigned own = operand + threadIdx.x % 32 * 32;
#pragma unroll
  for (int i = 0; i < side; i++) {
    a[i] = {{own + 6 * i, own + 6 * i + 1, own + 6 * i + 2, own + 6 * i + 3}};
    b[i] = {{own + 6 * i + 4, own + 6 * i + 5}};
  }
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < side * side; i++) {
      multiply(sum[i % PEAK_CHAINS], a[i % side], b[i / side]);
#pragma unroll
      for (int r = 0; r < 4 && i / side == side - 1; r++)
        a[i % side].r[r]++;
    }
  acc_t all = 0;
#pragma unroll
  for (int i = 0; i < PEAK_CHAINS; i++)
    for (int r = 0; r < ACCS; r++)
      all += sum[i].r[r];
  if (turns < 0) // never: it keeps the sums
    *out = all;
}
