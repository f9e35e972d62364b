/* What stands between barriers: work that some warps pass over, and what goes back to shared memory. */
#include "analysis/signs/barrier_work.h"
#include "unit/judged.h"

static const struct {
  struct judged_case kernel;
  bool uneven, exchanges, shuffles;
} ROWS[] = {
    {{.rule = NULL}, true, true, false}, /* no code is known */
    /* a tile is filled and read; each warp does all */
    {{.lines = {"LDG.E R4, desc[UR4][R2.64]", "STS [R6], R4", "BAR.SYNC 0x0", "LDS R5, [R7]",
                "STG.E desc[UR4][R2.64], R5", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10}},
     false,
     false,
     false},
    /* sums of neighbours go back */
    {{.lines = {"LDS R4, [R6]", "FADD R5, R4, R8", "BAR.SYNC 0x0", "STS [R6], R5", "BAR.SYNC 0x0", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10}},
     false,
     true,
     false},
    {{.lines = {"LDS R4, [R6]", "FADD R5, R4, R8", "BAR.SYNC 0x0", "STS [0x40], R5", "BAR.SYNC 0x0", "EXIT"},
      .executed = {1, 1, 1, 1, 1, 1}}, /* once */
     false,
     true,
     false},
    {{.lines = {"STS [R6], R5", "BAR.SYNC 0x0", "LDS R5, [R6+0x4]", "ISETP.NE.AND P0, PT, R7, RZ, PT", "@P0 BRA 0x0",
                "EXIT"},
      .executed = {10, 10, 10, 10, 10, 1}}, /* the turn after */
     false,
     true,
     false},
    {{.lines = {"LDS R4, [R6]", "FADD R5, R4, R8", "BAR.SYNC 0x0", "@!PT STS [R6], R5", "BAR.SYNC 0x0", "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10}},
     false,
     false,
     false},
    {{.lines = {"LDS R4, [R6]", "FADD R5, R4, R8", "BAR.SYNC 0x0", "STS [R6], R5", "BAR.SYNC 0x0", "EXIT"},
      .executed = {10, 10, 10, 0, 10, 10}},
     false,
     false,
     false},
    {{.lines = {"LDS R4, [R6]", "HMMA.16816.F32 R8, R4, R4, R8", "BAR.SYNC 0x0", "STS [R6], R8", "BAR.SYNC 0x0",
                "EXIT"},
      .executed = {10, 10, 10, 10, 10, 10}},
     false,
     false,
     false},
    {{.lines = {"SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "BAR.SYNC 0x0", "EXIT"}, .executed = {10, 10, 10}},
     false,
     false,
     true},
    /* one warp of ten goes the way to the next barrier: 4 of 44 instructions; behind the last one nobody waits for it */
    {{.lines = {"@P0 BRA 0x30", "FADD R4, R4, R4", "FADD R4, R4, R4", "BAR.SYNC 0x0", "IADD3 R5, R5, R5, RZ", "EXIT"},
      .executed = {10, 2, 2, 10, 10, 10}},
     true,
     false,
     false},
    {{.lines = {"@P0 BRA 0x30", "FADD R4, R4, R4", "FADD R4, R4, R4", "BAR.SYNC 0x0", "IADD3 R5, R5, R5, RZ", "EXIT"},
      .executed = {10, 8, 8, 10, 10, 10}},
     false,
     false,
     false},
    {{.lines = {"BAR.SYNC 0x0", "@P0 BRA 0x40", "FADD R4, R4, R4", "FADD R4, R4, R4", "EXIT"},
      .executed = {10, 10, 2, 2, 10}},
     false,
     false,
     false},
    /* the one warp turns a loop, which it enters without a block of its own */
    {{.lines = {"@P0 BRA 0x40", "FADD R4, R4, R4", "ISETP.NE.AND P1, PT, R4, RZ, PT", "@P1 BRA 0x10", "BAR.SYNC 0x0",
                "EXIT"},
      .executed = {10, 20, 20, 20, 10, 10}},
     false,
     false,
     false},
    {{.lines = {"@P0 BRA 0x50", "MOV R4, R5", "FADD R4, R4, R4", "ISETP.NE.AND P1, PT, R4, RZ, PT", "@P1 BRA 0x20",
                "BAR.SYNC 0x0", "EXIT"},
      .executed = {10, 1, 20, 20, 20, 10, 10}},
     true,
     false,
     false},
    /* 10 of 205 instructions are fewer than a twentieth, 11 of 205 more */
    {{.lines = {"@P0 BRA 0x20", "FADD R4, R4, R4", "BAR.SYNC 0x0", "EXIT"}, .executed = {65, 10, 65, 65}},
     false,
     false,
     false},
    {{.lines = {"@P0 BRA 0x20", "FADD R4, R4, R4", "BAR.SYNC 0x0", "EXIT"}, .executed = {65, 11, 65, 65}},
     true,
     false,
     false},
    /* behind the tile's matrix product, which did not run, sums go back */
    {{.lines = {"LDS R4, [R6]", "HMMA.16816.F32 R8, R4, R4, R8", "BAR.SYNC 0x0", "STS [R6], R4", "EXIT"},
      .executed = {10, 0, 10, 10, 10}},
     false,
     true,
     false},
};

static void what_stands_between(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct barrier_work x;
    judged_make(&j, &ROWS[i].kernel, NULL);
    barrier_work_of(&x, &j.in);
    if (x.uneven != ROWS[i].uneven || x.exchanges != ROWS[i].exchanges || x.shuffles != ROWS[i].shuffles)
      fail_msg("row %zu: %d %d %d", i, x.uneven, x.exchanges, x.shuffles);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_stands_between)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
