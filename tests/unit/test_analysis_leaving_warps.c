/* Warps without an element, as far as counts and samples can tell. */
#include "analysis/signs/leaving_warps.h"
#include "unit/judged.h"

/* 8 warps test where they stand, and those that have an element go on. */
#define LEAVE                                                                                                          \
  .lines = {"S2R R0, SR_TID.X",                                                                                        \
            "ISETP.GE.AND P0, PT, R0, 0x80, PT",                                                                       \
            "@P0 EXIT",                                                                                                \
            "LDG.E R2, desc[UR4][R4.64]",                                                                              \
            "STG.E desc[UR4][R6.64], R2",                                                                              \
            "FADD R3, R3, R3",                                                                                         \
            "EXIT"}
#define ALL_LANES                                                                                                      \
  { "thread_inst_executed", 32 }

enum { AT_MAX = 7 };

static void sampled(struct judged *j, const struct judged_case *c, const uint64_t *samples, const char *reason) {
  static struct run_sample list[AT_MAX];
  judged_make(j, c, NULL);
  hot_release(&j->hot);
  struct run_result *r = &j->d.m.results[0];
  for (size_t i = 0; i < AT_MAX; i++)
    list[i] = (struct run_sample){
        .offset = (uint32_t)(16 * i), .reason = (char *)reason, .samples = samples ? samples[i] : 0};
  r->samples = list;
  r->n_samples = samples ? AT_MAX : 0;
  hot_make(&j->hot, &j->d.m.run, r);
  j->in.sass = &j->hot.kernels[0].sass;
}

/* By exact counts: so many of 8 go on; of three quarters or more the others are too few to tell of. */
static void by_counts(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool leave;
    double part;
  } rows[] = {
      {{LEAVE, .executed = {8, 8, 8, 2, 2, 2, 2}, .set = {ALL_LANES}}, true, 0.75},
      {{LEAVE, .executed = {8, 8, 8, 5, 5, 5, 5}, .set = {ALL_LANES}}, true, 0.375},
      {{LEAVE, .executed = {8, 8, 8, 6, 6, 6, 6}, .set = {ALL_LANES}}, false, 0},
      {{LEAVE, .executed = {8, 8, 8, 8, 8, 8, 8}, .set = {ALL_LANES}}, false, 0},
      /* a single lane does it all, or nobody knows how many */
      {{LEAVE, .executed = {8, 8, 8, 2, 2, 2, 2}, .set = {{"thread_inst_executed", 2}}}, true, 0.75},
      {{LEAVE, .executed = {8, 8, 8, 2, 2, 2, 2}, .set = {{"thread_inst_executed", 1.9}}}, false, 0},
      {{LEAVE, .executed = {8, 8, 8, 2, 2, 2, 2}}, false, 0},
      {{.set = {ALL_LANES}}, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct sass_leaving x = {0};
    judged_make(&j, &rows[i].kernel, NULL);
    if (leaving_warps_of(&x, &j.in) != rows[i].leave || (rows[i].leave && x.part != rows[i].part))
      fail_msg("row %zu: %g", i, x.part);
    judged_release(&j);
  }
}

/* Counts are estimates: samples of warps that issue stand one instruction behind what they are of.  Three instructions before the end have a third of 300 each, three behind it
 * a third of 90: three tenths stay, and of 18 instructions of three quarters 16.8 are left. */
static void by_samples(void **state) {
  (void)state;
  static const struct {
    uint64_t samples[AT_MAX];
    const char *reason;
    double stores; /* requests; 640 warps would be as many */
    bool leave;
    double part;
  } rows[] = {
      {{0, 100, 100, 100, 30, 30, 30}, "selected", 100, true, 0.7},
      {{999, 300, 0, 0, 0, 0, 90}, "selected", 100, true, 0.7}, /* who stands at the first has issued nothing of it */
      {{0, 0, 0, 300, 90, 0, 0}, "selected", 100, true, 0.7},
      {{0, 100, 100, 100, 70, 70, 70}, "selected", 100, false, 0}, /* 0.7, and two deviations are more than 0.75 */
      {{0, 50, 0, 0, 25, 0, 0}, "selected", 100, true, 0.5},
      {{0, 48, 0, 0, 24, 0, 0}, "selected", 100, false, 0}, /* 0.5 and two deviations of a quarter */
      {{0, 100, 0, 0, 100, 0, 0}, "selected", 100, false, 0},
      {{0, 100, 0, 0, 110, 0, 0}, "selected", 100, false, 0},
      {{0, 100, 0, 0, 0, 0, 0}, "selected", 100, false, 0},
      {{0, 0, 0, 0, 100, 0, 0}, "selected", 100, false, 0},
      {{0, 0, 0, 0, 0, 0, 0}, "selected", 100, false, 0},
      {{0, 100, 100, 100, 30, 30, 30}, "wait", 100, false, 0}, /* they issue nothing */
      /* warps that stay store */
      {{0, 100, 100, 100, 30, 30, 30}, "selected", 479, true, 0.7},
      {{0, 100, 100, 100, 30, 30, 30}, "selected", 480, false, 0},
      {{0, 100, 100, 100, 30, 30, 30}, "selected", -1, false, 0}, /* not counted */
  };
  static const struct judged_case counted = {LEAVE, .executed = {8, 8, 8, 2, 2, 2, 2},
                                             .set = {ALL_LANES, {"l1_store_requests", 0}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    struct sass_leaving x = {0};
    struct judged_case c = counted;
    c.set[1].value = rows[i].stores;
    c.without = rows[i].stores < 0 ? "l1_store_requests" : NULL;
    sampled(&j, &c, rows[i].samples, rows[i].reason);
    j.in.sass->estimated = true;
    bool leave = leaving_warps_of(&x, &j.in);
    if (leave != rows[i].leave || (leave && !(fabs(x.part - rows[i].part) < 1e-9)))
      fail_msg("row %zu: %d, %g", i, leave, x.part);
    if (leave) {
      assert_float_equal(x.insts, 24 * x.part, 1e-9);
      assert_float_equal(x.pipe[PIPE_ALU], 8 * x.part, 1e-9);
      assert_float_equal(x.pipe[PIPE_FMA], 0, 0);
    }
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_counts), cmocka_unit_test(by_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
