/* Whether the lanes of a warp add to one address of shared memory. */
#include "analysis/signs/warp_bins.h"
#include "unit/judged_lines.h"

static void rows_of_16(struct made_diagnosis *d) {
  d->m.results[0].launches->block[0] = 16;
}

#define S2R  "S2R R0, SR_TID.X"
#define WARP "SHF.R.U32.HI R1, RZ, 0x5, R0"
#define LANE "LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT"
#define ONE  "ATOMS.ADD RZ, [R1.X4], R4"
#define EACH "ATOMS.ADD RZ, [R2.X4], R4"

static const struct {
  struct judged_case kernel;
  bool shares;
} ROWS[] = {
    {{.rule = NULL}, false}, /* no code is known */
    {{.lines = {S2R, WARP, ONE, "EXIT"}, .executed = {9, 9, 9, 9}}, true},
    {{.lines = {S2R, WARP, ONE, "EXIT"}, .executed = {9, 9, 9, 9}, .also = rows_of_16}, false},
    {{.lines = {S2R, LANE, EACH, "EXIT"}, .executed = {9, 9, 9, 9}}, false},
    {{.lines = {"LDG.E R1, desc[UR4][R2.64]", ONE, "EXIT"}, .executed = {9, 9, 9}}, false},
    /* more than half of them, and of those that run */
    {{.lines = {S2R, WARP, LANE, ONE, EACH, "EXIT"}, .executed = {9, 9, 9, 9, 9, 9}}, false},
    {{.lines = {S2R, WARP, LANE, ONE, EACH, "EXIT"}, .executed = {9, 9, 9, 10, 9, 9}}, true},
    {{.lines = {S2R, WARP, LANE, ONE, "@!PT ATOMS.ADD RZ, [R2.X4], R4", "EXIT"}, .executed = {9, 9, 9, 9, 9, 9}}, true},
    {{.lines = {S2R, WARP, "LDS R4, [R1.X4]", "EXIT"}, .executed = {9, 9, 9, 9}}, false}, /* there are none */
};

static void one_address(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    judged_make(&j, &ROWS[i].kernel, NULL);
    if (warp_shares_bin(&j.in) != ROWS[i].shares)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_address)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
