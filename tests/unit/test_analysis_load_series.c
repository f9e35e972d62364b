/* Waits for loads that stand one after another. */
#include "analysis/signs/load_series.h"
#include "unit/judged.h"

/* A load at 0x0, its wait at 0x10; one behind that, its wait at 0x30; and so a third. */
#define SERIES                                                                                                         \
  .lines = {"LDG.E R2, desc[UR4][R4.64]",                                                                              \
            "FADD R3, R2, R2",                                                                                         \
            "LDG.E R6, desc[UR4][R8.64]",                                                                              \
            "FADD R7, R6, R3",                                                                                         \
            "LDG.E R10, desc[UR4][R12.64]",                                                                            \
            "FADD R11, R10, R7",                                                                                       \
            "EXIT"},                                                                                                   \
  .executed = {32, 32, 32, 32, 32, 32, 32}
/* All loads first. */
#define AT_ONCE                                                                                                        \
  .lines = {"LDG.E R2, desc[UR4][R4.64]",                                                                              \
            "LDG.E R6, desc[UR4][R8.64]",                                                                              \
            "LDG.E R10, desc[UR4][R12.64]",                                                                            \
            "FADD R3, R2, R2",                                                                                         \
            "FADD R7, R6, R3",                                                                                         \
            "FADD R11, R10, R7",                                                                                       \
            "EXIT"},                                                                                                   \
  .executed = {32, 32, 32, 32, 32, 32, 32}

static void sampled(struct made_diagnosis *d, const char *reason, const uint32_t *at, const uint64_t *n) {
  static struct run_sample samples[3];
  for (int i = 0; i < 3; i++)
    samples[i] = (struct run_sample){.offset = at[i], .reason = (char *)reason, .samples = n[i]};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 3;
}

static void thirds(struct made_diagnosis *d) {
  sampled(d, "long_scoreboard", (const uint32_t[]){0x10, 0x30, 0x50}, (const uint64_t[]){30, 30, 30});
}

/* The third wait has 9 of 100. */
static void two(struct made_diagnosis *d) {
  sampled(d, "long_scoreboard", (const uint32_t[]){0x10, 0x30, 0x50}, (const uint64_t[]){41, 50, 9});
}

static void the_first_alone(struct made_diagnosis *d) {
  sampled(d, "long_scoreboard", (const uint32_t[]){0x10, 0x30, 0x50}, (const uint64_t[]){91, 5, 4});
}

static void at_once(struct made_diagnosis *d) {
  sampled(d, "long_scoreboard", (const uint32_t[]){0x30, 0x40, 0x50}, (const uint64_t[]){30, 30, 30});
}

static void other_waits(struct made_diagnosis *d) {
  sampled(d, "wait", (const uint32_t[]){0x10, 0x30, 0x50}, (const uint64_t[]){30, 30, 30});
}

static void how_many(void **state) {
  static const struct {
    struct judged_case kernel;
    size_t n;
  } rows[] = {
      {{SERIES, .also = thirds}, 3},
      {{SERIES, .also = two}, 2},
      {{SERIES, .also = the_first_alone}, 0},
      {{SERIES, .also = other_waits}, 0},
      {{SERIES}, 0},
      {{AT_ONCE, .also = at_once}, 0},
      {{.rule = NULL}, 0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    if (load_series(&j.in) != rows[i].n)
      fail_msg("row %zu: %zu", i, load_series(&j.in));
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(how_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
