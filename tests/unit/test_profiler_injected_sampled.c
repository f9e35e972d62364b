/* PC samples, added up by code, instruction and reason, and whether there are enough of them. */
#include "injected.h"
#include "profiler/attach/inside/pc_samples.h"

#include <stdio.h>

enum { SELECTED = 3, STALL = 5, STALL_NOT_ISSUED = 6, OF_NONE = 9 }; /* CUPTI's numbers of the reasons */

static struct stall_reason all[] = {{SELECTED, false, 0, (char *)(size_t) "selected"},
                                    {STALL, false, 1, (char *)(size_t) "long_scoreboard"},
                                    {STALL_NOT_ISSUED, true, 1, (char *)(size_t) "long_scoreboard_not_issued"},
                                    {OF_NONE, false, -1, (char *)(size_t) "all"}};
static const struct stall_reasons reasons = {all, 4};

static int begin(void **state) {
  assert_int_equal(sampled_open(), 0);
  return tables_begin(state);
}

static void add(const char *name, uint64_t crc, uint64_t offset, uint32_t reason, uint32_t samples) {
  CUpti_PCSamplingStallReason stall = {.pcSamplingStallReasonIndex = reason, .samples = samples};
  CUpti_PCSamplingPCData pc = {.cubinCrc = crc,
                               .pcOffset = offset,
                               .functionName = (char *)(size_t)name,
                               .stallReasonCount = 1,
                               .stallReason = &stall};
  sampled_add(&pc, &reasons);
}

/* The lines, in any order. */
static void prints(const char *const *lines, size_t n) {
  struct text t = {0};
  sampled_print(&t, &reasons);
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) {
    bytes += strlen(lines[i]);
    if (!strstr(text_str(&t), lines[i]))
      fail_msg("no '%s' in:\n%s", lines[i], text_str(&t));
  }
  if (bytes != t.n)
    fail_msg("more than was to be:\n%s", text_str(&t));
  text_release(&t);
}

/* Before any sample there are enough where none is wanted; nothing runs that could be. */
static void test_none(void **state) {
  (void)state;
  assert_false(sampled_enough(1, 1));
  assert_true(sampled_enough(0, 1));
  assert_false(sampled_untimed());
  prints(NULL, 0);
}

static void test_add(void **state) {
  (void)state;
  CUpti_PCSamplingStallReason stalls[] = {{SELECTED, 4}, {STALL, 7}, {STALL_NOT_ISSUED, 5},
                                          {OF_NONE, 99}, {77, 9},    {SELECTED, 0}};
  CUpti_PCSamplingPCData pc = {.cubinCrc = 1,
                               .pcOffset = 16,
                               .functionName = (char *)(size_t) "gemv",
                               .stallReasonCount = 6,
                               .stallReason = stalls};
  sampled_add(&pc, &reasons);
  add("gemv", 1, 16, SELECTED, 10);
  add("gemv", 1, 32, SELECTED, 2);
  add("gemv", 2, 16, SELECTED, 3); /* of another cubin */
  add("tail", 1, 16, STALL_NOT_ISSUED, 6);
  kernel_named("gemv")->sampled = 8;
  struct kernel_key wide = key_of("gemv", 1, 64);
  kernel_of(&wide, 0)->sampled = 3;
  static const char *const lines[] = {"function\tgemv\t\t11\t23\n",         "function\tgemv\t\t11\t3\n",
                                      "function\ttail\t\t0\t0\n",           "pc\t0\t16\tselected\t14\t0\n",
                                      "pc\t0\t16\tlong_scoreboard\t7\t5\n", "pc\t0\t32\tselected\t2\t0\n",
                                      "pc\t1\t16\tselected\t3\t0\n",        "pc\t2\t16\tlong_scoreboard\t0\t6\n"};
  prints(lines, 8);
  assert_int_equal(sampled_lost(), 0);
  assert_true(sampled_enough(26, 1)); /* 23 and 3: what was taken at all */
  assert_false(sampled_enough(27, 1));
}

/* Samples without a function's name are lost; those without an issue are counted among the others. */
static void test_no_name(void **state) {
  (void)state;
  uint64_t lost = sampled_lost();
  add(NULL, 1, 16, SELECTED, 5);
  add(NULL, 1, 16, STALL_NOT_ISSUED, 5);
  add(NULL, 1, 16, OF_NONE, 5);
  assert_int_equal(sampled_lost(), lost + 5);
  assert_true(sampled_enough(26, 1));
  assert_false(sampled_enough(27, 1));
}

static struct kernel *chosen_kernel(const char *name, uint64_t sampled, uint64_t launches, double total_ns) {
  struct kernel *k = kernel_named(name);
  focus_of(k)->chosen = true;
  k->sampled = sampled;
  k->launches = launches;
  k->total_ns = total_ns;
  return k;
}

static void test_untimed(void **state) {
  (void)state;
  struct kernel *k = chosen_kernel("untimed", 1, 0, 0);
  assert_true(sampled_untimed());
  k->sampled = 0;
  assert_false(sampled_untimed());
  k->sampled = 1;
  focus_of(k)->chosen = false;
  assert_false(sampled_untimed());
  focus_of(k)->chosen = true;
  k->total_ns = 1;
  assert_false(sampled_untimed());
  focus_of(k)->chosen = false;
}

/* A launch of 200 ns at 0.05 samples a ns gives 10: 4 of them 40.  Of two more, that were counted, no time is known. */
static void test_expected(void **state) {
  (void)state;
  struct kernel *k = chosen_kernel("expected", 4, 7, 1000);
  k->disturbed = 2;
  assert_true(sampled_enough(40, 0.05));
  assert_false(sampled_enough(41, 0.05));
  add("expected", 9, 0, SELECTED, 41);
  add("expected", 8, 0, SELECTED, 9); /* by another cubin: they are added */
  assert_true(sampled_enough(50, 0.05));
  assert_false(sampled_enough(51, 0.05));
  k->disturbed = 7; /* no time is known */
  assert_true(sampled_enough(50, 0.05));
  assert_false(sampled_enough(51, 0.05));
  struct kernel *other = chosen_kernel("other", 1, 1, 1000);
  assert_true(sampled_enough(50, 0.05)); /* its one launch is to give 50 */
  assert_false(sampled_enough(50, 0.04));
  other->sampled = 0;
  assert_true(sampled_enough(50, 0.04)); /* it was not launched meanwhile, and came no more than once */
  focus_of(other)->asked = 1;
  assert_true(sampled_enough(50, 0.04));
  focus_of(other)->asked = 2;
  assert_false(sampled_enough(50, 0.04));
  injection.focus.set.coverage =
      0.9; /* it may have less than a tenth of the time to be left out, unless it was named */
  focus_of(k)->recent_s = 10;
  focus_of(other)->recent_s = 1;
  assert_true(sampled_enough(50, 0.04));
  focus_of(other)->recent_s = 1.25;
  assert_false(sampled_enough(50, 0.04));
  focus_of(other)->recent_s = 1;
  injection.focus.set.named = true;
  assert_false(sampled_enough(50, 0.04));
  injection.focus.set.named = false;
  focus_of(k)->recent_s = focus_of(other)->recent_s = 0;
  injection.focus.asked = 1 << 20; /* it came last long ago */
  assert_true(sampled_enough(50, 0.04));
  focus_of(k)->chosen = focus_of(other)->chosen = false;
}

/* 256 functions have a place; their samples, and their instructions, find it again. */
static void test_functions_full(void **state) {
  (void)state;
  char name[32];
  uint64_t lost = sampled_lost();
  for (int i = 0; i < 256; i++) {
    snprintf(name, sizeof name, "f%d", i);
    add(name, 1, 0, SELECTED, 1);
  }
  /* Five were there: gemv twice, tail, expected twice. */
  assert_int_equal(sampled_lost(), lost + 5);
  add("f250", 1, 0, SELECTED, 1);
  assert_int_equal(sampled_lost(), lost + 5);
  add("f251", 1, 0, SELECTED, 3);
  add("f251", 1, 0, STALL_NOT_ISSUED, 3);
  assert_int_equal(sampled_lost(), lost + 8);
}

/* Half of 131,072 places are used, so that a search ends soon. */
static void test_hits_full(void **state) {
  (void)state;
  uint64_t lost = sampled_lost();
  int n = 0;
  for (; sampled_lost() == lost && n < 1 << 17; n++)
    add("gemv", 1, 4096 + 16 * (uint64_t)n, SELECTED, 2);
  assert_int_equal(sampled_lost(), lost + 2);
  /* 4 of gemv, 1 of tail, 2 of expected and 251 others were there. */
  assert_int_equal(n - 1, (1 << 16) - 4 - 1 - 1 - 2 - 251 + 1);
  add("gemv", 1, 4096, SELECTED, 2);
  add("gemv", 1, 4096 + 16 * (uint64_t)(n - 2), SELECTED, 2);
  assert_int_equal(sampled_lost(), lost + 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_none),      cmocka_unit_test(test_add),      cmocka_unit_test(test_no_name),
      cmocka_unit_test(test_untimed),   cmocka_unit_test(test_expected), cmocka_unit_test(test_functions_full),
      cmocka_unit_test(test_hits_full),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
