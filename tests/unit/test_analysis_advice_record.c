/* What advice reached on the recorded ladders, so that it cannot fall, and that a slow kernel is never left without any. */
#include "unit/scored_run.h"

static const struct score_floor LADDERS[] = {
    {"recorded/h200.json.gz", NULL, 0.50, 0.77, 3.6},
    {"recorded/h100.json.gz", NULL, 0.58, 0.77, 4.1},
};

static void recorded_runs(void **state) {
  (void)state;
  size_t slow = 0;
  for (size_t i = 0; i < sizeof LADDERS / sizeof LADDERS[0]; i++) {
    static struct scored_run x;
    scored_make(&x, LADDERS[i].path, LADDERS[i].half, AS_MEASURED);
    score_holds(&LADDERS[i], &x.score);
    slow += slow_are_told_why(&x.findings);
    scored_release(&x);
  }
  assert_true(slow > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(recorded_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
