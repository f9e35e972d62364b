/* Which grids are one row. */
#include "run/geometry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void are(bool alike, unsigned ax, unsigned ay, unsigned bx, unsigned by) {
  const unsigned a[3] = {ax, ay, 1}, b[3] = {bx, by, 1};
  assert_int_equal(grids_alike(a, b), alike);
  assert_int_equal(grids_alike(b, a), alike);
}

static void test_alike(void **state) {
  (void)state;
  are(true, 100, 1, 100, 1);
  are(true, 100, 1, 91, 1);
  are(false, 100, 1, 90, 1);
  are(false, 8, 1, 9, 1);
  are(true, 100, 20, 95, 19);
  are(false, 100, 20, 92, 19); /* each dimension by less than a tenth, the blocks by 13 % */
  are(false, 100, 2, 200, 1);  /* as many blocks */
  are(true, 0, 0, 0, 0);
  are(false, 4294967295, 1, 1, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
