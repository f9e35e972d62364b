/* Blocks of other sizes on an SM of 65,536 registers and 64 warps. */
#include "analysis/signs/block_fit.h"
#include "unit/judged_launch.h"

/* Four of 48,000 B have the SM's shared memory. */
static void tables(struct made_diagnosis *d, int registers) {
  launch(d, 40, 64, 4, registers);
  d->m.results[0].launches->smem_static = 48000;
}

static void of_72_registers(struct made_diagnosis *d) {
  tables(d, 72);
}

static void of_32_registers(struct made_diagnosis *d) {
  tables(d, 32);
}

#define FILLED_FROM(place)                                                                                             \
  .lines = {("S2R R2, " place), "IMAD.WIDE R4, R2, 0x4, R6", "LDG.E R8, desc[UR4][R4.64]", "STS [R3], R8", "EXIT"},    \
  .executed = {160, 160, 160, 160, 160}

/* 72 registers of 256 threads are 18,432: three blocks of 8 warps; 512 threads four times take 32 each. */
static void larger(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool larger;
    double warps, more;
    int threads, more_threads, registers;
  } all[] = {{{.also = of_72_registers, FILLED_FROM("SR_TID.X")}, true, 24, 64, 256, 512, 32},
             {{.also = of_32_registers, FILLED_FROM("SR_TID.X")}, true, 64, 64, 512, 512, 32},
             {{.also = of_72_registers, FILLED_FROM("SR_CTAID.X")}, false, 8, 8, 0, 0, 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    static struct judged j;
    struct occupancy o;
    struct larger_blocks x;
    judged_make(&j, &all[i].kernel, NULL);
    assert_true(limits_of(&o, &j.in));
    if (larger_blocks_of(&x, &j.in, &o) != all[i].larger || x.now != 8 || x.warps != all[i].warps ||
        x.more != all[i].more || x.threads != all[i].threads || x.more_threads != all[i].more_threads)
      fail_msg("row %zu: %g, %g, %g, %d, %d, %d", i, x.now, x.warps, x.more, x.threads, x.more_threads, x.registers);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(larger)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
