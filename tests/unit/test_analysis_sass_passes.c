/* Loops that go through one array, one behind the other: an unrolled loop and its rest on line 10, another loop on line 20. */
#include "analysis/idioms/passes.h"
#include "unit/made_sass.h"

#define FIRST  "IMAD.WIDE R2, R10, 0x4, c[0x0][0x210]", "LDG.E.128 R12, desc[UR4][R2.64]", "@P1 BRA 0x10"
#define REST   "LDG.E R12, desc[UR4][R2.64]", "@P2 BRA 0x30"
#define SECOND "LDG.E R13, desc[UR4][R4.64]", "@P3 BRA 0x60", "EXIT"

static const struct {
  const char *second; /* the place of the second loop's loads */
  double executed;    /* of these */
  int line;
  size_t n;
  double again;
} CASES[] = {
    {"IMAD.WIDE R4, R10, 0x4, c[0x0][0x210]", 10, 20, 2, 0.5},
    {"IMAD.WIDE R4, R10, 0x4, c[0x0][0x210]", 8, 20, 2, 32.0 / 72}, /* 80 % of the first's */
    {"IMAD.WIDE R4, R10, c[0x0][0x228], c[0x0][0x210]", 10, 20, 2}, /* of other places */
    {"LDS.64 R4, [R10]", 10, 20, 1},
    {"IMAD.WIDE R4, R10, 0x4, c[0x0][0x210]", 7, 20, 1},
    {"IMAD.WIDE R4, R10, 0x4, c[0x0][0x218]", 10, 20, 1}, /* another array */
    {"IMAD.WIDE R4, R10, 0x4, c[0x0][0x210]", 10, 10, 1}, /* of the same line */
    {"IMAD.WIDE R4, R10, 0x4, c[0x0][0x210]", 0, 20, 1},
};

static void what_passes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    struct run_line first = {.line = 10}, second = {.line = CASES[i].line};
    double n = CASES[i].executed, executed[] = {1, 2, 2, 2, 2, 1, n, n, 1};
    struct sass_passes x;
    made_kernel(&m, (const char *const[]){FIRST, REST, CASES[i].second, SECOND, NULL});
    for (size_t k = 0; k < m.kernel.n_sass; k++) {
      m.insts[k].lines = k < 5 ? &first : &second;
      m.insts[k].n_lines = 1;
    }
    made_counts(&m, executed);
    sass_passes_of(&x, &m.sass);
    if (x.n != CASES[i].n)
      fail_msg("case %zu: %zu", i, x.n);
    assert_int_equal(x.at[0], 1);
    if (x.n == 2) { /* 2 x 16 + 2 x 4 bytes, or 10 x 4, of 32 lanes */
      assert_int_equal(x.at[1], 6);
      assert_float_equal(x.bytes, 32 * 40, 0);
      assert_float_equal(x.executed, 4, 0);
      assert_float_equal(x.again, CASES[i].again, 1e-9);
    }
    sass_release(&m.sass);
  }
}

/* Without counts, or lines, that is not known. */
static void what_is_not_known(void **state) {
  static struct made_sass m;
  static const double executed[] = {1, 2, 2, 2, 2, 1, 10, 10, 1};
  struct sass_passes x;
  (void)state;
  made_kernel(&m, (const char *const[]){FIRST, REST, CASES[0].second, SECOND, NULL});
  sass_passes_of(&x, &m.sass);
  assert_int_equal(x.n, 0);
  made_counts(&m, executed);
  sass_passes_of(&x, &m.sass);
  assert_int_equal(x.n, 0);
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_passes), cmocka_unit_test(what_is_not_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
