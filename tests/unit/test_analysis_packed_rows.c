/* Products of decoded weights with several rows. */
#include "analysis/idioms/packed_rows.h"
#include "unit/made_sass.h"

#define DECODED    "LOP3.LUT R1, R2, 0xf, RZ, 0xc0, !PT"
#define BEGINS     "HFMA2 R20, R21, R22, RZ"
#define ROW(x, by) "HFMA2 R20, R" x ", R" by ", R20"

static const struct {
  double products;
  const char *lines[10];
  double executed[10];
} ROWS[] = {
    {25,
     {DECODED, BEGINS, ROW("1", "10"), ROW("1", "11"), ROW("1", "12"), "HFMA2.MMA R20, R13, R1, R20", "EXIT"},
     {5, 5, 5, 5, 5, 10, 5}},
    {0, {DECODED, BEGINS, ROW("1", "10"), ROW("1", "11"), ROW("1", "12"), "EXIT"}, {5, 5, 5, 5, 5, 5}}, /* three */
    {0,
     {DECODED, BEGINS, ROW("1", "10"), ROW("1", "11"), ROW("1", "12"), ROW("1", "13"), "EXIT"},
     {5, 5, 5, 5, 5, 0, 5}}, /* one did not run */
    /* an input that was loaded, for four columns of one row */
    {0,
     {"LDS R1, [R2]", BEGINS, ROW("1", "10"), ROW("1", "11"), ROW("1", "12"), ROW("1", "13"), "EXIT"},
     {5, 5, 5, 5, 5, 5, 5}},
    /* a scale: what it is added to is no sum */
    {0,
     {DECODED, "HADD2 R30, R31, R32", "HFMA2 R20, R10, R1, R30", "HFMA2 R21, R11, R1, R30", "HFMA2 R22, R12, R1, R30",
      "HFMA2 R23, R13, R1, R30", "EXIT"},
     {5, 5, 5, 5, 5, 5, 5}},
};

static void which_products(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct made_sass m;
    made_kernel(&m, ROWS[i].lines);
    made_counts(&m, ROWS[i].executed);
    if (sass_packed_rows(&m.sass) != ROWS[i].products)
      fail_msg("row %zu: %g", i, sass_packed_rows(&m.sass));
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_products)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
