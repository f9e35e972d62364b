/* What tcgen05 must be told about an NVFP4 product: its instruction descriptor, its shared memory descriptors, and the places of operands and
 * scales in a stage.  Plain C as well, so that a test on the host can work them out: no chip that has tcgen05 was at hand.
 *
 * The source is NVIDIA's PTX ISA, "TensorCore 5th Generation Family Instructions": sections and tables by the numbers of the editions that have
 * it at 9.7.16. */
#pragma once

#ifdef __CUDACC__
#include "common/types.cuh"
#define LAYOUT_FUNCTION static __device__ __forceinline__
#else
#include <stdint.h>
#define LAYOUT_FUNCTION static inline
#endif

/* One instruction: 128 rows of A, eight columns of B (the fewest that there are, the vector being the first), 64 values of K.
 * Table 39, shapes by .kind: mxf4nvf4, one block, dense: M = 128, N a multiple of 8 from 8 to 256, K = 64. */
enum { MMA_ROWS = 128, MMA_COLUMNS = 8, MMA_VALUES = 64, MMA_BYTES = MMA_VALUES / 2 };

/* A stage: 256 values of K, which is a row of 128 bytes, the width of the swizzle, and four instructions. */
enum {
  STAGE_VALUES = 256,
  STAGE_STEPS = STAGE_VALUES / MMA_VALUES,
  STAGE_ROW_BYTES = STAGE_VALUES / 2,
  SCALE_TILE_BYTES = 512, /* the 128x4 layout: 128 rows, the four scales of 64 values */
  STAGE_A = 0,
  STAGE_B = STAGE_A + MMA_ROWS * STAGE_ROW_BYTES,
  STAGE_SFA = STAGE_B + MMA_COLUMNS * STAGE_ROW_BYTES,
  STAGE_SFB = STAGE_SFA + STAGE_STEPS * SCALE_TILE_BYTES,
  STAGE_BYTES = STAGE_SFB + STAGE_STEPS * SCALE_TILE_BYTES
};

/* Tensor memory, in columns of 128 lanes x 32 bits: the sums (a column of C each), then the scales of every stage, a tile in four columns. */
enum { TMEM_TILE = 4, TMEM_STAGE_SFB = STAGE_STEPS * TMEM_TILE, TMEM_STAGE = 2 * TMEM_STAGE_SFB };

/* Where the scales of a stage's step lie, from the first column of the allocation. */
LAYOUT_FUNCTION uint32_t tmem_sfa(uint32_t stage, uint32_t step) {
  return MMA_COLUMNS + stage * TMEM_STAGE + step * TMEM_TILE;
}

LAYOUT_FUNCTION uint32_t tmem_sfb(uint32_t stage, uint32_t step) {
  return tmem_sfa(stage, step) + TMEM_STAGE_SFB;
}

/* Columns to allocate: "tcgen05.alloc" takes powers of two from 32 to 512. */
LAYOUT_FUNCTION uint32_t tmem_columns(uint32_t stages) {
  const uint32_t needed = MMA_COLUMNS + stages * TMEM_STAGE;
  return needed <= 32 ? 32 : needed <= 64 ? 64 : needed <= 128 ? 128 : needed <= 256 ? 256 : 512;
}

/* Table 44, instruction descriptor for .kind::mxf4 and .kind::mxf4nvf4.  What is 0 in it: dense (bit 2), the scales of B from byte 0 of their
 * column (bits 4-5), nothing negated (13, 14) or transposed (15, 16), scales of type ue4m3 (23), the scales of A from byte 0 (29-30), K = 64 (31). */
LAYOUT_FUNCTION uint32_t mma_instruction(uint32_t rows, uint32_t columns) {
  return 1u << 7                /* bits 7-9: A is e2m1 */
         | 1u << 10             /* bits 10-11: B is e2m1 */
         | (columns >> 3) << 17 /* bits 17-22: N without its three lowest bits */
         | (rows >> 7) << 27;   /* bits 27-28: M without its seven lowest bits */
}

enum mma_swizzle { MMA_SWIZZLE_NONE = 0, MMA_SWIZZLE_128 = 2 };

/* Table 40, shared memory descriptor: addresses and offsets in units of 16 bytes, 14 bits each. */
LAYOUT_FUNCTION uint64_t mma_matrix(uint32_t address, uint32_t leading_bytes, uint32_t stride_bytes,
                                    enum mma_swizzle swizzle) {
  return (uint64_t)((address & 0x3ffff) >> 4)               /* bits 0-13: where the matrix starts */
         | (uint64_t)((leading_bytes & 0x3ffff) >> 4) << 16 /* bits 16-29: leading dimension byte offset */
         | (uint64_t)((stride_bytes & 0x3ffff) >> 4) << 32  /* bits 32-45: stride dimension byte offset */
         | (uint64_t)1 << 46                                /* bits 46-48: 0b001 */
         | (uint64_t)swizzle << 61; /* bits 61-63; base offset (49-51) 0: patterns start at 1024 bytes (Table 41) */
}

/* 64 values of K of a stage's A or B, rows of 128 bytes that the copy has swizzled: eight rows to a pattern of 1024 bytes, which is the stride
 * (9.7.16.3, K-major); the leading offset is not used by swizzled layouts and assumed 1.  A step starts 32 bytes further on, within the
 * pattern: the swizzle is of address bits, 4-6 by 7-9, and so holds wherever a matrix starts. */
LAYOUT_FUNCTION uint64_t mma_operand(uint32_t matrix, uint32_t step) {
  return mma_matrix(matrix + step * MMA_BYTES, 16, 8 * STAGE_ROW_BYTES, MMA_SWIZZLE_128);
}

/* A tile of the 128x4 layout for tcgen05.cp.32x128b: 32 rows of 16 bytes, one after another, so eight rows take 128. */
LAYOUT_FUNCTION uint64_t mma_scales(uint32_t tiles, uint32_t step) {
  return mma_matrix(tiles + step * SCALE_TILE_BYTES, 16, 128, MMA_SWIZZLE_NONE);
}
