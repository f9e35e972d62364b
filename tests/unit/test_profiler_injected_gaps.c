/* When no kernel runs, by kernels whose beginnings and ends are given. */
#include "injected.h"

#include <stdio.h>

static const struct gaps_record *const g = &injection.gaps;

static int begin(void **state) {
  (void)state;
  injection.gaps = (struct gaps_record){0};
  return 0;
}

static void idle_is(double idle_ns, uint64_t gaps) {
  assert_float_equal(g->idle_ns, idle_ns, 0);
  assert_int_equal(g->gaps, gaps);
}

static void short_is(double short_ns, uint64_t gaps) {
  assert_float_equal(g->short_ns, short_ns, 0);
  assert_int_equal(g->short_gaps, gaps);
}

static void test_gaps(void **state) {
  (void)state;
  gaps_kernel("k", 0, 1000, 2000, 1); /* before the first there is no gap */
  idle_is(0, 0);
  assert_float_equal(g->busy_ns, 1000, 0);
  gaps_kernel("k", 0, 3000, 3500, 2);
  idle_is(1000, 1);
  assert_float_equal(g->busy_ns, 1500, 0);
  gaps_kernel("k", 0, 3200, 4000, 3); /* beside the one before: 500 ns are new */
  assert_float_equal(g->busy_ns, 2000, 0);
  gaps_kernel("k", 0, 3300, 3400, 4); /* within it, */
  gaps_kernel("k", 0, 3300, 4000, 4); /* and to its end */
  assert_float_equal(g->busy_ns, 2000, 0);
  gaps_kernel("k", 0, 4000, 4100, 5);
  idle_is(1000, 1);
  assert_float_equal(g->busy_ns, 2100, 0);
  gaps_kernel("k", 0, 4101, 4102, 6);
  idle_is(1001, 2);
  short_is(1001, 2);
}

/* 50 us are short still, and 10 ms no pause. */
static void test_kinds(void **state) {
  (void)state;
  gaps_kernel("k", 1, 1000, 2000, 1);
  gaps_kernel("k", 1, 52000, 53000, 2);
  short_is(50000, 1);
  gaps_kernel("k", 1, 103001, 104000, 3);
  short_is(50000, 1);
  idle_is(100001, 2);
  gaps_kernel("k", 1, 10104000, 10105000, 4);
  idle_is(10100001, 3);
  assert_int_equal(g->pauses, 0);
  gaps_kernel("k", 1, 20105001, 20106000, 5);
  idle_is(10100001, 3);
  assert_float_equal(g->pause_ns, 10000001, 0);
  assert_int_equal(g->pauses, 1);
  short_is(50000, 1);
}

/* A gap before a function's first launch is its loading, but for one as short as a launch. */
static void test_loading(void **state) {
  (void)state;
  gaps_kernel("k", 20, 1000, 2000, 1);
  gaps_kernel("new", 20, 52000, 53000, 2);
  short_is(50000, 1);
  gaps_kernel("another", 20, 104000, 105000, 3);
  idle_is(50000, 1);
  assert_float_equal(g->pause_ns, 51000, 0);
  assert_int_equal(g->pauses, 1);
  gaps_kernel("another", 20, 156000, 157000, 4);
  idle_is(101000, 2);
  gaps_kernel("new", 20, 208000, 209000, 5);
  idle_is(152000, 3);
  assert_int_equal(g->pauses, 1);
}

/* Of more functions than are kept none is new any more; and the program's start, 2048 launches here (the last power of two that
 * was passed, halved), is forgotten. */
static void test_many_functions(void **state) {
  char name[32];
  (void)state;
  uint64_t at = 1000;
  for (int i = 0; i < 5000; i++, at += 100000) {
    snprintf(name, sizeof name, "f%d", i);
    gaps_kernel(name, 21, 300000000 + at, 300000100 + at, 10);
  }
  assert_int_equal(g->before, 2048);
  assert_in_range(g->pauses, 4090 - 2048 + 10, 4097 - 2048 + 30); /* of the tests before there were 17 launches */
  assert_in_range(g->gaps, 5000 - 4098, 5000 - 4089);
  assert_in_range((uint64_t)g->busy_ns / 100, 5000 - 2048 + 15, 5000 - 2048 + 30);
}

static void test_devices(void **state) {
  (void)state;
  gaps_kernel("k", 2, 1000, 2000, 1);
  gaps_kernel("k", RECORD_DEVICES - 1, 5000, 6000, 2); /* another's first */
  idle_is(0, 0);
  gaps_kernel("k", RECORD_DEVICES, 1000, 2000, 3);
  gaps_kernel("k", 2, 9000, 9000, 4); /* of no time, */
  gaps_kernel("k", 2, 9000, 8000, 5); /* and of less */
  idle_is(0, 0);
  assert_float_equal(g->busy_ns, 2000, 0);
  gaps_kernel("k", RECORD_DEVICES - 1, 6100, 6200, 6);
  idle_is(100, 1);
}

static uint64_t now_ns = 1000;
static size_t marks;

static void mark(uint32_t correlation) {
  gaps_mark(correlation);
  marks++;
}

/* Whether a gap between two launches is counted. */
static bool is_counted(uint32_t from, uint32_t to) {
  uint64_t before = g->gaps;
  double busy_ns = g->busy_ns;
  gaps_kernel("k", 3, now_ns, now_ns + 100, from);
  before += g->gaps > before; /* what lies before this pair */
  gaps_kernel("k", 3, now_ns + 200, now_ns + 300, to);
  now_ns += 300;
  bool counted = g->gaps > before;
  assert_true(g->busy_ns <= busy_ns + 200 &&
              g->busy_ns >= busy_ns + (counted ? 100 : 0)); /* the second's 100, and the first's */
  return counted;
}

/* A gap is the profiler's where it waited at the launch before, or up to the one that ends it. */
static void test_marks(void **state) {
  (void)state;
  mark(100);
  mark(110);
  mark(105); /* threads end their launches in another order */
  gaps_mark(105);
  gaps_mark(110);
  assert_true(is_counted(98, 99));
  assert_false(is_counted(99, 100));
  assert_false(is_counted(100, 101));
  assert_true(is_counted(101, 104));
  assert_false(is_counted(101, 105));
  assert_false(is_counted(105, 109));
  assert_true(is_counted(106, 109));
  assert_false(is_counted(104, 200));
  assert_false(is_counted(109, 110));
  assert_false(is_counted(110, 1000));
  assert_true(is_counted(111, 1000));
  assert_true(is_counted(1, 2));
}

/* One that ended before another does not end the gap's beginning: launch 199 is still running while 201 ends. */
static void test_mark_of_last(void **state) {
  (void)state;
  mark(200);
  gaps_kernel("k", 4, 1000, 5000, 199);
  gaps_kernel("k", 4, 1100, 4000, 201);
  assert_float_equal(g->busy_ns, 4000, 0);
  gaps_kernel("k", 4, 6000, 7000, 202);
  idle_is(0, 0);
  assert_float_equal(g->busy_ns, 4000, 0); /* a share of the time has neither */
  gaps_kernel("k", 4, 8000, 9000, 203);
  idle_is(1000, 1);
  assert_float_equal(g->busy_ns, 5000, 0);
}

/* Once there is no room for marks no gap is the program's for sure. */
static void test_many_marks(void **state) {
  (void)state;
  for (uint32_t i = 1; marks < (1 << 16) - 1; i++)
    mark(1000 + 2 * i);
  assert_true(is_counted(1003, 1003));
  assert_false(is_counted(1003, 1004));
  assert_false(is_counted(131001, 131004));
  assert_true(is_counted(900000, 900001));
  mark(900000);
  assert_false(is_counted(900001, 900002));
  mark(900003); /* finds no room */
  assert_false(is_counted(1002, 1003));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_gaps, begin),           cmocka_unit_test_setup(test_kinds, begin),
      cmocka_unit_test_setup(test_loading, begin),        cmocka_unit_test_setup(test_devices, begin),
      cmocka_unit_test_setup(test_many_functions, begin), cmocka_unit_test_setup(test_marks, begin),
      cmocka_unit_test_setup(test_mark_of_last, begin),   cmocka_unit_test_setup(test_many_marks, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
