//! problem:   generic
//! id:        adapter-read-a-thread
//! ladder:    adapter-trim
//! size:      N = 16M
//! param:     READS = 524288
//! param:     LENGTH = 64
//! buffer:    base = u8[LENGTH * READS]; init = random
//! buffer:    score = i32[READS]
//! output:    score
//! step:      kernel = score_one; grid = READS / 128; block = 128; args = base, score
//! reference: kernel = score_table; grid = READS / 128; block = 128; args = base, score
//! note:      how well a sequencing adapter of 32 bases aligns anywhere in each read; base k of all reads, then k + 1

//! id:        adapter-two-reads-a-thread
//! parent:    adapter-read-a-thread
//! change:    two reads a thread, one in each half of a register
//! predicts:  time < 0.7x; inst < 0.7x
//! step:      kernel = score_two; grid = READS / 256; block = 128; args = base, score

enum { ADAPTER = 32, MATCH = 2, MISMATCH = -1, GAP = 2 };

// AGATCGGAAGAGCACACGTCTGAACTCCAGTC with A C G T as 0 1 2 3.
__device__ constexpr int adapter(int k) {
  return "02031220020210101231320013110231"[k] - '0';
}

// The scores of an adapter's base against the four that a read may have, a byte each.
__device__ constexpr unsigned scores(int k) {
  return 0xffffffffu ^ ((MISMATCH ^ MATCH) & 0xffu) << 8 * adapter(k);
}

// Bytes of `scores` by the digits of `which`; the high bit of a digit asks for the byte's sign instead.
__device__ unsigned pick(unsigned scores, unsigned which) {
  unsigned r;
  asm("prmt.b32 %0, %1, 0, %2;" : "=r"(r) : "r"(scores), "r"(which));
  return r;
}

extern "C" __global__ void __launch_bounds__(128, 6)
    score_one(const unsigned char *__restrict__ base, int *__restrict__ score) {
  int read = blockIdx.x * 128 + threadIdx.x, h[ADAPTER], best = 0;
#pragma unroll
  for (int i = 0; i < ADAPTER; i++)
    h[i] = 0;
#pragma unroll 1
  for (int k = 0; k < LENGTH; k++) {
    unsigned d = base[k * READS + read] & 3, which = d * 0x1111 | 0x8880;
    int diagonal = 0, up = 0;
#pragma unroll
    for (int i = 0; i < ADAPTER; i++) {
      int s = pick(scores(i), which);
      int best_gap = __viaddmax_s32(h[i], -GAP, __viaddmax_s32(up, -GAP, 0));
      up = __viaddmax_s32(diagonal, s, best_gap);
      diagonal = h[i];
      h[i] = up;
      best = max(best, up);
    }
  }
  score[read] = best;
}

extern "C" __global__ void __launch_bounds__(128, 6)
    score_two(const uchar2 *__restrict__ base, int2 *__restrict__ score) {
  int read = blockIdx.x * 128 + threadIdx.x;
  const unsigned gap = (-GAP & 0xffff) * 0x10001u;
  unsigned h[ADAPTER], best = 0;
#pragma unroll
  for (int i = 0; i < ADAPTER; i++)
    h[i] = 0;
#pragma unroll 1
  for (int k = 0; k < LENGTH; k++) {
    uchar2 d = base[k * (READS / 2) + read];
    unsigned which = (d.x & 3) * 0x11 | (d.y & 3) * 0x1100 | 0x8080, diagonal = 0, up = 0;
#pragma unroll
    for (int i = 0; i < ADAPTER; i++) {
      unsigned s = pick(scores(i), which);
      unsigned best_gap = __viaddmax_s16x2(h[i], gap, __viaddmax_s16x2(up, gap, 0));
      up = __viaddmax_s16x2(diagonal, s, best_gap);
      diagonal = h[i];
      h[i] = up;
      best = __vmaxs2(best, up);
    }
  }
  score[read] = make_int2(best & 0xffff, best >> 16);
}

extern "C" __global__ void score_table(const unsigned char *base, int *score) {
  int read = blockIdx.x * 128 + threadIdx.x, h[2][ADAPTER + 1], best = 0;
  for (int i = 0; i <= ADAPTER; i++)
    h[0][i] = h[1][i] = 0;
  for (int k = 0; k < LENGTH; k++) {
    int *now = h[k % 2], *before = h[1 - k % 2];
    for (int i = 1; i <= ADAPTER; i++) {
      bool same = adapter(i - 1) == (base[k * READS + read] & 3);
      now[i] = max(max(0, before[i - 1] + (same ? MATCH : MISMATCH)), max(before[i], now[i - 1]) - GAP);
      best = max(best, now[i]);
    }
  }
  score[read] = best;
}
