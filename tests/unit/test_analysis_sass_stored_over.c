/* Stores to shared memory that the next turn stores over: small enough to follow by hand. */
#include "analysis/idioms/stored_over.h"
#include "unit/made_sass.h"

#define BEFORE "STS [R9], R4"
#define TURN   "IADD3 R2, R2, 0x8, RZ", "@P0 BRA 0x10", "LDS R6, [R3]", "EXIT"

/* Of four turns each; the store before the loop and the load behind it once. */
static const struct {
  const char *lines[9];
  int stores;
  double executed, part;
} CASES[] = {
    /* 4 x 8 of 4 + 4 x 8 + 4 bytes */
    {{BEFORE, "DADD R4, R4, R8", "STS.64 [R3], R4", TURN}, 1, 4, 0.8},
    {{BEFORE, "STS.64 [R3], R4", "STS.64 [R5+0x8], R6", TURN}, 2, 8, 64.0 / 72},
    {{BEFORE, "DADD R4, R4, R8", "STS.64 [R2], R4", TURN}, 0, 0, 0},             /* to the next place each turn */
    {{BEFORE, "LDS R8, [R7]", "STS.64 [R3], R4", TURN}, 0, 0, 0},                /* which the loop may read */
    {{BEFORE, "BAR.SYNC.DEFER_BLOCKING 0x0", "STS.64 [R3], R4", TURN}, 0, 0, 0}, /* or another warp */
    {{BEFORE, "LD.E R8, [R10]", "STS.64 [R3], R4", TURN}, 0, 0, 0},              /* through an address of any space */
    {{BEFORE, "ATOMS.ADD RZ, [R7], R8", "STS.64 [R3], R4", TURN}, 0, 0, 0},
    {{BEFORE, "NOP", "@P1 STS.64 [R3], R4", TURN}, 0, 0, 0}, /* in some turns, perhaps the last alone */
    {{BEFORE, "NOP", "STG.E.64 desc[UR4][R4.64], R6", TURN}, 0, 0, 0},
};

static void what_is_stored_over(void **state) {
  static const double executed[] = {1, 4, 4, 4, 4, 1, 1};
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    struct sass_stored_over x;
    made_kernel(&m, CASES[i].lines);
    made_counts(&m, executed);
    sass_stored_over(&x, &m.sass, 0);
    if (x.stores != CASES[i].stores || x.executed != CASES[i].executed || !(x.part - CASES[i].part < 1e-9) ||
        !(CASES[i].part - x.part < 1e-9) || (x.at != SASS_NONE) != (x.stores > 0))
      fail_msg("case %zu: %d, %g, %g", i, x.stores, x.executed, x.part);
    sass_stored_over(&x, &m.sass, SASS_NONE);
    assert_int_equal(x.stores, 0);
    sass_release(&m.sass);
  }
}

/* A loop of one turn stores but once. */
static void one_turn(void **state) {
  static const double executed[] = {1, 1, 1, 1, 1, 1, 1};
  static struct made_sass m;
  struct sass_stored_over x;
  (void)state;
  made_kernel(&m, CASES[0].lines);
  made_counts(&m, executed);
  sass_stored_over(&x, &m.sass, 0);
  assert_int_equal(x.stores, 0);
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_stored_over), cmocka_unit_test(one_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
