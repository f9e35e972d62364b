/* Products of matrices: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/outer.h"

/* Two values of each side, and the four products of them. */
#define LOADED   "LDS.64 R4, [R2]", "LDS.64 R6, [R3]"
#define PRODUCTS "FFMA R8, R4, R6, R8", "FFMA R9, R4, R7, R9", "FFMA R10, R5, R6, R10", "FFMA R11, R5, R7, R11"
/* One of each, and two products. */
#define TWO  "LDS R4, [R2]", "LDS R6, [R3]", "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9"
#define TURN "@P0 BRA 0x0", "EXIT"

static const struct {
  bool outer;
  const char *lines[14];
} CASES[] = {
    {true, {LOADED, PRODUCTS, PRODUCTS, TURN}},
    {false, {LOADED, PRODUCTS, TURN}}, /* four words are in four products */
    {false, {LOADED, PRODUCTS, PRODUCTS, "EXIT"}},
    {true, {TWO, "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", TURN}},
    {false, {"LDG.E R4, desc[UR4][R2.64]", "LDS R6, [R3]", "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", TURN}},
    {false,
     {TWO, "FADD R6, R6, R6", "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", "FFMA R9, R4, R6, R9",
      TURN}},                                                                      /* computed */
    {false, {"LDS R4, [R2]", "FFMA R8, R4, R4, R8", "FFMA R9, R4, R4, R9", TURN}}, /* squares */
    {false,
     {"LDS R4, [R2]", "LDS R6, [R3]", "FFMA R8, R4, R6, 1", "FFMA R9, R4, R6, 1", "FFMA R9, R4, R6, 1",
      "FFMA R9, R4, R6, 1", TURN}}, /* no sum */
    /* half of all, and less */
    {true,
     {TWO, "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", "FFMA R20, R20, R21, R20", "FFMA R20, R20, R21, R20",
      "FFMA R20, R20, R21, R20", "FFMA R20, R20, R21, R20", TURN}},
    {false,
     {TWO, "FFMA R8, R4, R6, R8", "FFMA R9, R4, R6, R9", "FFMA R20, R20, R21, R20", "FFMA R20, R20, R21, R20",
      "FFMA R20, R20, R21, R20", "FFMA R20, R20, R21, R20", "FFMA R20, R20, R21, R20", TURN}},
    {false, {"FADD R8, R4, R6", TURN}},
};

static void what_is_multiplied(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (sass_outer_products(&m.sass) != CASES[i].outer)
      fail_msg("case %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_multiplied)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
