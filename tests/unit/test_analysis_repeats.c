/* What a warp executes once, and loads that wait behind a barrier for nothing. */
#include "analysis/idioms/repeats.h"
#include "unit/made_sass.h"

enum { LINES = 12 };

static const struct {
  bool repeats; /* the second line */
  const char *lines[LINES];
  double executed[LINES];
  bool estimated;
} LOOPS[] = {
    {true, {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x10", "EXIT"}, {10, 20, 20, 10}, false},
    {false, {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x10", "EXIT"}, {10, 19, 19, 10}, false},
    {false, {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "FADD R4, R4, R2", "EXIT"}, {10, 10, 10, 10}, false},
    /* once for each turn of a loop that turns */
    {true,
     {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x10", "@P1 BRA 0x10", "EXIT"},
     {10, 40, 40, 40, 10},
     false},
    /* how often an estimated loop is entered is not known: it turns as often as warps run */
    {false, {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x10", "EXIT"}, {100, 149, 149, 100}, true},
    {true, {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x10", "EXIT"}, {100, 150, 150, 100}, true},
    /* or, whatever around it, less often than its turns come to their end: 200 / (200 - 60) */
    {false,
     {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P1 BRA 0x50", "FADD R4, R4, R2", "@P0 BRA 0x10", "EXIT"},
     {100, 200, 200, 60, 60, 100},
     true},
    {true,
     {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P1 BRA 0x50", "FADD R4, R4, R2", "@P0 BRA 0x10", "EXIT"},
     {100, 200, 200, 70, 70, 100},
     true},
    /* nothing was counted, or it begins with the kernel: who knows */
    {true, {"S2R R2, SR_TID.X", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x10", "EXIT"}, {0}, false},
    {true, {"MOV R2, R3", "IADD3 R2, R2, R3, RZ", "@P0 BRA 0x0", "EXIT"}, {10, 10, 10, 1}, false},
};

static void what_turns(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof LOOPS / sizeof *LOOPS; i++) {
    static struct made_sass m;
    made_kernel(&m, LOOPS[i].lines);
    made_counts(&m, LOOPS[i].executed);
    for (size_t l = 0; LOOPS[i].estimated && l < m.sass.n_loops; l++)
      m.sass.loops[l].trips = value_absent("estimated");
    if (sass_repeats(&m.sass, 1) != LOOPS[i].repeats)
      fail_msg("row %zu", i);
    sass_release(&m.sass);
  }
}

#define LOAD    "LDG.E R8, desc[UR4][R2.64]"
#define BARRIER "BAR.SYNC.DEFER_BLOCKING 0x0"

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_turns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
