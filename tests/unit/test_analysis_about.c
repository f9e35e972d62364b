/* Which line a remedy is about: by samples, loops and counts. */
#include "analysis/signs/about.h"
#include "unit/long_kernel.h"

#include <math.h>
#include <stdlib.h>

/* 30 samples wait for the load of line 41, 10 and 25 for those of line 60: together more, and most of them for the second.  Line 123, which has all samples, loads
 * nothing.  Nobody waits for the stores: the one that runs more often. */
static void which_line_a_remedy_is_about(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  static struct run_count counts[] = {{.offset = 0x70, .executed = 5}, {.offset = 0x80, .executed = 7}};
  long_init(&k, 10);
  long_add(&k, "LDG.E R4, desc[UR4][R2.64]", 41);
  long_add(&k, "LDG.E R5, desc[UR4][R2.64+0x4]", 60);
  long_add(&k, "LDG.E R6, desc[UR4][R2.64+0x8]", 60);
  long_add(&k, "FADD R7, R4, R4", 123);
  long_add(&k, "FADD R8, R5, R5", 123);
  long_add(&k, "FADD R9, R6, R6", 123);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 5);
  long_add(&k, "STG.E desc[UR4][R2.64], R7", 8);
  long_add(&k, "STG.E desc[UR4][R2.64], R8", 9);
  long_add(&k, "EXIT", 10);
  long_sample(&k, 3, "long_scoreboard", 30);
  long_sample(&k, 4, "long_scoreboard", 10);
  long_sample(&k, 5, "long_scoreboard", 25);
  k.result.counts = counts;
  k.result.n_counts = 2;
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  assert_ptr_equal(about_place(&in, about_loads), &k.insts[2]);
  assert_ptr_equal(about_place(&in, about_barriers), &k.insts[6]);
  assert_ptr_equal(about_place(&in, about_stores), &k.insts[8]);
  assert_ptr_equal(about_place(&in, about_accesses), &k.insts[2]);
  about_kind *const none[] = {about_local,   about_shared, about_shared_atomics,
                              about_atomics, about_fp64,   about_converts};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    assert_null(about_place(&in, none[i]));
  /* Of two marked additions of line 123 the one with 30 samples, and of its line with the last beside the load of line 60, for which 25 wait: by themselves 10 samples
   * are fewer than these. */
  const bool both[10] = {[2] = true, [4] = true};
  assert_ptr_equal(about_marked(&in, both, false), &k.insts[2]);
  assert_ptr_equal(about_marked(&in, both, true), &k.insts[4]);
  assert_null(about_marked(&in, (const bool[10]){false}, true));
  assert_ptr_equal(about_inst(&in, 1), &k.insts[1]);
  assert_null(about_inst(&in, SASS_NONE));
  k.insts[1].n_lines = 0;
  assert_null(about_inst(&in, 1));
  hot_release(&h);
  long_release(&k);
}

/* A load before a loop and one in it, for both of which an addition of the loop waits. */
static void loads_of_a_loop(struct long_kernel *k, struct hot *h, int before, int both) {
  long_init(k, 6);
  long_add(k, "LDG.E R4, desc[UR4][R2.64]", 264);
  long_add(k, "FADD R6, R4, R4", 265);
  long_add(k, "LDG.E R5, desc[UR4][R2.64+0x4]", 276);
  long_add(k, "FADD R7, R4, R5", 276);
  long_add(k, "@P0 BRA 0x20", 274);
  long_add(k, "EXIT", 280);
  if (before)
    long_sample(k, 1, "long_scoreboard", before);
  if (both)
    long_sample(k, 3, "long_scoreboard", both);
  hot_make(h, &k->run, &k->result);
}

/* It waits for the loop's load again and again: 30 samples against 20.  Of 18 and 8, which samples do not tell apart (10 apart, 2 sqrt(26) are 10.2), the loop's, and
 * of 12 and 4 (2 sqrt(16) are 8); of 13 and 4 (9 apart, 2 sqrt(17) are 8.2) and of 40 and 8 the other.  Without samples the loop's, unless instructions were counted. */
static void a_loops_load_is_what_is_waited_for(void **state) {
  (void)state;
  static const struct {
    int before, both;
    bool counted;
    size_t at;
  } cases[] = {{20, 30, false, 2}, {18, 8, false, 2}, {12, 4, false, 2}, {13, 4, false, 0},
               {40, 8, false, 0},  {0, 0, false, 2},  {0, 0, true, 0}};
  static struct run_count counts[] = {{.offset = 0, .executed = 9}, {.offset = 0x20, .executed = 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct long_kernel k;
    struct hot h;
    loads_of_a_loop(&k, &h, cases[i].before, cases[i].both);
    if (cases[i].counted) {
      k.result.counts = counts;
      k.result.n_counts = 2;
      hot_release(&h);
      hot_make(&h, &k.run, &k.result);
    }
    struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
    assert_ptr_equal(about_place(&in, about_loads), &k.insts[cases[i].at]);
    hot_release(&h);
    long_release(&k);
  }
}

static void about_samples_are(const struct rule_input *in, const double *want) {
  double *got = about_samples(in);
  for (size_t i = 0; i < in->sass->n; i++)
    if (!(fabs(got[i] - want[i]) < 1e-9))
      fail_msg("instruction %zu: %g samples, wanted %g", i, got[i], want[i]);
  free(got);
}

/* The same where the loop's stands first: 8 samples, and 18 behind the loop. */
static void a_loops_load_may_stand_first(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 6);
  long_add(&k, "LDG.E R5, desc[UR4][R2.64+0x4]", 276);
  long_add(&k, "FADD R7, R7, R5", 276);
  long_add(&k, "@P0 BRA 0x0", 274);
  long_add(&k, "LDG.E R4, desc[UR4][R2.64]", 278);
  long_add(&k, "FADD R6, R4, R4", 279);
  long_add(&k, "EXIT", 280);
  long_sample(&k, 1, "long_scoreboard", 8);
  long_sample(&k, 4, "long_scoreboard", 18);
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  assert_ptr_equal(about_place(&in, about_loads), &k.insts[0]);
  about_samples_are(&in, (const double[]){8, 8, 0, 18, 18, 0});
  hot_release(&h);
  long_release(&k);
}

/* Of lines that as many samples and executions are of the first, and so of a line's instructions. */
static void of_equals_the_first(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 5);
  long_add(&k, "STG.E desc[UR4][R2.64], R7", 8);
  long_add(&k, "STG.E desc[UR4][R2.64+0x4], R7", 8);
  long_add(&k, "STG.E desc[UR4][R2.64+0x8], R8", 9);
  long_add(&k, "STG.E desc[UR4][R2.64+0xc], R8", 9);
  long_add(&k, "EXIT", 10);
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  assert_ptr_equal(about_place(&in, about_stores), &k.insts[0]);
  about_samples_are(&in, (const double[]){0, 0, 0, 0, 0});
  hot_release(&h);
  long_release(&k);
}

/* Stores, and loads from shared memory, that wait for what a load is to bring: 2 samples of each are their own.  What an addition waits is its own, too. */
static void waits_for_loads_are_the_loads(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8); /* as many samples */
  long_add(&k, "LDG.E R4, desc[UR4][R2.64]", 50);
  long_add(&k, "LDS R5, [R4]", 51);
  long_add(&k, "STG.E desc[UR4][R8.64], R4", 52);
  long_add(&k, "STS [R6], R4", 53);
  long_add(&k, "FADD R7, R4, R4", 54);
  long_add(&k, "EXIT", 55);
  for (size_t i = 1; i <= 4; i++) {
    long_sample(&k, i, "long_scoreboard", 10 * i);
    long_sample(&k, i, "lg_throttle", 2);
  }
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  about_samples_are(&in, (const double[]){12 + 22 + 32 + 42, 2, 2, 2, 42, 0});
  hot_release(&h);
  long_release(&k);
}

/* 30 of the samples at a store to shared memory wait for the load whose value it stores; 2 are its own, and 20 are another's. */
static void waits_for_loads_are_not_the_stores(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 4);
  long_add(&k, "LDG.E R4, desc[UR4][R2.64]", 50);
  long_add(&k, "STS [R6], R4", 50);
  long_add(&k, "LDS R5, [R7]", 60);
  long_add(&k, "EXIT", 61);
  long_sample(&k, 1, "long_scoreboard", 30);
  long_sample(&k, 1, "mio_throttle", 2);
  long_sample(&k, 2, "mio_throttle", 20);
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  assert_ptr_equal(about_place(&in, about_shared), &k.insts[2]);
  assert_ptr_equal(about_place(&in, about_loads), &k.insts[0]);
  hot_release(&h);
  long_release(&k);
}

/* Warps that wait at a barrier stand behind it, or, since blocking is deferred, further behind: 30 samples at the first, 20 and 9 at the second, whose
 * own line has 4 of another reason.  They are none of the loads' that stand there. */
static void waits_at_barriers_are_the_barriers(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 7);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 82);
  long_add(&k, "LDS R5, [R7]", 83);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 84);
  long_add(&k, "FADD R6, R5, R5", 86);
  long_add(&k, "LDS R8, [R7]", 87);
  long_add(&k, "FADD R6, R6, R8", 88);
  long_add(&k, "EXIT", 89);
  long_sample(&k, 1, "barrier", 30);
  long_sample(&k, 1, "mio_throttle", 2);
  long_sample(&k, 2, "wait", 4);
  long_sample(&k, 3, "barrier", 20);
  long_sample(&k, 4, "mio_throttle", 10);
  long_sample(&k, 5, "barrier", 9);
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  assert_ptr_equal(about_place(&in, about_barriers), &k.insts[2]);
  assert_ptr_equal(about_place(&in, about_shared), &k.insts[4]);
  about_samples_are(&in, (const double[]){30, 2, 4 + 20 + 9, 0, 10, 0, 0});
  hot_release(&h);
  long_release(&k);
}

/* What a function of the compiler's computes its call is about. */
static void functions_are_their_calls(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  long_add(&k, "CALL.REL.NOINC `($k$__internal_accurate_pow)", 7);
  long_add(&k, "EXIT", 9);
  long_add(&k, "DFMA R4, R6, R8, R10", 9);
  long_add(&k, "RET.REL.NODEC R2 `(k)", 9);
  long_sample(&k, 2, "wait", 4);
  hot_make(&h, &k.run, &k.result);
  struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
  assert_ptr_equal(about_place(&in, about_fp64), &k.insts[0]);
  hot_release(&h);
  long_release(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(which_line_a_remedy_is_about),
      cmocka_unit_test(a_loops_load_is_what_is_waited_for),
      cmocka_unit_test(waits_for_loads_are_not_the_stores),
      cmocka_unit_test(waits_at_barriers_are_the_barriers),
      cmocka_unit_test(functions_are_their_calls),
      cmocka_unit_test(a_loops_load_may_stand_first),
      cmocka_unit_test(of_equals_the_first),
      cmocka_unit_test(waits_for_loads_are_the_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
