/* Atomics on neighbouring words that a wider one adds: parts worked out beside each row. */
#include "analysis/signs/merged_atomics.h"
#include "unit/judged.h"

#define ADD(place)   "REDG.E.ADD.STRONG.GPU desc[UR4][" place "], R8"
#define FLOAT(place) "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][" place "], R8"

static void ampere(struct made_diagnosis *d) {
  d->m.device.sm = 80;
}

static void rows(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    double gone;
    int words;
    bool floats;
  } all[] = {
      {{.lines = {ADD("R2.64+0x4"), ADD("R2.64"), "EXIT"}, .executed = {10, 10, 10}}, 0.5, 2, false},
      /* 10 of 40 go: the two others are a word of their own each, as their base is another by then */
      {{.lines = {ADD("R2.64"), ADD("R2.64+0x4"), "IADD3 R2, P0, R2, 0x10, RZ", ADD("R2.64+0x8"), ADD("R4.64+0xc"),
                  "EXIT"},
        .executed = {10, 10, 10, 10, 10, 10}},
       0.25,
       2,
       false},
      /* of four integers two go, of four floats three */
      {{.lines = {ADD("R2.64"), ADD("R2.64+0x4"), ADD("R2.64+0x8"), ADD("R2.64+0xc"), "EXIT"},
        .executed = {1, 1, 1, 1, 1}},
       0.5,
       2,
       false},
      {{.lines = {FLOAT("R2.64"), FLOAT("R2.64+0x4"), FLOAT("R2.64+0x8"), FLOAT("R2.64+0xc"), "EXIT"},
        .executed = {1, 1, 1, 1, 1}},
       0.75,
       4,
       true},
      {{.lines = {FLOAT("R2.64"), FLOAT("R2.64+0x4"), "EXIT"}, .executed = {1, 1, 1}, .also = ampere}, 0, 0, false},
      /* three words begin in the midst of a pair in every second row */
      {{.lines = {ADD("R2.64"), ADD("R2.64+0x4"), ADD("R2.64+0x8"), "EXIT"}, .executed = {1, 1, 1, 1}}, 0, 0, false},
      {{.lines = {ADD("R2.64"), ADD("R2.64+0x8"), "EXIT"}, .executed = {1, 1, 1}}, 0, 0, false}, /* not neighbours */
      {{.lines = {ADD("R2.64"), "REDG.E.MAX.STRONG.GPU desc[UR4][R2.64+0x4], R8", "EXIT"}, .executed = {1, 1, 1}},
       0,
       0,
       false},
      {{.lines = {"@P0 " ADD("R2.64"), "@P0 " ADD("R2.64+0x4"), "EXIT"}, .executed = {1, 1, 1}}, 0.5, 2, false},
      {{.lines = {"@P0 " ADD("R2.64"), "@!P0 " ADD("R2.64+0x4"), "EXIT"}, .executed = {1, 1, 1}}, 0, 0, false},
      {{.lines = {"@P0 BRA 0x20", ADD("R2.64"), ADD("R2.64+0x4"), "EXIT"}, .executed = {1, 1, 1, 1}}, 0, 0, false},
      {{.rule = NULL}, 0, 0, false}, /* no code */
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    static struct judged j;
    struct merged_atomics x;
    judged_make(&j, &all[i].kernel, NULL);
    merged_atomics_of(&x, &j.in);
    if (fabs(x.gone - all[i].gone) > 1e-12 || x.words != all[i].words || x.floats != all[i].floats)
      fail_msg("row %zu: %g, %d, %d", i, x.gone, x.words, x.floats);
    judged_release(&j);
  }
}

/* 9 MB from DRAM, of which loads asked for 8. */
static void reach(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    double bytes;
  } all[] = {{{.set = {{"dram_read_bytes", 9e6}, {"l2_read_bytes", 8e6}}}, 1e6},
             {{.set = {{"dram_read_bytes", 7e6}, {"l2_read_bytes", 8e6}}}, 0},
             {{.set = {{"dram_read_bytes", 9e6}, {"l2_read_bytes", 8e6}}, .without = "l2_read_bytes"}, 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    static struct judged j;
    judged_make(&j, &all[i].kernel, NULL);
    if (fabs(atomics_reach(&j.in) - all[i].bytes) > 1e-3)
      fail_msg("row %zu: %g", i, atomics_reach(&j.in));
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(reach)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
