/* Registers that are live at once: small enough to follow by hand. */
#include "unit/made_sass.h"

#include "analysis/idioms/live.h"

static const struct {
  const char *lines[12];
  double executed[12];
  int peak;
} CASES[] = {
    /* a sum could take a factor's place where nothing reads that again */
    {{"MOV R2, 0x1", "MOV R3, 0x2", "IADD3 R4, R2, R3, RZ", "STS [R4], R4", "EXIT"}, {0}, 2},
    {{"MOV R2, 0x1", "MOV R3, 0x2", "IADD3 R4, R2, R3, RZ", "STS [R2], R4", "EXIT"}, {0}, 2},
    {{"MOV R2, 0x1", "MOV R3, 0x2", "IADD3 R4, R2, R3, RZ", "STS [R2], R4", "STS [R3], R4", "EXIT"}, {0}, 3},
    /* four of a load beside its address, which is read again */
    {{"MOV R2, 0x10", "LDS.128 R4, [R2]", "FADD R8, R4, R5", "FADD R8, R8, R6", "FADD R8, R8, R7", "STS [R2], R8",
      "EXIT"},
     {0},
     5},
    /* a register is held round a loop that reads it behind its end */
    {{"MOV R9, 0x1", "MOV R2, 0x10", "LDS R4, [R2]", "IADD3 R2, R2, R4, RZ", "@P0 BRA 0x20", "STS [R2], R9", "EXIT"},
     {0},
     3},
    /* some lanes keep what a guarded write leaves */
    {{"MOV R2, 0x1", "MOV R3, 0x1", "@P0 MOV R2, 0x2", "STS [R3], R2", "EXIT"}, {0}, 2},
    {{"MOV R3, 0x1", "@P0 MOV R2, 0x2", "MOV R5, 0x1", "STS [R3], R2", "STS [R3], R5", "EXIT"}, {0}, 3},
    {{"MOV R3, 0x1", "MOV R5, 0x1", "MOV R2, 0x2", "STS [R3], R2", "STS [R3], R5", "EXIT"}, {0}, 3},
    /* one that is read before any write has a value */
    {{"MOV R3, 0x1", "STS [R3], R2", "EXIT"}, {0}, 2},
    /* a branch that no warp takes, with four more */
    {{"MOV R2, 0x1", "@P0 BRA 0x40", "STS [R2], R2", "EXIT", "LDS.128 R4, [R2]", "STS.128 [R2], R4", "EXIT"}, {0}, 5},
    {{"MOV R2, 0x1", "@P0 BRA 0x40", "STS [R2], R2", "EXIT", "LDS.128 R4, [R2]", "STS.128 [R2], R4", "EXIT"},
     {1, 1, 1, 1},
     1},
    /* no general register */
    {{"UMOV UR4, 0x1", "MOV R2, UR4", "STS [R2], RZ", "EXIT"}, {0}, 1},
    /* what a function needs is not known */
    {{"MOV R2, 0x1", "CALL.REL.NOINC 0x40", "STS [R2], R2", "EXIT", "RET.REL.NODEC R20 0x0"}, {0}, 0},
};

static void live_at_once(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, CASES[i].lines);
    if (CASES[i].executed[0] > 0)
      made_counts(&m, CASES[i].executed);
    int peak = sass_live_peak(&m.sass);
    if (peak != CASES[i].peak)
      fail_msg("case %zu: %d, not %d", i, peak, CASES[i].peak);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(live_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
