/* The fp8 tiles of ours-10-fp8 and the rungs after it: codes as bytes, worked out by hand, and a quad of lines multiplied by a model
 * of wgmma m64n32k32, written from the PTX ISA's figures of its fragments and of matrices without swizzle, which reads B only where the layout has put
 * it. */
#include "kernels/common/fp8_layout.cuh"
#include "kernels/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 4, ROWS = 8, LINE_BYTES = 128, ROW_BYTES = LINES * LINE_BYTES, STEPS = 4, COLUMNS = 32 };

static void codes_by_hand(void **state) {
  (void)state;
  /* 0 .5 1 1.5 2 3 4 6 are 0, 2^-7, 2^-6, 1.5 * 2^-6, 2^-5 ... as e4m3: 0x04 is 4/8 of 2^-6, 0x08 is 2^-6, and so on in steps of one bit */
  const uint8_t magnitudes[8] = {0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c};
  for (unsigned code = 0; code < 16; ++code) {
    const uint8_t byte = (uint8_t)(magnitudes[code & 7] | (code & 8) << 4);
    assert_true(e4m3fn_value(byte) * 64 == e2m1_value(code));
    for (unsigned other = 0; other < 16; ++other)
      for (int at = 0; at < 4; ++at) {
        const uint32_t fill = 0xffffffffu ^ 0xffu << 8 * at;
        const struct fp8_codes v = fp8_of_e2m1((code | other << 4) << 8 * at | fill);
        assert_int_equal(v.lo >> 8 * at & 0xff, byte);
        assert_int_equal(v.hi >> 8 * at & 0xff, magnitudes[other & 7] | (other & 8) << 4);
        assert_int_equal(v.lo >> 8 * ((at + 1) % 4) & 0xff, 0x9c); /* -6, whatever its neighbour is */
      }
  }
}

static void columns_by_hand(void **state) {
  (void)state;
  uint8_t quads[1];
  /* line 0, first half, lane 2: column 4 of 16 bytes */
  assert_int_equal(fp8_column_of(quads, 2).at - quads, 64);
  assert_int_equal(fp8_column_of(quads, 2).t, 2);
  /* line 0, second half, lane 3: column 7 */
  assert_int_equal(fp8_column_of(quads, 7).at - quads, 112);
  /* line 6 is line 2 of the second quad; second half, lane 0: column 1 */
  assert_int_equal(fp8_column_of(quads, 6 * 8 + 4).at - quads, 4096 + 512 + 16);
}

static uint32_t word_of(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *to, uint32_t word) {
  for (int i = 0; i < 4; ++i)
    to[i] = (uint8_t)(word >> 8 * i);
}

static double code_of(const uint8_t *row, int i) {
  return e2m1_value(row[i / 2] >> 4 * (i % 2) & 15);
}

/* A's 64 rows of 32 bytes in a step, from the fragments of the lanes. */
static void gather_a(uint8_t a[64][32], uint8_t rows[ROWS][ROW_BYTES], int step) {
  for (int warp = 0; warp < 4; ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int lower = 0; lower < 2; ++lower) {
        const int g = lane / 4, t = lane % 4, half = g % 2;
        const uint8_t *const line = rows[g / 2 + 4 * lower] + warp * LINE_BYTES;
        const struct fp8_codes v = fp8_of_e2m1(word_of(line + half * 64 + t * 16 + step * 4));
        put_word(a[16 * warp + g + 8 * lower] + 4 * t, v.lo);
        put_word(a[16 * warp + g + 8 * lower] + 16 + 4 * t, v.hi);
      }
}

static void blocks_keep_to_themselves(void **state) {
  (void)state;
  static uint8_t rows[ROWS][ROW_BYTES], b[ROW_BYTES], quads[FP8_QUAD], a[64][32];
  static double sums[2][64][COLUMNS];
  uint32_t seed = 1;
  for (size_t i = 0; i < sizeof rows + sizeof b; ++i) {
    seed = seed * 1664525u + 1013904223u;
    *(i < sizeof rows ? &rows[0][0] + i : b + (i - sizeof rows)) = (uint8_t)(seed >> 24);
  }
  for (int piece = 0; piece < ROW_BYTES / 16; ++piece)
    for (int step = 0; step < STEPS; ++step) {
      const struct fp8_column c = fp8_column_of(quads, piece);
      const struct fp8_codes v = fp8_of_e2m1(word_of(b + piece * 16 + step * 4));
      put_word(c.at + step * FP8_STEP + 4 * c.t, v.lo);
      put_word(c.at + step * FP8_STEP + FP8_HIGH + 4 * c.t, v.hi);
    }
  memset(sums, 0, sizeof sums);
  for (int step = 0; step < STEPS; ++step) {
    gather_a(a, rows, step);
    for (int row = 0; row < 64; ++row)
      for (int column = 0; column < COLUMNS; ++column)
        for (int k = 0; k < 32; ++k)
          sums[step / 2][row][column] +=
              e4m3fn_value(a[row][k]) * e4m3fn_value(quads[step * FP8_STEP + column / 8 * FP8_LINE + k / 16 * FP8_HIGH +
                                                           column % 8 * FP8_COLUMN + k % 16]);
  }
  for (int row = 0; row < 64; ++row)
    for (int t = 0; t < 4; ++t)
      for (int odd = 0; odd < 2; ++odd) {
        const int warp = row / 16, g = row % 8, half = g % 2, of_matrix = g / 2 + 4 * (row % 16 / 8);
        const int block = warp * 16 + half * 8 + t * 2 + odd;
        double want = 0;
        for (int i = 0; i < 16; ++i)
          want += code_of(rows[of_matrix], block * 16 + i) * code_of(b, block * 16 + i);
        assert_true(sums[odd][row][8 * warp + 2 * t + half] * 4096 == want);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(codes_by_hand),
      cmocka_unit_test(columns_by_hand),
      cmocka_unit_test(blocks_keep_to_themselves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
