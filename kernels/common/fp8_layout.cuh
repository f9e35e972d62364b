/* FP4 in the fp8 tensor cores: an e2m1 code becomes an e4m3 byte by moving bits, and every block keeps a column of its own.
 *
 * s.ee.m as s.00ee.m00 is the same value times 2^-6, the subnormal half included, so that a word of eight codes costs seven instructions and no table.
 * Sums of a block stay exact: products are whole quarters of at most 36, and sixteen of them make at most 576, 12 bits of the 13 that the sums keep.
 *
 * A quad of lines is 8 rows by four lines of 256 values, a line a warp of the warpgroup.  Lane 4g+t holds 16 bytes, two blocks, of rows g/2 (upper) and
 * g/2+4 (lower): bytes 16t to 16t+15 of the line's first half (g even) or second (g odd).  A step is one of the four words: its low nibbles are bytes 4t
 * to 4t+3 of the 32 that the instruction takes of a row, its high ones bytes 16+4t to 16+4t+3.
 *
 * B has 32 columns, 8 for each warp's line.  Of those, column 2t+h holds in the bytes of lane t what lane t of half h meets, and zeros in the others', so
 * that each lane's blocks are summed apart; and columns 2t and 2t+1 come back to lane t itself, which keeps the one of its half.  The first two steps are
 * the even block, the others the odd one, with sums of their own.  The other warps' columns are sums that nobody looks at: so four lines of a row at a
 * time are multiplied, and the rows that a block takes at once may lie in one run of memory.
 *
 * Plain C as well, so that a test on the host can work it out. */
#pragma once

#ifdef __CUDACC__
#include "common/types.cuh"
#define FP8_FUNCTION static __device__ __forceinline__
#else
#include <stdint.h>
#define FP8_FUNCTION static inline
#endif

/* Of B, a quad of lines: four steps of four lines of two matrices, of the low nibbles and of the high ones, each eight columns of 16 bytes. */
enum { FP8_QUAD = 4096, FP8_STEP = 1024, FP8_LINE = 256, FP8_HIGH = 128, FP8_COLUMN = 16 };

struct fp8_codes {
  uint32_t lo, hi; /* of each byte the low nibble, and the high one */
};

FP8_FUNCTION struct fp8_codes fp8_of_e2m1(uint32_t codes) {
  const struct fp8_codes v = {((codes << 4) & 0x80808080u) | ((codes << 2) & 0x1c1c1c1cu),
                              (codes & 0x80808080u) | ((codes >> 2) & 0x1c1c1c1cu)};
  return v;
}

/* Where the column of a piece of B begins, its first step's low nibbles; of its 16 bytes, 4t to 4t + 3 are the piece's. */
struct fp8_column {
  uint8_t *at;
  int t;
};

/* Of B's 16 bytes number `piece`, in quads. */
FP8_FUNCTION struct fp8_column fp8_column_of(uint8_t *quads, int piece) {
  const int line = piece / 8, half = piece / 4 % 2, t = piece % 4;
  const struct fp8_column c = {quads + line / 4 * FP8_QUAD + line % 4 * FP8_LINE + (2 * t + half) * FP8_COLUMN, t};
  return c;
}
