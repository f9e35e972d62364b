/* Reductions by shuffles that stand in a loop. */
#include "analysis/idioms/shuffle_loops.h"
#include "unit/made_sass.h"

/* Of the shuffle at `at`. */
static const struct {
  bool loops;
  size_t at;
  const char *lines[10];
} ROWS[] = {
    /* for (int d = warpSize / 2; d > 0; d /= 2), as nvcc 12.9 writes it */
    {true,
     4,
     {"MOV R8, 0x20", "LEA.HI R6, R8, R8, RZ, 0x1", "SHF.R.S32.HI R6, RZ, 0x1, R6", "MOV R8, R6",
      "SHFL.BFLY PT, R10, R5, R6, 0x1f", "FADD R5, R10, R5", "@P0 BRA 0x10", "EXIT"}},
    {true,
     1,
     {"MOV R6, 0x1", "SHFL.UP P1, R10, R5, R6, RZ", "FADD R5, R10, R5", "IMAD.SHL.U32 R6, R6, 0x2, RZ", "@P0 BRA 0x10",
      "EXIT"}},
    {false, 1, {"MOV R6, 0x10", "SHFL.BFLY PT, R10, R5, R6, 0x1f", "FADD R5, R10, R5", "EXIT"}},
    /* unrolled, in a loop over data that halves something else */
    {false,
     1,
     {"MOV R5, R6", "SHFL.BFLY PT, R10, R5, 0x10, 0x1f", "FADD R9, R10, R5", "SHF.R.S32.HI R5, RZ, 0x1, R5",
      "@P0 BRA 0x10", "EXIT"}},
    {false,
     2,
     {"MOV R5, R7", "MOV R6, 0x10", "SHFL.BFLY PT, R10, R5, R6, R11", "FADD R9, R10, R5",
      "SHF.R.S32.HI R5, RZ, 0x1, R5", "@P0 BRA 0x10", "EXIT"}},
    /* one lane on in each turn */
    {false,
     1,
     {"MOV R6, 0x1", "SHFL.IDX PT, R10, R5, R6, 0x1f", "FADD R5, R10, R5", "IADD3 R6, R6, 0x1, RZ", "@P0 BRA 0x10",
      "EXIT"}},
    /* no shuffle */
    {false, 1, {"MOV R6, 0x20", "SHF.R.S32.HI R6, RZ, 0x1, R6", "@P0 BRA 0x10", "EXIT"}},
};

static void which_loops(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct made_sass m;
    made_kernel(&m, ROWS[i].lines);
    if ((sass_shuffle_loop(&m.sass, ROWS[i].at) != SASS_NONE) != ROWS[i].loops)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
