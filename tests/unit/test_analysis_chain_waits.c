/* Which waits for memory are a chain's: kernels small enough to follow by hand. */
#include "analysis/signs/chain_waits.h"
#include "unit/judged.h"

#include <math.h>

static const struct {
  double links, ends;
  struct run_sample samples[3];
} ROWS[] = {
    /* 4 of 40 wait for an index, 6 for what it leads to, 30 for a load that needs neither; other reasons are not asked */
    {0.1,
     0.15,
     {{.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 4},
      {.offset = 0x50, .reason = (char *)"long_scoreboard", .samples = 6},
      {.offset = 0x60, .reason = (char *)"long_scoreboard", .samples = 30}}},
    {0, 0, {{.offset = 0x60, .reason = (char *)"long_scoreboard", .samples = 30}}},
    {1,
     0,
     {{.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 3},
      {.offset = 0x60, .reason = (char *)"wait", .samples = 30}}},
    {1, 0, {{.offset = 0x60, .reason = (char *)"wait", .samples = 30}}}, /* no sample tells */
};

static const struct run_sample *samples_now;

static void samples_of_row(struct made_diagnosis *d) {
  d->m.results[0].samples = (struct run_sample *)samples_now;
  for (d->m.results[0].n_samples = 0; d->m.results[0].n_samples < 3 && samples_now[d->m.results[0].n_samples].reason;)
    d->m.results[0].n_samples++;
}

static void parts(void **state) {
  (void)state;
  static const struct judged_case c = {.lines = {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]",
                                                 "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
                                                 "LDG.E R12, desc[UR4][R14.64]", "FADD R13, R9, R13",
                                                 "FADD R16, R12, R16", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
                                       .executed = {320, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 32e3, 320},
                                       .also = samples_of_row};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct chain_waits x;
    samples_now = ROWS[i].samples;
    judged_make(&j, &c, NULL);
    chain_waits_of(&x, &j.in);
    if (fabs(x.links - ROWS[i].links) > 1e-9 || fabs(x.ends - ROWS[i].ends) > 1e-9)
      fail_msg("row %zu: links %g, ends %g", i, x.links, x.ends);
    judged_release(&j);
  }
}

/* One turn in 40 comes to the load whose place rests on the other's value, or one in 32. */
static void seldom_come_to(void **state) {
  (void)state;
  static const struct run_sample samples[3] = {{.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = 4}};
  samples_now = samples;
  for (int i = 0; i < 2; i++) {
    static struct judged j;
    struct chain_waits x;
    double comes = i ? 1000 : 800;
    const struct judged_case c = {.lines = {"MOV R2, R6", "LDG.E R8, desc[UR4][R2.64]",
                                            "ISETP.GT.AND P1, PT, R8, RZ, PT", "@!P1 BRA 0x60",
                                            "IMAD.WIDE R4, R8, 0x4, R10", "LDG.E R9, desc[UR4][R4.64]",
                                            "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x10", "EXIT"},
                                  .executed = {320, 32e3, 32e3, 32e3, comes, comes, 32e3, 32e3, 320},
                                  .also = samples_of_row};
    judged_make(&j, &c, NULL);
    chain_waits_of(&x, &j.in);
    assert_true(x.links == i && x.ends == 0);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(seldom_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
