/* Loads that ask for bytes again, and are waited for. */
#include "analysis/signs/rereads.h"
#include "unit/judged.h"

/* 200 loads of 32 lanes of 4 bytes ask for 25,600 bytes. */
#define LOADS(address, read, waits)                                                                                    \
  .lines = {address, "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R4, R4", "EXIT"}, .executed = {200, 200, 200, 200},       \
  .set = {{"dram_read_bytes", read}, {"stall_long_scoreboard", waits}}
#define BY_LANE "IMAD.WIDE R2, R0, 0x4, R8"

#define GATHER                                                                                                         \
  .lines = {"LDG.E R0, desc[UR4][R8.64]",                                                                              \
            "LDG.E R4, desc[UR4][R2.64]",                                                                              \
            "FADD R5, R4, R4",                                                                                         \
            "IMAD.WIDE R2, R0, 0x4, R10",                                                                              \
            "@P0 BRA 0x10",                                                                                            \
            "EXIT"},                                                                                                   \
  .executed = {1, 200, 200, 200, 200, 1}, .set = {{"dram_read_bytes", 100}, {"stall_long_scoreboard", 16e6}}

static void sampled(struct made_diagnosis *d, uint64_t loads, uint64_t others) {
  static struct run_sample samples[2];
  samples[0] = (struct run_sample){.offset = 0x20, .reason = (char *)"long_scoreboard", .samples = loads};
  samples[1] = (struct run_sample){.offset = 0x30, .reason = (char *)"wait", .samples = others};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
}

static void half(struct made_diagnosis *d) {
  sampled(d, 50, 50);
}

static void less(struct made_diagnosis *d) {
  sampled(d, 49, 51);
}

/* The lanes of a warp share an address: 32 bytes each time. */
static void one_sector(struct made_diagnosis *d) {
  half(d);
  d->counts[1].global_sectors = 200;
}

static void all_sectors(struct made_diagnosis *d) {
  half(d);
  d->counts[1].global_sectors = 800;
}

static void which_are_waited_for(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool waited_for;
  } rows[] = {
      {{LOADS(BY_LANE, 12800, 16e6), .also = half}, true},
      {{LOADS(BY_LANE, 12801, 16e6), .also = half}, false}, /* not twice as many as there are */
      {{LOADS(BY_LANE, 12800, 15.9e6), .also = half}, false},
      {{LOADS(BY_LANE, 12800, 16e6), .also = less}, false},
      {{LOADS(BY_LANE, 12800, 16e6)}, false}, /* no samples */
      {{LOADS(BY_LANE, 12800, 16e6), .also = all_sectors}, true},
      {{LOADS(BY_LANE, 12800, 16e6), .also = one_sector}, false},
      {{LOADS("MOV R2, R6", 100, 16e6), .also = half}, true},
      {{LOADS("LDG.E.64 R2, desc[UR4][R8.64]", 100, 16e6), .also = half}, true}, /* a pointer that was loaded */
      {{GATHER, .also = half}, false},                                           /* data choose the places */
      {{.rule = NULL}, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct judged j;
    judged_make(&j, &rows[i].kernel, NULL);
    if (rereads_are_waited_for(&j.in) != rows[i].waited_for)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_are_waited_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
