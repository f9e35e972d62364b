/* How often lanes meet in a bank, and what keeps them apart. */
#include "analysis/idioms/bank_turns.h"
#include "unit/made_sass.h"

static const struct {
  struct bank_lanes lanes;
  int turns, pad;
} ROWS[] = {
    {{.x = 4, .width = 32, .bytes = 4}, 1, 8}, /* 8 bytes: 2 in a bank; 12 bytes, 3 words: none */
    {{.x = 128, .width = 32, .bytes = 4}, 32, 4},
    {{.x = -128, .width = 32, .bytes = 4}, 32, 4},
    {{.x = 96, .width = 32, .bytes = 4}, 8, 4},   /* 24 words: banks 0, 24, 16, 8 */
    {{.x = 96, .width = 32, .bytes = 16}, 2, 16}, /* 8 lanes at a time, 4 banks each, from 0, 24, 16 and 8 */
    {{.x = 8, .width = 32, .bytes = 1}, 2, 4},
    /* two rows of 16: neighbours side by side, the second row on top of the first, or half of the banks further */
    {{.x = 4, .y = 512, .width = 16, .bytes = 4}, 2, 64},
    {{.x = 4, .y = 64, .width = 16, .bytes = 4}, 1, 0},
    {{.x = 516, .width = 16, .bytes = 4}, 1, 4},
    {{.x = 512, .width = 16, .bytes = 4}, 16, 4},
    {{.x = 64, .y = 4, .width = 8, .bytes = 4},
     4,
     16}, /* row r in the banks r and r + 16; 20 words apart in four from each multiple of 4 */
    /* (row + c) % 64 of rows of 96 bytes: 6144 = 3 * 2^11 bytes; only lanes 64 apart could be one */
    {{.x = 96, .width = 32, .bytes = 4, .x_wraps = 11}, 8, 4},
    /* lane % 16 of rows of 128 bytes: lanes 16 apart may be one or not */
    {{.x = 128, .width = 32, .bytes = 4, .x_wraps = 11}, 0, 4},
    {{.x = 4, .width = 32, .bytes = 4, .x_wraps = 6}, 0, 8}, /* 16 words: which half of the banks is not known */
    {{.x = 4, .width = 32, .bytes = 4, .x_wraps = 7}, 1, 8},
    /* row * 128 + (lane + c) % 128: within a column the step is exact */
    {{.x = 4, .y = 512, .width = 16, .bytes = 4, .x_wraps = 9}, 2, 64},
    {{.x = 4, .y = 512, .width = 16, .bytes = 4, .y_wraps = 9}, 0, 64},
};

static void lanes_meet(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (bank_turns(&ROWS[i].lanes) != ROWS[i].turns || bank_pad(&ROWS[i].lanes) != ROWS[i].pad)
      fail_msg("row %zu: %d turns, pad %d", i, bank_turns(&ROWS[i].lanes), bank_pad(&ROWS[i].lanes));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_meet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
