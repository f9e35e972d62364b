/* Which advice changes the launch, and no line of the kernel. */
#include "analysis/story/of_launch.h"
#include "unit/judged.h"

static const struct {
  const char *rule;
  unsigned threads;
  int registers;
  bool general, at, launched, of_launch;
} CASES[] = {
    {"small-grid", 256, 32, false, false, true, true},    {"launch-bound", 256, 32, false, false, true, true},
    {"small-blocks", 256, 32, false, false, true, true},  {"tail", 256, 32, false, false, true, true},
    {"partial-warps", 256, 32, false, false, true, true}, {"long-scoreboard", 256, 32, false, false, true, false},
    {"small-grid", 256, 32, false, true, true, false},    {"small-grid", 256, 32, false, false, false, false},
    {"occupancy", 256, 128, true, false, true, true},   /* fewer blocks than fit */
    {"occupancy", 256, 128, false, false, true, false}, /* registers */
    {"occupancy", 32, 16, false, false, true, true},    /* 32 blocks of a warp, where 64 warps fit */
    {"occupancy", 768, 16, false, false, true, true},   /* two blocks of 24 warps */
    {"occupancy", 32, 0, false, false, true, false},    /* not known */
};

static void what_is_of_the_launch(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const struct run_instruction line = {0};
    const struct run_launch launch = {
        .grid = {1, 1, 1}, .block = {CASES[i].threads, 1, 1}, .registers = CASES[i].registers};
    const struct device d = {.sm = 90, .sms = 132, .warps_per_sm = 64, .regs_per_sm = 65536, .smem_per_sm = 233472};
    const struct finding f = {.launch = CASES[i].launched ? &launch : NULL};
    const struct advice a = {
        .rule = rule_find(CASES[i].rule), .told.general = CASES[i].general, .told.at = CASES[i].at ? &line : NULL};
    if (advice_of_launch(&a, &f, &d) != CASES[i].of_launch)
      fail_msg("row %zu", i);
  }
}

static void how_it_is_written(void **state) {
  (void)state;
  static const struct {
    struct run_launch launch;
    const char *want;
  } rows[] = {{{.grid = {65536, 1, 1}, .block = {256, 1, 1}}, "<<<65536, 256>>>"},
              {{.grid = {64, 4, 1}, .block = {32, 8, 1}}, "<<<64x4, 32x8>>>"},
              {{.grid = {2, 1, 3}, .block = {1, 1, 64}}, "<<<2x1x3, 1x1x64>>>"}};
  struct text out = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    launch_words(&(struct finding){.launch = &rows[i].launch}, &out);
    assert_string_equal(text_str(&out), rows[i].want);
    text_release(&out);
  }
  launch_words(&(struct finding){0}, &out);
  assert_int_equal(out.n, 0);
  text_release(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_of_the_launch), cmocka_unit_test(how_it_is_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
