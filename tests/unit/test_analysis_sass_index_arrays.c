/* Arrays that one index reads: small enough to follow by hand. */
#include "analysis/idioms/index_arrays.h"
#include "unit/made_sass.h"

#define INDEX "LDG.E R20, desc[UR4][R2.64]"
#define X     "IMAD.WIDE R4, R20, 0x8, R8", "LDG.E.64 R4, desc[UR4][R4.64]"

static const struct {
  const char *lines[9];
  int n, bytes;
} CASES[] = {
    {{INDEX, X, "EXIT"}, 1, 8},
    {{INDEX, X, "IMAD.WIDE R6, R20, 0x8, R10", "LDG.E.64 R6, desc[UR4][R6.64]", "EXIT"}, 2, 16},
    {{INDEX, X, "IMAD.WIDE R6, R20, 0x4, R10", "LDG.E R6, desc[UR4][R6.64]", "EXIT"}, 2, 12},
    {{INDEX, X, "IMAD.WIDE R6, R20, 0x8, R8", "LDG.E.64 R6, desc[UR4][R6.64+0x8]", "EXIT"}, 1, 8}, /* one array */
    {{INDEX, X, "IMAD.WIDE R6, R21, 0x8, R10", "LDG.E.64 R6, desc[UR4][R6.64]", "EXIT"}, 1, 8},    /* another index */
    {{INDEX, X, "LDG.E R20, desc[UR4][R2.64+0x4]", "IMAD.WIDE R6, R20, 0x8, R10", "LDG.E.64 R6, desc[UR4][R6.64]",
      "EXIT"},
     1,
     8}, /* the next one, in the same register */
    {{INDEX, X, "@P0 BRA 0x60", "IMAD.WIDE R6, R20, 0x8, R10", "LDG.E.64 R6, desc[UR4][R6.64]", "EXIT"},
     1,
     8},                                                             /* not always */
    {{INDEX, "NOP", "LDG.E.64 R4, desc[UR4][R4.64]", "EXIT"}, 0, 0}, /* it is not told how the place is made */
};

static void what_one_index_reads(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    struct sass_index_arrays x;
    made_kernel(&m, CASES[i].lines);
    sass_index_arrays(&x, &m.sass, 2);
    if (x.n != CASES[i].n || x.bytes != CASES[i].bytes)
      fail_msg("case %zu: %d of %d bytes", i, x.n, x.bytes);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_one_index_reads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
