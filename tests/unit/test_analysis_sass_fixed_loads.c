/* Loads of places that no turn changes: small enough to follow by hand. */
#include "analysis/idioms/fixed_loads.h"
#include "unit/made_sass.h"

#define BEFORE "MOV R2, UR4"
#define TURN   "IADD3 R6, R6, 0x4, RZ", "@P0 BRA 0x10", "EXIT"

static const struct {
  const char *lines[10];
  int all, fixed;
} CASES[] = {
    {{BEFORE, "LDG.E R4, desc[UR4][R2.64]", TURN}, 1, 1},
    {{BEFORE, "LDG.E R4, desc[UR4][R6.64]", TURN}, 1, 0},                               /* the next each turn */
    {{BEFORE, "MOV R8, UR6", "MOV R9, UR7", "LDG.E R4, desc[UR4][R8.64]", TURN}, 1, 1}, /* copied anew */
    {{BEFORE, "IMAD.U32 R8, RZ, RZ, UR6", "MOV R9, UR7", "LDG.E R4, desc[UR4][R8.64]", TURN}, 1, 1},
    {{BEFORE, "MOV R8, R6", "MOV R9, R7", "LDG.E R4, desc[UR4][R8.64]", TURN}, 1, 0},       /* of what moves on */
    {{BEFORE, "@P1 MOV R8, UR6", "MOV R9, UR7", "LDG.E R4, desc[UR4][R8.64]", TURN}, 1, 0}, /* in some turns */
    {{BEFORE, "IMAD R8, R4, 0x4, R2", "LDG.E R4, desc[UR4][R8.64]", TURN}, 1, 0},           /* worked out each turn */
    {{BEFORE, "LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R6.64]", "LDS R10, [R2]", TURN}, 2, 1},
    {{BEFORE, "@!PT LDG.E R4, desc[UR4][R2.64]", TURN}, 0, 0},
};

static void what_is_fixed(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    struct sass_fixed_loads x;
    made_kernel(&m, CASES[i].lines);
    sass_fixed_loads(&x, &m.sass, 0);
    if (x.all != CASES[i].all || x.fixed != CASES[i].fixed)
      fail_msg("case %zu: %d of %d", i, x.fixed, x.all);
    sass_fixed_loads(&x, &m.sass, SASS_NONE);
    assert_int_equal(x.all, 0);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_fixed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
