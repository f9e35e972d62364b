/* Functions of a product of two loaded values: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/products.h"

#define LOADED "LDG.E R4, desc[UR4][R2.64]", "LDS R5, [R8]"
#define TURN   "ISETP.NE.AND P0, PT, R9, RZ, PT", "@P0 BRA 0x0", "EXIT"

static const struct {
  bool products;
  const char *function;
  const char *lines[12];
} CASES[] = {
    {true, "RSQ", {LOADED, "FMUL R6, R4, R5", "MUFU.RSQ R7, R6", TURN}},
    {false, "RCP", {LOADED, "FMUL R6, R4, R5", "MUFU.RSQ R7, R6", TURN}},
    {true, "RCP", {LOADED, "FMUL R6, R4, R5", "MUFU.RCP R7, R6", TURN}},
    {false, "RSQ", {LOADED, "FMUL R6, R4, R5", "MUFU.RSQ R7, R6", "EXIT"}}, /* once */
    {false, "RSQ", {LOADED, "FADD R6, R4, R5", "MUFU.RSQ R7, R6", TURN}},
    {false, "RSQ", {LOADED, "FMUL R6, R4, R4", "MUFU.RSQ R7, R6", TURN}}, /* one value's square */
    {false, "RSQ", {LOADED, "FMUL R6, R4, 0.5", "MUFU.RSQ R7, R6", TURN}},
    {false, "RSQ", {LOADED, "FADD R5, R5, R5", "FMUL R6, R4, R5", "MUFU.RSQ R7, R6", TURN}}, /* one is computed */
    {false, "RSQ", {LOADED, "FMUL R6, R4, R5", "@P1 FADD R6, R4, R5", "MUFU.RSQ R7, R6", TURN}},
    {false, "RSQ", {LOADED, "MUFU.RSQ R7, R4", TURN}},
    /* one of two is half of them and not the most */
    {false, "RSQ", {LOADED, "FMUL R6, R4, R5", "MUFU.RSQ R7, R6", "MUFU.RSQ R7, R4", TURN}},
};

static void what_it_is_of(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (sass_of_products(&m.sass, CASES[i].function) != CASES[i].products)
      fail_msg("case %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_is_of)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
