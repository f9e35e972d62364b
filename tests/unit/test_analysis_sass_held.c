/* Registers that a loop cannot do without: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/held.h"

#define LOADS "LDS R4, [R2]", "LDS R5, [R3]"
#define MOVED "IADD3 R2, R2, 0x4, RZ", "ISETP.NE.AND P0, PT, R2, R7, PT"
#define TURN  "@P0 BRA 0x10", "EXIT"

static const struct {
  const char *lines[12];
  struct sass_held held;
} CASES[] = {
    /* R8; R2 and R3, not what R2 is compared with; a product's factors */
    {{"MOV R8, RZ", LOADS, "FFMA R8, R4, R5, R8", MOVED, TURN}, {1, 1, 2, 2}},
    /* R9 comes and goes in one turn */
    {{"MOV R8, RZ", LOADS, "FFMA R9, R4, R5, R8", "FFMA R8, R4, R5, R9", MOVED, TURN}, {1, 0, 2, 3}},
    /* in doubles two each, of a matrix instruction as many as it makes */
    {{"MOV R8, RZ", "LDS.64 R4, [R2]", "DFMA R8, R4, R4, R8", MOVED, TURN}, {2, 1, 1, 4}},
    {{"MOV R8, RZ", "LDS.128 R12, [R2]", "LDS.64 R4, [R3]", "HMMA.16816.F32 R8, R12, R4, R8", MOVED, TURN},
     {4, 1, 2, 6}},
    /* what is loaded ahead, for the next turn, is no sum */
    {{"LDS R4, [R2]", "FFMA R8, R4, R4, R8", "LDS R4, [R2]", MOVED, TURN}, {1, 1, 1, 0}},
    /* two sums, one of them added to twice */
    {{"MOV R8, RZ", LOADS, "FFMA R8, R4, R5, R8", "FADD R9, R9, R4", "FADD R9, R9, R5", MOVED, TURN}, {2, 2, 2, 2}},
    /* what a turn takes over, or keeps: a copy, to which nothing is added */
    {{"MOV R8, RZ", LOADS, "FSEL R8, R8, R4, P1", "FADD R9, R9, R4", MOVED, TURN}, {2, 1, 2, 1}},
    /* that nothing is added to */
    {{"MOV R8, RZ", "LDS R4, [R2]", "FMUL R8, R4, R4", "STS [R3], R8", MOVED, TURN}, {0, 0, 2, 2}},
    /* what is stored is no address */
    {{"MOV R8, RZ", "STS [R3], R8", "STS [R3], R9", MOVED, TURN}, {0, 0, 2, 0}},
    /* some lanes keep what was there */
    {{"MOV R8, RZ", "LDS R4, [R2]", "@P1 FMUL R8, R4, R4", "STS [R3], R8", MOVED, TURN}, {1, 0, 2, 2}},
    /* another way through the turn reads it */
    {{"MOV R8, RZ", "LDS R4, [R2]", "@P1 BRA 0x40", "FADD R8, R8, 1", "FMUL R9, R4, R4", MOVED, TURN}, {1, 1, 1, 2}},
    /* what stands behind the loop in the text leads back into it */
    {{"MOV R8, RZ", "LDS R4, [R2]", "BRA 0x60", "FFMA R8, R4, R4, R8", "@P0 BRA 0x10", "EXIT", "IADD3 R2, R2, 0x4, RZ",
      "BRA 0x30"},
     {1, 1, 1, 2}},
    {{"MOV R8, RZ", "FADD R8, R8, 1", "EXIT"}, {0, 0, 0, 0}}, /* no loop */
};

static void what_is_held(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    struct sass_held x;
    made_kernel(&m, CASES[i].lines);
    sass_held_of(&x, &m.sass, m.sass.n_loops ? 0 : SASS_NONE);
    if (x.sums != CASES[i].held.sums || x.chains != CASES[i].held.chains || x.addresses != CASES[i].held.addresses ||
        x.operands != CASES[i].held.operands)
      fail_msg("case %zu: %d sums (%d), %d addresses, %d operands", i, x.sums, x.chains, x.addresses, x.operands);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_held)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
