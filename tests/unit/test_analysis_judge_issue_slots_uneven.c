/* The rule issue-slots beside an uneven load of the SMs. */
#include "unit/judged.h"

#define SHARED_BY_NONE                                                                                                 \
  .rule = "issue-slots",                                                                                               \
  .lines = {"LOP3.LUT R4, R5, R6, R7, 0x96, !PT", "IADD3 R4, R5, R6, RZ", "FADD R4, R5, R6", "EXIT"},                  \
  .executed = {200, 200, 100, 0, 0}
#define SUMS                                                                                                           \
  .rule = "issue-slots", .lines = {"FFMA R4, R5, R6, R7", "FFMA R4, R5, R6, R4", "IADD3 R4, R5, R6, RZ", "EXIT"},      \
  .executed = {200, 200, 100, 0, 0}
#define BUSIEST(balance)                                                                                               \
  .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}, {"sm_cycles_active_max", 1e5 / (balance)}}

/* What the work itself takes stands behind an uneven load, and what a kind that could go takes does not. */
static void behind_an_uneven_load(void **state) {
  (void)state;
  static const struct {
    struct judged_case c;
    bool yields;
  } UNEVEN[] = {
      {{SHARED_BY_NONE, BUSIEST(0.79)}, true},
      {{SHARED_BY_NONE, BUSIEST(0.81)}, false},
      {{SUMS, BUSIEST(0.79)}, true},
      {{.rule = "issue-slots", /* the loop's own overhead could go */
        .lines = {"MOV R6, RZ", "FADD R4, R5, R4", "FADD R4, R5, R4", "FADD R4, R5, R4", "IADD3 R6, R6, 0x1, RZ",
                  "ISETP.NE.AND P0, PT, R6, R7, PT", "@P0 BRA 0x10", "EXIT"},
        .executed = {1, 80, 80, 80, 80, 80, 80, 1},
        BUSIEST(0.79)},
       false},
      {{SHARED_BY_NONE, .set = {{"sm_clock_hz", 1e5}, {"inst_executed", 500}}}, false},
  };
  for (size_t i = 0; i < sizeof UNEVEN / sizeof *UNEVEN; i++) {
    static struct judged j;
    const struct rule *rule = rule_find("issue-slots");
    struct told a = told_of(rule);
    judged_make(&j, &UNEVEN[i].c, NULL);
    assert_true(rule->judge(&j.in, &a));
    if (!a.yields_to == UNEVEN[i].yields)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(behind_an_uneven_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
