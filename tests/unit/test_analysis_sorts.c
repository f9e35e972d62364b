/* Exchanges of a warp's lanes: a sort, and reductions. */
#include "analysis/idioms/sorts.h"
#include "unit/made_sass.h"

#define EXCHANGE(distance) "SHFL.BFLY PT, R4, R5, " distance ", 0x1f", "FSEL R5, R4, R5, P0"

/* Each exchange sends what the one before has left. */
static const struct {
  bool sorts;
  const char *lines[24];
} CASES[] = {
    {true,
     {EXCHANGE("0x1"), EXCHANGE("0x2"), EXCHANGE("0x1"), EXCHANGE("0x4"), EXCHANGE("0x2"), EXCHANGE("0x1"), "EXIT"}},
    /* a maximum and then a sum, of four lanes, of eight, and from neighbours on */
    {false, {EXCHANGE("0x2"), EXCHANGE("0x1"), EXCHANGE("0x2"), EXCHANGE("0x1"), "EXIT"}},
    {false,
     {EXCHANGE("0x4"), EXCHANGE("0x2"), EXCHANGE("0x1"), EXCHANGE("0x4"), EXCHANGE("0x2"), EXCHANGE("0x1"), "EXIT"}},
    {false,
     {EXCHANGE("0x1"), EXCHANGE("0x2"), EXCHANGE("0x4"), EXCHANGE("0x1"), EXCHANGE("0x2"), EXCHANGE("0x4"), "EXIT"}},
    /* what lies between is anew each time */
    {false,
     {EXCHANGE("0x1"), "LDG.E R5, desc[UR4][R2.64]", EXCHANGE("0x2"), "LDG.E R5, desc[UR4][R2.64]", EXCHANGE("0x1"),
      "LDG.E R5, desc[UR4][R2.64]", EXCHANGE("0x4"), "EXIT"}},
};

static void what_sorts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (sass_sorts(&m.sass) != CASES[i].sorts)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_sorts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
