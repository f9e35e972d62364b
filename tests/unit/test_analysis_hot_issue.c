/* Lines where a pipe binds: in the order of what they issue on it; and what of the samples is a wait. */
#include "analysis/model/hot.h"
#include "unit/long_kernel.h"

/* Line 1 begins the kernel: there warps stand that are ready (50 samples) or wait for the ALU pipe (10). Line 2 fills it: 30 of its 40 instructions. */
static void make(struct long_kernel *k, struct hot *h) {
  static const double executed[] = {10, 10, 30, 10};
  long_init(k, 4);
  long_add(k, "IMAD R1, R2, R3, R4", 1);
  long_add(k, "SHF.R.S32.HI R5, RZ, 0x1f, R1", 1);
  long_add(k, "LOP3.LUT R6, R5, R6, RZ, 0xc0, !PT", 2);
  long_add(k, "EXIT", 3);
  long_sample(k, 1, "not_selected", 50);
  long_sample(k, 1, "math_pipe_throttle", 10);
  long_sample(k, 2, "selected", 20);
  long_sample(k, 2, "wait", 5);
  hot_make(h, &k->run, &k->result);
  h->kernels[0].sass.counted = true;
  for (size_t i = 0; i < 4; i++)
    h->kernels[0].sass.executed[i] = executed[i];
}

static void warps_that_issue_do_not_wait(void **state) {
  struct long_kernel k;
  struct hot h;
  (void)state;
  make(&k, &h);
  assert_int_equal(h.samples, 85);
  assert_int_equal(h.waits, 15);
  assert_int_equal(h.lines[0].line, 1);
  assert_int_equal(h.lines[0].samples, 60);
  assert_int_equal(h.lines[0].waits, 10);
  assert_string_equal(h.lines[0].top.reason, "math_pipe_throttle");
  assert_string_equal(h.insts[0].reasons[0].reason, "math_pipe_throttle");
  assert_string_equal(h.insts[0].reasons[1].reason, "not_selected");
  assert_int_equal(h.insts[0].waits, 10);
  assert_int_equal(h.lines[1].waits, 5);
  assert_string_equal(h.lines[1].top.reason, "wait");
  hot_release(&h);
  long_release(&k);
}

static void lines_by_what_binds(void **state) {
  static const struct {
    enum bound_kind binding;
    bool spread;
    const char *on;
    int first;
    double issued;
  } rows[] = {
      {BOUND_ALU, false, "the ALU pipe", 2, 0.75},
      {BOUND_ISSUE, false, "instruction issue", 2, 0.5},
      {BOUND_FMA, false, "the FMA pipe", 1, 1},
      {BOUND_FP64, false, NULL, 1, 0}, /* nothing runs there */
      {BOUND_DRAM, false, NULL, 1, 0},
      {BOUND_LATENCY, false, NULL, 1, 0},
      {BOUND_ALU, true, NULL, 1, 0}, /* how often each ran is not known */
      {BOUND_KINDS, false, NULL, 1, 0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct long_kernel k;
    struct hot h;
    make(&k, &h);
    h.kernels[0].sass.spread = rows[i].spread;
    hot_by_issue(&h, rows[i].binding);
    if (rows[i].on)
      assert_string_equal(h.issued_on, rows[i].on);
    else
      assert_null(h.issued_on);
    assert_int_equal(h.lines[0].line, rows[i].first);
    assert_float_equal(h.lines[0].issued, rows[i].issued, 1e-12);
    hot_release(&h);
    long_release(&k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warps_that_issue_do_not_wait),
      cmocka_unit_test(lines_by_what_binds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
