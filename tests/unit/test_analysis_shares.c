#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ladder/shares.h"

#include <string.h>

/* Only bytes are counted, so that the model's time is bytes / 1e12 B/s, and an empty kernel takes 1 µs a launch. */
static struct rates rates_made(void) {
  struct rates r = {.sms = 100, .clock_max_hz = 1e9};
  r.of[RATE_DRAM].value = r.of[RATE_DRAM_LOAD].value = 1e12;
  r.of[RATE_LAUNCH].value = 1000;
  return r;
}

static struct workload bytes_only(double bytes) {
  struct value *v;
  struct workload w = {.dram_read = value_of(bytes), .launches = 1, .balance = 1};
  struct value *const absent[] = {&w.inst,
                                  &w.alu,
                                  &w.fma,
                                  &w.fma_heavy,
                                  &w.lsu,
                                  &w.xu,
                                  &w.tensor,
                                  &w.fp64,
                                  &w.l1_wavefronts,
                                  &w.dram_write,
                                  &w.l2_read,
                                  &w.l2_write,
                                  &w.atomic_sectors,
                                  &w.loads_s,
                                  &w.own_issue_s,
                                  &w.dependencies_s,
                                  &w.empty_s,
                                  &w.blocks,
                                  &w.warps_per_block,
                                  &w.blocks_per_sm,
                                  &w.smem_block,
                                  &w.warps,
                                  &w.clock_hz};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
    v = absent[i];
    *v = value_absent("not counted");
  }
  return w;
}

/* Worth 100 alone, 60 with A, 90 with B, 20 with both: A brings -40 first and -70 second, B -10 and -40. */
static void two_players_by_hand(void **state) {
  static const double by_set[] = {100, 60, 90, 20};
  double share[2];
  (void)state;
  shapley(share, by_set, 2);
  assert_float_equal(share[0], -55, 1e-12);
  assert_float_equal(share[1], -25, 1e-12);
}

/* Of three players the third is worth 6 only where the first is there: each of the two gets half, the second nothing. */
static void three_players_by_hand(void **state) {
  static const double by_set[] = {0, 0, 0, 0, 0, 6, 0, 6};
  double share[3];
  (void)state;
  shapley(share, by_set, 3);
  assert_float_equal(share[0], 3, 1e-12);
  assert_float_equal(share[1], 0, 1e-12);
  assert_float_equal(share[2], 3, 1e-12);
}

static void shares_add_up_to_the_measured_change(void **state) {
  struct rates r = rates_made();
  struct workload a = bytes_only(100e6), b = bytes_only(50e6);
  struct step_shares s;
  (void)state;
  b.launches = 3;
  shares_of(&s, &a, &b, &r, -45e-6); /* -50 by bytes, +2 by two launches more; 3 faster in the model than measured */
  assert_true(s.known);
  assert_float_equal(s.seconds[GROUP_DRAM], -50e-6, 1e-12);
  assert_float_equal(s.seconds[GROUP_LAUNCH], 2e-6, 1e-12);
  assert_float_equal(s.seconds[GROUP_INSTRUCTIONS], 0, 0);
  assert_float_equal(s.rest_s, 3e-6, 1e-12);
}

/* Loads of 100 µs in a warp's turn; twice as many warps halve them with no load less. */
static void more_warps_are_no_shorter_latency(void **state) {
  struct rates r = rates_made();
  struct workload a = bytes_only(0), b;
  struct step_shares s;
  (void)state;
  a.inst = value_of(0);
  a.clock_hz = value_of(1e9);
  a.warps = value_of(100);
  a.loads_s = value_of(100e-6);
  b = a;
  b.warps = value_of(200);
  b.loads_s = value_of(50e-6);
  shares_of(&s, &a, &b, &r, -50e-6);
  assert_float_equal(s.seconds[GROUP_GEOMETRY], -50e-6, 1e-12);
  assert_float_equal(s.seconds[GROUP_LOADS], 0, 1e-15);
  assert_float_equal(s.rest_s, 0, 1e-12);
  b = a; /* half the clock: the same cycles take twice the time */
  b.clock_hz = value_of(0.5e9);
  b.loads_s = value_of(200e-6);
  shares_of(&s, &a, &b, &r, 100e-6);
  assert_float_equal(s.seconds[GROUP_CLOCK], 100e-6, 1e-12);
  assert_float_equal(s.seconds[GROUP_LOADS], 0, 1e-15);
}

/* 50 blocks on 50 of 100 SMs, then 100: half the issue time is the grid's, since those that had a block were even before. */
static void a_grid_that_reaches_more_sms(void **state) {
  struct rates r = rates_made();
  struct workload a = bytes_only(0), b;
  struct step_shares s;
  (void)state;
  a.inst = value_of(4e7); /* 100 µs of 100 SMs */
  a.clock_hz = value_of(1e9);
  a.blocks = value_of(50);
  a.balance = 0.5;
  b = a;
  b.blocks = value_of(100);
  b.balance = 1;
  shares_of(&s, &a, &b, &r, -100e-6);
  assert_float_equal(s.seconds[GROUP_GEOMETRY], -100e-6, 1e-12);
  assert_float_equal(s.seconds[GROUP_BALANCE], 0, 1e-15);
  assert_float_equal(s.rest_s, 0, 1e-12);
}

/* Copies past the registers have the room of shared memory: a ring comes with them, and no block is resident for it. */
static void room_for_copies_is_theirs(void **state) {
  struct rates r = rates_made();
  struct workload a = bytes_only(0), b;
  struct step_shares s;
  (void)state;
  r.of[RATE_DRAM_LATENCY].value = 1000; /* 1 µs */
  a.inst = value_of(4e6);               /* 10 µs of 100 SMs */
  a.clock_hz = value_of(1e9);
  a.l2_read = value_of(100e6);
  a.blocks = value_of(100);
  a.blocks_per_sm = value_of(1);
  a.smem_block = value_of(1e3);
  b = a;
  b.async_share = 1;
  b.smem_block = value_of(1e6); /* 1 µs for a hundredth of a millisecond's bytes */
  shares_of(&s, &a, &b, &r, 0);
  assert_float_equal(s.seconds[GROUP_GEOMETRY], 0, 0);
  assert_true(s.seconds[GROUP_LOADS] > 0 && s.seconds[GROUP_LOADS] < 1e-6);
  assert_float_equal(s.seconds[GROUP_LOADS] + s.rest_s, 0, 1e-15);
}

/* Waits of 100 µs in 100 warps, then twice the cycles in twice the warps: more warps alone bring 100 to 50 and 200 to 100, cycles alone 100 to 200 and 50 to
 * 100. */
static void what_a_field_does_alone(void **state) {
  static const size_t warps[] = {offsetof(struct workload, warps)}, loads[] = {offsetof(struct workload, loads_s)},
                      both[] = {offsetof(struct workload, warps), offsetof(struct workload, loads_s)};
  struct rates r = rates_made();
  struct workload a = bytes_only(0), b;
  (void)state;
  a.inst = value_of(0);
  a.clock_hz = value_of(1e9);
  a.warps = value_of(100);
  a.loads_s = value_of(100e-6);
  b = a;
  b.warps = value_of(200);
  assert_float_equal(shares_alone_s(&a, &b, &r, warps, 1), -75e-6, 1e-12);
  assert_float_equal(shares_alone_s(&a, &b, &r, loads, 1), 75e-6, 1e-12);
  assert_float_equal(shares_alone_s(&a, &b, &r, both, 2), 0, 1e-12);
  assert_float_equal(shares_alone_s(&b, &a, &r, warps, 1), 75e-6, 1e-12);
  a.inst = b.inst = value_absent("not counted");
  a.loads_s = b.loads_s = value_absent("not counted");
  a.dram_read = b.dram_read = value_absent("not counted");
  assert_float_equal(shares_alone_s(&a, &b, &r, warps, 1), 0, 0);
}

static void what_one_side_lacks_is_no_cause(void **state) {
  struct rates r = rates_made();
  struct workload a = bytes_only(100e6), b = bytes_only(100e6);
  struct step_shares s;
  (void)state;
  a.inst = value_of(4e9); /* 10 ms of issue slots */
  a.clock_hz = b.clock_hz = value_of(1e9);
  shares_of(&s, &a, &b, &r, -7e-6);
  assert_true(s.known);
  assert_float_equal(s.seconds[GROUP_INSTRUCTIONS], 0, 0);
  assert_float_equal(s.rest_s, -7e-6, 1e-15);
  a.dram_read = value_absent("not counted"); /* then neither side has any work */
  shares_of(&s, &a, &b, &r, -7e-6);
  assert_false(s.known);
  assert_non_null(s.reason);
}

static void every_group_has_a_name(void **state) {
  (void)state;
  for (int g = 0; g < STEP_GROUPS; g++) {
    assert_non_null(step_group_rows[g].name);
    assert_non_null(step_group_rows[g].title);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_players_by_hand),
      cmocka_unit_test(three_players_by_hand),
      cmocka_unit_test(shares_add_up_to_the_measured_change),
      cmocka_unit_test(more_warps_are_no_shorter_latency),
      cmocka_unit_test(a_grid_that_reaches_more_sms),
      cmocka_unit_test(room_for_copies_is_theirs),
      cmocka_unit_test(what_a_field_does_alone),
      cmocka_unit_test(what_one_side_lacks_is_no_cause),
      cmocka_unit_test(every_group_has_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
