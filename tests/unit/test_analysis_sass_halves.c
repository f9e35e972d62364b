/* Which 16-bit instructions make one value of use, by their text. */
#include "unit/made_sass.h"

#include "analysis/idioms/halves.h"

static const struct {
  const char *text;
  bool one;
} CASES[] = {
    {"HADD2 R2, R2.H0_H0, R3.H0_H0", true},
    {"HADD2 R2, R3.H0_H0, R3.H1_H1", true},
    {"HMUL2 R2, -R2.H0_H0, |R3|.H1_H1", true},
    {"HFMA2 R0, R2.H0_H0, R3.H0_H0, R0.H0_H0", true},
    {"HFMA2.BF16_V2 R0, R2.H0_H0, R3.H0_H0, -RZ", true},
    {"HMUL2 R2, R2.H0_H0, c[0x0][0x210]", true},
    {"HSETP2.GT.AND P0, PT, R2.H0_H0, RZ.H0_H0, PT", true},
    {"HFMA2 R21, R67, R8.H0_H0, R21", false}, /* a factor for both */
    {"HFMA2 R21, R8.H1_H1, R67, R21", false},
    {"HMUL2 R2, R2.H0_H0, -R3.reuse", false},
    {"HADD2 R2, R2, R3", false},
    {"HFMA2 R5, -RZ, RZ, 1, 1", false},
    {"HSETP2.GT.AND P0, PT, R2, R3.H0_H0, PT", false},
};

static void halves(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    struct sass_inst x;
    sass_inst_parse(&x, CASES[i].text, 0);
    if (sass_is_one_half(&x) != CASES[i].one)
      fail_msg("%s", CASES[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(halves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
