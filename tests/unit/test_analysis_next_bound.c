/* What needs most of the time that larger blocks leave. */
#include "unit/made_diagnosis.h"

/* Starting blocks takes 95 us of 100; 1.6 million instructions take 10 SMs with 4 schedulers 40 us at 1 GHz, 0.4 million 10 us. */
static const struct {
  double insts;
  const char *then;
} CASES[] = {{1.6e6, "instruction issue, 40 µs"}, {0.4e6, NULL}, {0, NULL}};

static void what_comes_next(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_diagnosis d;
    made(&d);
    set(&d.m.results[0], "fixed_ns", 95e3);
    set(&d.m.results[0], "inst_executed", CASES[i].insts);
    diagnose(&d);
    assert_string_equal(d.diagnosis.items[0].rule->name, "small-blocks");
    const char *then = d.diagnosis.items[0].then;
    assert_true(CASES[i].then ? then && strcmp(then, CASES[i].then) == 0 : !then);
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_comes_next)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
