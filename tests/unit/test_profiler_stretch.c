/* Which launches of a kernel are worth counting, where they do unlike work. */
#include "profiler/attach/choice/stretch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

/* 20 launches of 10 us, 20 of 100 and then 2 of 5000, which are fewer than passes and most of the time: the 41st is run again for every pass, as is one
 * of kinds that alternate.  Where kinds are nearly one, or have too little time, the first launch is the first to be counted. */
static void launches_of_most_time(void **state) {
  (void)state;
  static const struct {
    int first, second; /* ns of the launches before the 20th, and before the 40th */
    bool turns;
    int launches;
    unsigned skipped;
    bool alone;
  } cases[] = {
      {10000, 100000, false, 42, 40, true},  {10000, 100000, false, 40, 20, false},
      {10000, 100000, true, 40, 1, true},    {10000, 14000, false, 40, 0, false},
      {10000, 16000, false, 40, 20, false},  {16000, 10000, false, 40, 0, false},
      {10000, 100000, false, 15, 0, false},  {10000, 100000, false, 35, 20, true},
      {10000, 100000, false, 36, 20, false}, {10000, 15100, false, 36, 0, false}, /* 242 us are no 1.5 times 200 */
      {10000, 50000, true, 40, 0, false},    {10000, 60000, true, 40, 1, true}};  /* 1 + cv^2 is 1.44, 1.51 */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct stretches s = {0};
    for (int at = 0; at < cases[i].launches; at++)
      stretches_add(&s, at >= 40 ? 5000000 : (cases[i].turns ? at % 2 : at / 20) ? cases[i].second : cases[i].first);
    struct stretch_choice c = stretches_choose(&s);
    if (c.skip != cases[i].skipped || c.alone != cases[i].alone)
      fail_msg("case %zu: %llu, %d", i, (unsigned long long)c.skip, c.alone);
  }
}

/* A benchmark of more launches than samples are kept of: 4 sizes of 500 launches, the third of most time, and what the first few took is unlike them. */
static void many_launches(void **state) {
  (void)state;
  static const double ns[] = {7e3, 200e3, 800e3, 27e3};
  struct stretches s = {0};
  stretches_add(&s, 9e6);
  for (size_t size = 0; size < sizeof ns / sizeof ns[0]; size++)
    for (int i = 0; i < 500; i++)
      stretches_add(&s, ns[size] * (i % 2 ? 1.2 : 1));
  assert_int_equal(stretches_choose(&s).skip, 1001);
  assert_false(stretches_choose(&s).alone);
}

static bool alone;

static uint64_t of_two(size_t first, double first_ns, size_t second, double second_ns) {
  struct stretches s = {0};
  for (size_t i = 0; i < first + second; i++)
    stretches_add(&s, i < first ? first_ns : second_ns);
  struct stretch_choice c = stretches_choose(&s);
  alone = c.alone;
  return c.skip;
}

/* 16 launches are what passes need: fewer are no reason to stay with the first, nor to go on. */
static void as_many_as_passes_need(void **state) {
  (void)state;
  assert_int_equal(of_two(17, 10, 16, 15.5), 0); /* 248 is no 1.5 times 170 */
  assert_int_equal(of_two(15, 10, 16, 15.5), 15);
  assert_false(alone);
  assert_int_equal(of_two(16, 10, 15, 100), 16);
  assert_true(alone);
  assert_int_equal(of_two(16, 10, 2, 110), 0); /* 220 is no 1.5 times 160 */
  assert_false(alone);
  assert_int_equal(of_two(16, 10, 2, 130), 16);
  assert_true(alone);
  assert_int_equal(of_two(16, 10, 16, 15), 0); /* 1.5 times as long is alike */
}

/* A stretch of 10 and 15 us by turns ends where 9.9 comes, 1.5 times under its longest. */
static void all_of_a_stretch_are_alike(void **state) {
  (void)state;
  struct stretches s = {0};
  for (int i = 0; i < 60; i++)
    stretches_add(&s, i >= 20 ? 9.9 : i % 2 ? 15 : 10);
  assert_int_equal(stretches_choose(&s).skip, 20); /* 396 us of 250 */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(launches_of_most_time), cmocka_unit_test(many_launches),
                                     cmocka_unit_test(as_many_as_passes_need),
                                     cmocka_unit_test(all_of_a_stretch_are_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
