/* What cute-10-tcgen05 tells the tensor core of sm_100, of which none was at hand: its descriptors worked out by hand from the tables of the PTX ISA,
 * and a product made by a model that reads operands and scales only where those descriptors say.  The model is ours, from the same
 * pages: it finds an offset that is wrong, not a page that is. */
#include "kernels/common/tcgen05_layout.cuh"
#include "kernels/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void descriptors_by_hand(void **state) {
  (void)state;
  /* e2m1 = 1 at bits 7 and 10; 8 / 8 = 1 at 17; 128 / 128 = 1 at 27: 0x80 + 0x400 + 0x20000 + 0x8000000 */
  assert_int_equal(mma_instruction(128, 8), 0x08020480);
  /* 256 / 8 = 32 at bit 17: 0x400000 */
  assert_int_equal(mma_instruction(128, 256), 0x08400480);
  /* 0x15400 / 16 = 0x1540; 16 / 16 = 1 at 16; 1024 / 16 = 0x40 at 32; 1 at 46; 2 at 61 */
  assert_true(mma_operand(0x15400, 0) == 0x4000404000011540);
  assert_true(mma_operand(0x15400, 3) == 0x4000404000011546); /* 96 / 16 = 6 further */
  /* 128 / 16 = 8 at 32, no swizzle; a step is 512 / 16 = 0x20 further */
  assert_true(mma_scales(0x4400, 0) == 0x0000400800010440);
  assert_true(mma_scales(0x4400, 2) == 0x0000400800010480);
  assert_true((mma_scales(0x3fff0, 0) & 0xffff) == 0x3fff); /* the last address of 18 bits */
}

static void stages_by_hand(void **state) {
  (void)state;
  /* 128 rows and 8 rows of 128 bytes, then four tiles of 512 each of SFA and SFB */
  assert_int_equal(STAGE_B, 16384);
  assert_int_equal(STAGE_SFA, 17408);
  assert_int_equal(STAGE_SFB, 19456);
  assert_int_equal(STAGE_BYTES, 21504);
  assert_int_equal(STAGE_BYTES % 1024, 0); /* the pattern of the swizzle starts anew with every stage, */
  assert_int_equal(STAGE_B % 1024, 0);     /* and with B */
  /* 8 columns of sums, then 32 a stage: 16 of SFA, 16 of SFB, 4 a step */
  assert_int_equal(tmem_sfa(0, 0), 8);
  assert_int_equal(tmem_sfb(0, 0), 24);
  assert_int_equal(tmem_sfa(2, 3), 8 + 64 + 12);
  assert_int_equal(tmem_sfb(2, 3), 8 + 64 + 16 + 12);
  assert_int_equal(tmem_columns(1), 64);  /* 40 */
  assert_int_equal(tmem_columns(3), 128); /* 104 */
  assert_int_equal(tmem_columns(4), 256); /* 136 */
  assert_int_equal(tmem_columns(8), 512); /* 264 */
}

static void blocked_scales_by_hand(void **state) {
  (void)state;
  assert_int_equal(problem_blocked_bytes(130, 20, 3), 3 * 2 * 5 * 512);
  assert_int_equal(problem_blocked_at(130, 20, 0, 0, 0), 0);
  assert_int_equal(problem_blocked_at(130, 20, 0, 1, 3), 19);          /* the next 16 bytes */
  assert_int_equal(problem_blocked_at(130, 20, 0, 35, 2), 3 * 16 + 6); /* row 3 of the second 32 */
  assert_int_equal(problem_blocked_at(130, 20, 0, 127, 0), 31 * 16 + 12);
  assert_int_equal(problem_blocked_at(130, 20, 0, 0, 4), 512);       /* tiles along K first, */
  assert_int_equal(problem_blocked_at(130, 20, 0, 128, 0), 5 * 512); /* then the next 128 rows, */
  assert_int_equal(problem_blocked_at(130, 20, 2, 0, 0), 20 * 512);  /* then batches */
}

/* --- a model of the chip: shared memory, tensor memory, and the four instructions that move between them --- */

enum { STAGES = 2, LANES = 128, TMEM_COLUMNS = 512, FIRST = 1024, POISON = 0x7f };

struct chip {
  uint8_t shared[FIRST + STAGES * STAGE_BYTES];
  uint32_t tmem[LANES][TMEM_COLUMNS];
  double sums[LANES][MMA_COLUMNS]; /* instead of fp32 in tensor memory, so that the comparison is exact */
};

/* PTX ISA, "Swizzling modes", 128 bytes: bits 4-6 of the address by bits 7-9. */
static uint32_t swizzled(uint32_t address) {
  return address ^ (address >> 7 & 7) << 4;
}

/* A box of `rows` rows of 128 bytes out of a row-major array; outside of it zeros. */
static void chip_copy_box(struct chip *c, uint32_t to, const uint8_t *from, size_t row_bytes, size_t n_rows,
                          size_t byte, size_t row, uint32_t rows) {
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t b = 0; b < 128; b++) {
      bool inside = row + r < n_rows && byte + b < row_bytes;
      c->shared[swizzled(to + 128 * r + b)] = inside ? from[(row + r) * row_bytes + byte + b] : 0;
    }
}

/* A byte of a matrix that a shared memory descriptor names, K-major: groups of eight rows at the stride. */
static uint8_t chip_byte(const struct chip *c, uint64_t matrix, uint32_t row, uint32_t byte) {
  uint32_t start = (uint32_t)(matrix & 0x3fff) << 4, stride = (uint32_t)(matrix >> 32 & 0x3fff) << 4;

  if (matrix >> 61 == 2)
    return c->shared[swizzled(start + row / 8 * stride + row % 8 * 128 + byte)];
  assert_int_equal(matrix >> 61, 0);
  return c->shared[start + row / 8 * stride + row % 8 * 16 + byte];
}

/* tcgen05.cp.32x128b.warpx4: 32 rows of 16 bytes to 32 lanes of four columns, and the same to the lanes of the three other warps. */
static void chip_copy_scales(struct chip *c, uint32_t to, uint64_t scales) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    for (uint32_t byte = 0; byte < 16; byte++) {
      uint32_t *word = &c->tmem[lane][to + byte / 4], shift = byte % 4 * 8;
      *word = (*word & ~(0xffu << shift)) | (uint32_t)chip_byte(c, scales, lane % 32, byte) << shift;
    }
}

/* PTX ISA, "Layout of the Scale Factor A Matrix for scale_vec::4X", and of B: row r in lane r % 32 of column r / 32, a byte for each 16 of K. */
static double chip_scale(const struct chip *c, uint32_t scales, uint32_t row, uint32_t k) {
  return e4m3fn_value(c->tmem[row % 32][scales + row / 32] >> k / 16 * 8 & 0xff);
}

static double chip_value(const struct chip *c, uint64_t matrix, uint32_t row, uint32_t k) {
  return e2m1_value(chip_byte(c, matrix, row, k / 2) >> k % 2 * 4 & 0xf);
}

static void chip_mma(struct chip *c, uint64_t a, uint64_t b, uint32_t instruction, uint32_t sfa, uint32_t sfb,
                     bool add) {
  uint32_t rows = (instruction >> 27 & 3) << 7, columns = (instruction >> 17 & 0x3f) << 3;

  for (uint32_t m = 0; m < rows; m++)
    for (uint32_t n = 0; n < columns; n++) {
      double sum = add ? c->sums[m][n] : 0;
      for (uint32_t k = 0; k < MMA_VALUES; k++)
        sum += chip_value(c, a, m, k) * chip_value(c, b, n, k) * (chip_scale(c, sfa, m, k) * chip_scale(c, sfb, n, k));
      c->sums[m][n] = sum;
    }
}

/* --- the kernel's loop on it --- */

struct blocked {
  uint8_t *sfa, *sfb;
};

static void block_scales(uint8_t **out, const uint8_t *scales, size_t rows, size_t columns, size_t batches) {
  *out = calloc(1, problem_blocked_bytes(rows, columns, batches));
  assert_non_null(*out);
  for (size_t l = 0; l < batches; l++)
    for (size_t r = 0; r < rows; r++)
      for (size_t k = 0; k < columns; k++)
        (*out)[problem_blocked_at(rows, columns, l, r, k)] = scales[(l * rows + r) * columns + k];
}

/* What the block of `rank` of `split` adds to rows 128 tile ...; false where it has no share of K. */
static bool chip_block(struct chip *c, const struct problem *p, const struct blocked *s, size_t l, size_t tile,
                       int rank, int split) {
  int steps = (int)(p->shape.k / MMA_VALUES), groups = (steps + STAGE_STEPS - 1) / STAGE_STEPS;
  size_t row_bytes = (size_t)p->shape.k / 2, m = (size_t)p->shape.m;
  const uint8_t *sfa = s->sfa + problem_blocked_at(m, (size_t)steps * 4, l, tile * MMA_ROWS, 0);
  const uint8_t *sfb = s->sfb + problem_blocked_at(PROBLEM_PAD_ROWS, (size_t)steps * 4, l, 0, 0);

  for (int i = 0, group = rank; group < groups; i++, group += split) {
    uint32_t stage = (uint32_t)i % STAGES, at = FIRST + stage * STAGE_BYTES;
    int here = steps - group * STAGE_STEPS < STAGE_STEPS ? steps - group * STAGE_STEPS : STAGE_STEPS;
    size_t byte = (size_t)group * STAGE_ROW_BYTES, tiles = (size_t)group * STAGE_STEPS * SCALE_TILE_BYTES;
    chip_copy_box(c, at + STAGE_A, p->a + l * m * row_bytes, row_bytes, m, byte, tile * MMA_ROWS, MMA_ROWS);
    chip_copy_box(c, at + STAGE_B, p->b + l * PROBLEM_PAD_ROWS * row_bytes, row_bytes, 1, byte, 0, MMA_COLUMNS);
    memcpy(c->shared + at + STAGE_SFA, sfa + tiles, (size_t)here * SCALE_TILE_BYTES);
    memcpy(c->shared + at + STAGE_SFB, sfb + tiles, (size_t)here * SCALE_TILE_BYTES);
    for (uint32_t step = 0; step < (uint32_t)here; step++) {
      chip_copy_scales(c, tmem_sfa(stage, step), mma_scales(at + STAGE_SFA, step));
      chip_copy_scales(c, tmem_sfb(stage, step), mma_scales(at + STAGE_SFB, step));
      chip_mma(c, mma_operand(at + STAGE_A, step), mma_operand(at + STAGE_B, step),
               mma_instruction(MMA_ROWS, MMA_COLUMNS), tmem_sfa(stage, step), tmem_sfb(stage, step), i > 0 || step > 0);
    }
  }
  return rank < groups;
}

static void chip_check(const struct problem *p, const struct blocked *s, int split) {
  struct chip *c = malloc(sizeof *c);
  size_t m = (size_t)p->shape.m;

  assert_non_null(c);
  for (size_t l = 0; l < (size_t)p->shape.l; l++)
    for (size_t tile = 0; tile * MMA_ROWS < m; tile++) {
      double sum[MMA_ROWS] = {0};
      for (int rank = 0; rank < split; rank++) {
        memset(c, POISON, sizeof *c); /* as a scale it is NaN */
        if (!chip_block(c, p, s, l, tile, rank, split))
          continue;
        for (size_t r = 0; r < MMA_ROWS; r++)
          sum[r] += c->sums[r][0];
      }
      for (size_t r = 0; r < MMA_ROWS; r++) {
        size_t row = tile * MMA_ROWS + r;
        double want = row < m ? p->ref[l * m + row] : 0;
        if (!(fabs(sum[r] - want) <= 1e-12 * (row < m ? p->mag[l * m + row] : 0)))
          fail_msg("split %d, batch %zu, row %zu: %g, not %g", split, l, row, sum[r], want);
      }
    }
  free(c);
}

/* 200 rows are a tile and a part of one; 832 values are three stages, the first used twice, and a last one of a single step. */
static void model_makes_the_product(void **state) {
  const struct shape shape = {200, 832, 2};
  struct problem p;
  struct blocked s;
  struct err e = {0};

  (void)state;
  assert_int_equal(problem_make(&p, shape, INPUTS_DEFAULT, 11, 1, &e), 0);
  block_scales(&s.sfa, p.sfa, (size_t)shape.m, (size_t)shape.k / PROBLEM_BLOCK, (size_t)shape.l);
  block_scales(&s.sfb, p.sfb, PROBLEM_PAD_ROWS, (size_t)shape.k / PROBLEM_BLOCK, (size_t)shape.l);
  chip_check(&p, &s, 1);
  chip_check(&p, &s, 2);
  chip_check(&p, &s, 8); /* more blocks than stages */
  free(s.sfa);
  free(s.sfb);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(descriptors_by_hand),
      cmocka_unit_test(stages_by_hand),
      cmocka_unit_test(blocked_scales_by_hand),
      cmocka_unit_test(model_makes_the_product),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
