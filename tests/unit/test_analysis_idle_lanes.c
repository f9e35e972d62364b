/* Lanes of a warp that have nothing to do, and why. */
#include "analysis/signs/idle_lanes.h"
#include "unit/judged.h"

static void lanes_that_have_a_thread(void **state) {
  (void)state;
  static const struct {
    unsigned x, y, z;
    double part;
  } rows[] = {{256, 1, 1, 1},       {32, 1, 1, 1},        {16, 1, 1, 0.5},      {48, 1, 1, 0.75},
              {5, 5, 1, 25 / 32.0}, {3, 3, 3, 27 / 32.0}, {33, 1, 1, 33 / 64.0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run_launch l = {.block = {rows[i].x, rows[i].y, rows[i].z}};
    struct finding f = {.launch = &l};
    assert_float_equal(lanes_with_thread(&(struct rule_input){.f = &f}), rows[i].part, 1e-12);
  }
  struct finding f = {.launch = NULL};
  assert_float_equal(lanes_with_thread(&(struct rule_input){.f = &f}), 1, 0);
}

/* Of 1000 warp instructions so many of 32 lanes are active. */
#define LANES(n) .set = {{"inst_executed", 1000}, {"thread_inst_executed", (n)*1000}}

/* --- warp instructions that warps of 24 lanes would not need --- */

/* One lane issues bulk copies for all, 300 times. */
#define ELECTED(copy) .lines = {"@P0 BRA 0x30", copy, "IADD3 R5, R5, 0x1, RZ", "EXIT"}, .executed = {300, 150, 150, 300}

static const struct {
  struct judged_case kernel;
  bool alone; /* the second and third instruction are of one lane each time */
  double part;
} DIVERGED[] = {
    {{LANES(12)}, false, 0.5},
    {{LANES(24)}, false, 0},
    {{LANES(30)}, false, 0},
    {{.rule = NULL}, false, 0}, /* how many lanes are active is not known */
    /* 31 of 32 lanes of 300 of 1000 instructions have nothing to do, beside 12 active ones */
    {{ELECTED("UBLKCP [UR8], [UR6], UR10"), LANES(12)}, true, 1 - (12 / 32.0 + 0.3 * 31 / 32) / 0.75},
    {{ELECTED("UBLKCP [UR8], [UR6], UR10"), LANES(12)}, false, 0.5}, /* all lanes issue them */
    {{ELECTED("IADD3 R4, R4, 0x1, RZ"), LANES(12)}, true, 0.5},      /* it copies nothing */
};

static void warps_that_more_lanes_would_spare(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof DIVERGED / sizeof *DIVERGED; i++) {
    static struct judged j;
    judged_make(&j, &DIVERGED[i].kernel, NULL);
    if (j.in.sass && DIVERGED[i].alone)
      j.in.sass->threads[1] = j.in.sass->threads[2] = 150;
    if (!(fabs(diverged_part(&j.in) - DIVERGED[i].part) < 1e-12))
      fail_msg("row %zu: %g", i, diverged_part(&j.in));
    judged_release(&j);
  }
}

/* Of blocks of 16 threads half of the lanes have one: 12 active lanes are three quarters of them. */
static void lanes_without_a_thread_are_no_divergence(void **state) {
  (void)state;
  static const struct judged_case kernel = {LANES(12)};
  static struct judged j;
  judged_make(&j, &kernel, NULL);
  ((struct run_launch *)j.in.f->launch)->block[0] = 16;
  assert_float_equal(diverged_part(&j.in), 0, 1e-12);
  ((struct run_launch *)j.in.f->launch)->block[0] = 32;
  assert_float_equal(diverged_part(&j.in), 0.5, 1e-12);
  judged_release(&j);
}

/* --- the branch that leaves the most out --- */

/* 100 warps come to two branches on the lane, of which each leaves half of the lanes out of what is behind it. */
#define TWO_BRANCHES                                                                                                   \
  .lines = {"S2R R4, SR_TID.X", "ISETP.NE.AND P0, PT, R4, RZ, PT",                                                     \
            "@P0 BRA 0x50",     "FADD R5, R5, R5",                                                                     \
            "FADD R5, R5, R5",  "ISETP.GT.AND P1, PT, R4, 0x7, PT",                                                    \
            "@P1 BRA 0xa0",     "FADD R6, R6, R6",                                                                     \
            "FADD R6, R6, R6",  "FADD R6, R6, R6",                                                                     \
            "FADD R7, R7, R7",  "EXIT"}

static void the_branch_that_leaves_most_out(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    size_t at, samples;     /* samples: at which instruction */
    bool estimated, narrow; /* narrow: half of the lanes are in what the branches leave out */
    size_t branch;
  } rows[] = {
      {{TWO_BRANCHES, .executed = {100, 100, 100, 90, 90, 100, 100, 90, 90, 90, 100, 100}}, 0, 0, false, true, 6},
      {{TWO_BRANCHES, .executed = {100, 100, 100, 90, 90, 100, 100, 50, 50, 10, 100, 100}}, 0, 0, false, true, 2},
      /* all lanes go everywhere */
      {{TWO_BRANCHES, .executed = {100, 100, 100, 90, 90, 100, 100, 90, 90, 90, 100, 100}},
       0,
       0,
       false,
       false,
       SASS_NONE},
      /* how many lanes is not known: by the samples */
      {{TWO_BRANCHES, .executed = {100, 100, 100, 90, 90, 100, 100, 90, 90, 90, 100, 100}}, 3, 50, true, true, 2},
      {{TWO_BRANCHES, .executed = {100, 100, 100, 90, 90, 100, 100, 90, 90, 90, 100, 100}}, 7, 50, true, true, 6},
      {{TWO_BRANCHES, .executed = {100, 100, 100, 90, 90, 100, 100, 90, 90, 90, 100, 100}},
       0,
       50,
       true,
       true,
       SASS_NONE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct run_sample sample = {
        .offset = (uint32_t)(16 * rows[i].at), .reason = (char *)"wait", .samples = rows[i].samples};
    judged_make(&j, &rows[i].kernel, NULL);
    hot_release(&j.hot);
    j.d.m.results[0].samples = &sample;
    j.d.m.results[0].n_samples = rows[i].samples > 0;
    hot_make(&j.hot, &j.d.m.run, &j.d.m.results[0]);
    j.in.sass = &j.hot.kernels[0].sass;
    j.in.sass->estimated = rows[i].estimated;
    for (size_t k = 3; k < 10 && rows[i].narrow; k++)
      if (k != 5 && k != 6)
        j.in.sass->threads[k] = 16 * j.in.sass->executed[k];
    if (diverging_branch(&j.in) != rows[i].branch)
      fail_msg("row %zu: %zu", i, diverging_branch(&j.in));
    j.in.sass = NULL;
    assert_int_equal(diverging_branch(&j.in), SASS_NONE);
    judged_release(&j);
  }
}

/* Most samples wait behind the first branch, those of warps that issue are behind the second. */
static void what_issues_counts(void **state) {
  (void)state;
  static const struct judged_case kernel = {TWO_BRANCHES,
                                            .executed = {100, 100, 100, 90, 90, 100, 100, 90, 90, 90, 100, 100}};
  static struct judged j;
  struct run_sample samples[] = {{.offset = 16 * 3, .reason = (char *)"wait", .samples = 50},
                                 {.offset = 16 * 3, .reason = (char *)"selected", .samples = 2},
                                 {.offset = 16 * 7, .reason = (char *)"selected", .samples = 9}};
  for (size_t n = 1; n <= 3; n += 2) {
    judged_make(&j, &kernel, NULL);
    hot_release(&j.hot);
    j.d.m.results[0].samples = samples;
    j.d.m.results[0].n_samples = n;
    hot_make(&j.hot, &j.d.m.run, &j.d.m.results[0]);
    j.in.sass = &j.hot.kernels[0].sass;
    j.in.sass->estimated = true;
    assert_int_equal(diverging_branch(&j.in), n == 1 ? 2 : 6);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_that_have_a_thread),
      cmocka_unit_test(warps_that_more_lanes_would_spare),
      cmocka_unit_test(lanes_without_a_thread_are_no_divergence),
      cmocka_unit_test(the_branch_that_leaves_most_out),
      cmocka_unit_test(what_issues_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
