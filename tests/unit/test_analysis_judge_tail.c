/* The rule tail: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_launch.h"

static const struct judged_case CASES[] = {
    /* 3.6 blocks an SM, of which the busiest have 4: 0.9 of the round work's 0.5 */
    {.rule = "tail",
     .also = blocks_36,
     .set = {{"sm_cycles_active_max", 1e5 / 0.9}, {"l1_wavefronts", 4e5}},
     .says = "waves 1.2 wave\n"
             "SM balance 0.9 ratio\n"
             "SM balance expected from the last wave 0.9 ratio\n"
             "1.20 waves: the last one fills 20 % of the chip\n"
             "choose a grid of whole waves, use smaller blocks, or a persistent grid with a work queue\n",
     .takes = "blocks 990, balance 0.55556",
     .silent = {{"sm_cycles_active_max", 1e5}}},
    /* a warp's chain C is 30/54 C twice: of 1/9 C more the tail is 0.354, of all 0.03784 */
    {.rule = "tail",
     .also = blocks_54,
     .set = {{"stall_selected", 16e6}, {"stall_wait", 0}},
     .says = "waves 1.8 wave\n"
             "SM balance 1 ratio\n"
             "SM balance expected from the last wave 1 ratio\n"
             "tail, share of the modelled time 0.03784 ratio\n"
             "1.80 waves: the last one fills 80 % of the chip\n"
             "choose a grid of whole waves, use smaller blocks, or a persistent grid with a work queue\n",
     .takes = "blocks 990"},
    {.rule = "tail", /* tiles alike: no queue shortens the last of their turns */
     .also = blocks_54,
     .lines = {"LDS R4, [R5]", "EXIT"},
     .executed = {54, 54},
     .set = {{"stall_selected", 16e6}, {"stall_wait", 0}},
     .says = "waves 1.8 wave\n"
             "SM balance 1 ratio\n"
             "SM balance expected from the last wave 1 ratio\n"
             "tail, share of the modelled time 0.03784 ratio\n"
             "1.80 waves: the last one fills 80 % of the chip\n"
             "smaller blocks or tiles, split sums (split K), or a tile shape whose grid fills the waves; a "
             "grid-stride loop over the same tiles takes as many iterations\n",
     .takes = "blocks 990"},
    {.rule = "tail", .also = blocks_40, .set = {{"sm_cycles_active_max", 2e5}, {"l1_wavefronts", 4e5}}, .takes = ""},
    {.rule = "tail", .also = no_launch, .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

/* 1.2 waves take two turns: whole ones would take 0.6 of the time. */
static void no_more_than_whole_waves(void **state) {
  (void)state;
  static struct judged j;
  struct told told = {0};
  judged_make(&j, &CASES[0], NULL);
  assert_true(rule_find("tail")->judge(&j.in, &told));
  assert_float_equal(told.most, 0.4, 1e-9);
  assert_float_equal(told.most_high, 0.4, 1e-9);
  judged_release(&j);
}

/* SMs that work for 0.75 of the busiest one's time: as even, all would end after as much. */
static void no_more_than_even_sms(void **state) {
  (void)state;
  static const struct judged_case uneven = {.set = {{"sm_cycles_active_max", 1e5 / 0.75}}};
  static struct judged j;
  struct told told = {0};
  judged_make(&j, &uneven, NULL);
  assert_true(rule_find("imbalance")->judge(&j.in, &told));
  assert_float_equal(told.most, 0.25, 1e-9);
  assert_float_equal(told.most_high, 0.25, 1e-9);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(no_more_than_whole_waves),
                                     cmocka_unit_test(no_more_than_even_sms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
