/* The rule issue-slots: what it promises is what the instructions that go take, and what goes with them is said. */
#include "unit/judged_remedies.h"
#include "unit/judged_work.h"

/* Of 100 us loads take so many in turn: 4 bytes a lane wait 4 times as long as 16. */
static void loads_take_100(struct made_diagnosis *d) {
  no_problem(d);
  latencies(d, 2e3 / 3);
}

/* Of 100 us a warp's instructions take 30, and what each waits for the one before 60: latency binds. */
static void own_chain(struct made_diagnosis *d) {
  no_problem(d);
  set(&d->m.results[0], "stall_selected", 0.3 * 32e6);
  set(&d->m.results[0], "stall_wait", 0.6 * 32e6);
}

static const struct remedy_case REMEDIES[] = {
    /* half of 90 us of issuing go, and three quarters of the loads: 45 stay */
    {{.rule = "issue-slots",
      .also = loads_take_100,
      .lines = {"LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P0, R2, 0x4, RZ", "IADD3.X R3, RZ, R3, RZ, P0", "@P1 BRA 0x0",
                "BRA 0x50", "EXIT"},
      .executed = {96000, 96000, 96000, 96000, 3.12e6, 96000},
      .set = {{"inst_executed", 3.6e6}, {"pipe_alu", 0}, {"pipe_fma", 0}}},
     "also narrow accesses (estimate: 45 µs with half of all and fewer batches of loads)$",
     NULL},
    /* half of 60 us of issuing are 30, of a warp's 90 they are 45 */
    {{.rule = "issue-slots",
      .also = own_chain,
      .lines = {"FADD R9, R8, R8", "FADD R9, R8, R9", "BRA 0x30", "EXIT"},
      .executed = {1, 1, 2.4e6, 1},
      .set = {{"inst_executed", 2.4e6}, {"pipe_alu", 0}, {"pipe_fma", 0}}},
     "(estimate: 55 µs with half of all; latency binds, and each warp's chain is shorter)$",
     NULL},
    /* of 60 us, where no chain binds */
    {{.rule = "issue-slots",
      .also = no_problem,
      .lines = {"FADD R9, R8, R8", "FADD R9, R8, R9", "BRA 0x30", "EXIT"},
      .executed = {1, 1, 2.4e6, 1},
      .set = {{"inst_executed", 2.4e6}, {"pipe_alu", 0}, {"pipe_fma", 0}}},
     "(estimate: 70 µs with half of all)$",
     NULL},
};

static void what_is_promised(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_promised)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
