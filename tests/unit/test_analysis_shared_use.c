/* Whether a kernel uses shared memory, and how much of its short waits is for that. */
#include "analysis/signs/shared_use.h"
#include "unit/assert_float.h"
#include "unit/judged.h"
#include "unit/made_input.h"

static void with_shared(struct made_diagnosis *d) {
  d->m.results[0].launches->smem_static = 16;
}

static void of_no_attributes(struct made_diagnosis *d) {
  d->m.results[0].launches->registers = 0;
}

static const struct {
  struct judged_case kernel;
  bool nothing;
} USED[] = {
    {{.lines = {"LDS R4, [R2]", "EXIT"}, .executed = {1, 1}}, false},
    {{.lines = {"LDSM.16.M88.4 R4, [R2]", "EXIT"}, .executed = {1, 1}}, false},
    {{.lines = {"ATOMS.ADD R4, [R2], R4", "EXIT"}, .executed = {1, 1}}, false},
    {{.lines = {"LDGSTS.E.128 [R2], desc[UR4][R4.64]", "EXIT"}, .executed = {1, 1}}, false},
    {{.lines = {"LDS R4, [R2]", "EXIT"}, .executed = {0, 1}, .also = with_shared}, true}, /* it did not run */
    {{.lines = {"LD.E R4, [R2.64]", "EXIT"}, .executed = {1, 1}, .also = with_shared}, false},
    {{.lines = {"LD.E R4, [R2.64]", "EXIT"}, .executed = {1, 1}}, true},
    {{.lines = {"LD.E R4, [R2.64]", "EXIT"}, .executed = {1, 1}, .also = of_no_attributes}, false},
    {{.lines = {"NEWOP R4, R2", "EXIT"}, .executed = {1, 1}, .also = with_shared}, false},
    {{.lines = {"NEWOP R4, R2", "EXIT"}, .executed = {1, 1}}, true},
    {{.lines = {"CALL.ABS.NOINC `(_Z1fPf)", "EXIT"}, .executed = {1, 1}, .also = with_shared}, false},
    {{.lines = {"BRX R2 -0x10", "EXIT"}, .executed = {1, 1}, .also = with_shared}, false},
    {{.lines = {"BRX R2 -0x10", "EXIT"}, .executed = {1, 1}}, true},
    {{.lines = {"SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "EXIT"}, .executed = {1, 1}, .also = with_shared}, true},
    /* a matrix instruction that reads it, one of registers, and a wait */
    {{.lines = {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, gsb0", "EXIT"}, .executed = {1, 1}}, false},
    {{.lines = {"HMMA.16816.F32 R8, R4, R4, R8", "EXIT"}, .executed = {1, 1}, .also = with_shared}, true},
    {{.lines = {"WARPGROUP.DEPBAR.LE gsb0, 0x0", "EXIT"}, .executed = {1, 1}, .also = with_shared}, true},
    {{.rule = NULL}, false}, /* no code is known */
};

static void what_is_used(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof USED / sizeof *USED; i++) {
    static struct judged j;
    judged_make(&j, &USED[i].kernel, NULL);
    if (shares_nothing(&j.in) != USED[i].nothing)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

/* Nothing was counted: a launch without it speaks against the code's own words. */
static void of_code_alone(void **state) {
  (void)state;
  static const struct judged_case kernel = {.lines = {"LDS R4, [R2]", "EXIT"}, .executed = {1, 1}};
  for (int shared = 0; shared < 2; shared++) {
    static struct judged j;
    judged_make(&j, &kernel, NULL);
    j.hot.kernels[0].sass.counted = false;
    ((struct run_launch *)j.in.f->launch)->smem_dynamic = 16 * shared;
    assert_int_equal(shares_nothing(&j.in), !shared);
    judged_release(&j);
  }
}

/* Of 200 samples of short waits 50 are for what a shuffle brings, and 150 for the thread's number: 2.5 of 10 us.  Of 99 nobody knows. */
static void waits_by_samples(void **state) {
  (void)state;
  static struct run_sample samples[2];
  static const struct judged_case kernel = {.lines = {"S2R R2, SR_TID.X", "IADD3 R3, R2, R2, RZ",
                                                      "SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "IADD3 R6, R4, R2, RZ",
                                                      "EXIT"},
                                            .executed = {1, 1, 1, 1, 1},
                                            .set = {{"stall_short_scoreboard", 3.2e6}}};
  static const struct {
    uint64_t number, shuffle;
    double us;
  } rows[] = {{150, 50, 2.5}, {0, 100, 10}, {75, 25, 2.5}, {75, 24, 10}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    samples[0] = (struct run_sample){.offset = 0x10, .reason = (char *)"short_scoreboard", .samples = rows[i].number};
    samples[1] = (struct run_sample){.offset = 0x30, .reason = (char *)"short_scoreboard", .samples = rows[i].shuffle};
    judged_make(&j, &kernel, NULL);
    hot_release(&j.hot);
    struct run_result *r = &j.d.m.results[0];
    r->samples = samples;
    r->n_samples = 2;
    hot_make(&j.hot, &j.d.m.run, r);
    j.in.sass = &j.hot.kernels[0].sass;
    assert_float_equal(sampled_shared_waits(&j.in) * 1e6, rows[i].us, 1e-9);
    judged_release(&j);
  }
}

/* --- shuffles --- */

#define SHUFFLES                                                                                                       \
  "SHFL.BFLY PT, R4, R5, 0x1, 0x1f", "SHFL.UP PT, R4, R5, 0x1, RZ", "SHFL.IDX PT, R4, R5, 0x1, 0x1f", "LDS R4, [R2]",  \
      "STS [R2], R4", "ATOMS.ADD R4, [R2], R4", "EXIT"

static void what_shuffles_are_for(void **state) {
  (void)state;
  static const char *const lines[] = {SHUFFLES, NULL};
  static const struct {
    double executed[8];
    double shuffles, accesses;
    enum shuffled kind;
    bool lead;
  } rows[] = {
      {{10, 0, 0, 1, 2, 4, 1}, 10, 7, SHUFFLED_SUMS, true}, {{10, 0, 0, 1, 2, 7, 1}, 10, 10, SHUFFLED_SUMS, false},
      {{5, 5, 0, 0, 0, 0, 1}, 10, 0, SHUFFLED_SUMS, true},  {{4, 5, 0, 0, 0, 0, 1}, 9, 0, SHUFFLED_SCANS, true},
      {{5, 0, 5, 0, 0, 0, 1}, 10, 0, SHUFFLED_SUMS, true},  {{4, 0, 5, 0, 0, 0, 1}, 9, 0, SHUFFLED_VALUES, true},
      {{0, 0, 0, 0, 0, 0, 1}, 0, 0, SHUFFLED_SUMS, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    struct shuffle_use use;
    shuffle_use_of(&use, input(&x, lines, rows[i].executed));
    if (use.shuffles != rows[i].shuffles || use.accesses != rows[i].accesses || use.kind != rows[i].kind ||
        use.lead != rows[i].lead)
      fail_msg("row %zu: %g, %g, %d, %d", i, use.shuffles, use.accesses, (int)use.kind, use.lead);
    sass_release(&x.m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_used), cmocka_unit_test(of_code_alone),
                                     cmocka_unit_test(waits_by_samples), cmocka_unit_test(what_shuffles_are_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
