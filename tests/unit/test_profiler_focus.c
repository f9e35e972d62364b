/* Which kernels the passes go to, in small steps that can be worked out by hand. */
#include "profiler/attach/choice/focus.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { A, B, C, KERNELS = 8 };

static struct focus_kernel kernels[KERNELS];
static const struct focus_settings usual = {.coverage = 0.9, .overhead = INFINITY, .window = 4, .top = 100};

static struct focus start(const struct focus_settings *set, size_t n) {
  struct focus h;
  focus_start(&h, set, kernels);
  for (size_t i = 0; i < n; i++)
    focus_add(&h);
  return h;
}

static void asked(struct focus *h, size_t k, int times) {
  for (int i = 0; i < times; i++)
    focus_asked(h, k);
}

static void told(struct focus *h, size_t k, double total_s, double mean_s) {
  h->kernels[k].total_s = total_s;
  h->kernels[k].mean_s = mean_s;
}

/* 8 s of A, then 2 s of B: the half-life is a quarter of 10 s, so that A is left 8 x 2^(-2/2.5) = 4.595 s. */
static void test_decay(void **state) {
  (void)state;
  struct focus h = start(&usual, 2);
  told(&h, A, 8, 1);
  focus_look(&h, 0, true, 0);
  assert_float_equal(kernels[A].recent_s, 8, 1e-9);
  told(&h, B, 2, 1);
  focus_look(&h, 0, true, 0);
  assert_float_equal(kernels[A].recent_s, 8 * pow(2, -0.8), 1e-9);
  assert_float_equal(kernels[B].recent_s, 2, 1e-9);
  focus_look(&h, 0, true, 0); /* nothing new: nothing decays */
  assert_float_equal(kernels[B].recent_s, 2, 1e-9);
}

/* 92.5 % are chosen where 90 % are to be covered: of 6, 3 and 1 s the first two have 90 %. */
static void test_choice(void **state) {
  (void)state;
  struct focus h = start(&usual, 3);
  asked(&h, A, 3);
  assert_false(focus_look_is_due(&h, 0));
  asked(&h, B, 1);
  assert_true(focus_look_is_due(&h, 0)); /* the window's fourth */
  told(&h, A, 6, 1);
  told(&h, B, 3, 1);
  told(&h, C, 1, 1);
  focus_look(&h, 0, true, 0);
  assert_true(kernels[A].chosen && kernels[B].chosen && kernels[C].chosen);
  assert_float_equal(focus_covered(&h, false).now, 1, 1e-9);
  assert_float_equal(focus_covered(&h, true).now, 0, 1e-9);

  h = start(&usual, 3);
  asked(&h, A, 4);
  told(&h, A, 7, 1);
  told(&h, B, 2.5, 1);
  told(&h, C, 0.5, 1);
  focus_look(&h, 0, true, 0);
  assert_true(kernels[A].chosen && kernels[B].chosen && !kernels[C].chosen);
  kernels[A].done = kernels[B].done = true;
  assert_true(focus_is_settled(&h, 0));
  told(&h, C, 5, 1); /* now C is hot */
  focus_look(&h, 0, false, 0);
  assert_true(kernels[C].chosen && !focus_is_settled(&h, 0));
}

static void test_limits(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.top = 1;
  struct focus h = start(&set, 3);
  asked(&h, A, 4);
  told(&h, A, 5, 1);
  told(&h, B, 4, 1);
  told(&h, C, 99, 1);
  kernels[C].barred = true; /* a collective: neither chosen, nor of the time that is to be covered */
  focus_look(&h, 0, true, 0);
  assert_true(kernels[A].chosen && !kernels[B].chosen && !kernels[C].chosen);
  kernels[A].done = true;
  assert_float_equal(focus_covered(&h, true).all, 5.0 / 9, 1e-9);
  assert_true(focus_is_settled(&h, 0));

  set.named = true; /* the user's choice: no look, and no end */
  h = start(&set, 2);
  asked(&h, A, 9);
  told(&h, A, 5, 1);
  focus_look(&h, 0, true, 0);
  assert_false(kernels[A].chosen || focus_look_is_due(&h, 0) || focus_is_settled(&h, 0));
  assert_true(focus_may_count(&h));
}

/* Without a window of the user's: launches are counted once 80 % of the last 50 ms was of kernels that had been chosen before it, or after 1 s in any
 * case. */
static void test_settles(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.settle = true;
  struct focus h = start(&set, 2);
  asked(&h, A, 4);
  told(&h, A, 0.032, 0.008);
  focus_look(&h, 0, true, 0);
  assert_true(kernels[A].chosen && !focus_may_count(&h));
  told(&h, B, 0, 0.0009765625);
  asked(&h, A, 2);
  asked(&h, B, 32); /* 47 ms of what is known by now */
  told(&h, A, 0.048, 0.008);
  told(&h, B, 0.03125, 0.0009765625);
  focus_look(&h, 0, true, 0);
  assert_true(kernels[B].chosen && !kernels[B].marked && !focus_may_count(&h));
  asked(&h, B, 8);
  told(&h, B, 0.0390625, 0.0009765625);
  focus_look(&h, 0, true, 0);
  assert_true(kernels[B].marked && !focus_may_count(&h)); /* most of the new time was B's, not chosen as it began */
  asked(&h, A, 3);
  asked(&h, B, 32);
  told(&h, A, 0.072, 0.008);
  told(&h, B, 0.0703125, 0.0009765625);
  focus_look(&h, 0, true, 0);
  assert_true(focus_may_count(&h));

  h = start(&set, 1);
  asked(&h, A, 4);
  told(&h, A, 0.0625, 0.015625);
  focus_look(&h, 0, true, 0);
  asked(&h, A, 63); /* of 15.625 ms, and no look: 0.984 s */
  assert_false(focus_may_count(&h));
  asked(&h, A, 1);
  assert_true(focus_may_count(&h));
}

/* Launches may be queued faster than they run: they are waited for at the 16th, the 32nd and so
 * on (at the 2nd, the 4th...), and once they are known to have taken as long as kernels are
 * chosen after: 10 ms of a program that tries out nothing, which is counted from then on; 0.1 s
 * of another, of which 50 ms more tell whether the ranking holds. */
static void test_waits_for_a_queue(void **state) {
  (void)state;
  for (int brisk = 0; brisk < 2; brisk++) {
    double times = brisk ? 0.1 : 1; /* of the other pace */
    struct focus_settings set = usual;
    set.window = 200;
    set.settle = true;
    set.brisk = brisk;
    struct focus h = start(&set, 1);
    assert_float_equal(focus_first_s(&h), 0.1 * times, 1e-12);
    for (int launch = brisk ? 2 : 16, before = 0; launch < 16; before = launch, launch *= 2) {
      asked(&h, A, launch - before - 1);
      assert_false(focus_look_is_due(&h, 0));
      asked(&h, A, 1);
      assert_true(focus_look_is_due(&h, 0));
      focus_look(&h, 0, true, 0);
    }
    asked(&h, A, brisk ? 7 : 15);
    assert_false(focus_look_is_due(&h, 0));
    asked(&h, A, 1);
    assert_true(focus_look_is_due(&h, 0));
    told(&h, A, 0.048 * times, 0.003 * times);
    focus_look(&h, 0, true, 0);
    assert_false(kernels[A].chosen || focus_look_is_due(&h, 0));
    asked(&h, A, 15); /* 31 of 3 ms or 0.3 */
    assert_false(focus_look_is_due(&h, 0));
    asked(&h, A, 1); /* the 32nd, by number */
    assert_true(focus_look_is_due(&h, 0));
    told(&h, A, 0.096 * times, 0.003 * times);
    focus_look(&h, 0, true, 0);
    assert_false(kernels[A].chosen || focus_look_is_due(&h, 0));
    asked(&h, A, 1); /* 99 ms */
    assert_false(focus_look_is_due(&h, 0));
    asked(&h, A, 1); /* 102 ms, by time */
    assert_true(focus_look_is_due(&h, 0));
    told(&h, A, 0.102 * times, 0.003 * times);
    focus_look(&h, 0, true, 0);
    assert_true(kernels[A].chosen && focus_may_count(&h) == brisk);
    asked(&h, A, 16); /* 48 ms */
    told(&h, A, 0.15 * times, 0.003 * times);
    focus_look(&h, 0, true, 0);
    assert_int_equal(focus_may_count(&h), brisk);
    asked(&h, A, 1);
    focus_look(&h, 0, true, 0);
    assert_true(focus_may_count(&h));

    h = start(&set, 2);
    for (int i = 0; i < 100; i++) {
      asked(&h, A, 1);
      asked(&h, B, 1);
    }
    told(&h, A, 2e-6, 2e-8); /* so little that their number tells */
    told(&h, B, 1e-7, 8e-6); /* too long to stand between launches in a row */
    focus_look(&h, 0, true, 0);
    assert_true(kernels[A].chosen);
    for (int i = 0; i < 511; i++) {
      asked(&h, A, 1);
      asked(&h, B, 1);
    }
    asked(&h, A, 1);
    told(&h, A, 3e-6, 2e-8);
    focus_look(&h, 0, true, 0);
    assert_int_equal(focus_may_count(&h), brisk);
    asked(&h, A, 1);
    focus_look(&h, 0, true, 0);
    assert_true(focus_may_count(&h));

    set.in_step = true; /* ranks wait at the same launches */
    h = start(&set, 1);
    asked(&h, A, 199);
    assert_false(focus_look_is_due(&h, 0));
    set.in_step = false;
  }
}

/* Of a kernel whose launches take 1 ms or more there may be few: with it the 50 ms begin anew as it
 * is chosen, and not as they have ended. */
static void test_settles_on_long(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.settle = true;
  for (int ranks = 0; ranks < 2; ranks++) {
    set.in_step = ranks; /* each of several ranks would do so at another launch */
    struct focus h = start(&set, 2);
    asked(&h, A, 4);
    told(&h, A, 0.125, 0.03125);
    focus_look(&h, 0, true, 0);
    asked(&h, A, 1);
    asked(&h, B, 2);
    told(&h, A, 0.15625, 0.03125);
    told(&h, B, 0.015625, 0.0078125);
    focus_look(&h, 0, true, 0);
    assert_true(kernels[B].chosen && kernels[B].marked == !ranks);
    asked(&h, B, 6);
    told(&h, B, 0.0625, 0.0078125);
    focus_look(&h, 0, false, 0);
    assert_false(focus_may_count(&h)); /* 46.9 ms */
    asked(&h, B, 1);
    told(&h, B, 0.0703125, 0.0078125);
    focus_look(&h, 0, false, 0);
    assert_int_equal(focus_may_count(&h), !ranks);
  }
}

/* A round that has begun is finished, within half as much again as counting may take; none is
 * begun. */
static void test_finishes(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.overhead = 0.05;
  struct focus h = start(&set, 2);
  asked(&h, A, 4);
  asked(&h, B, 1);
  told(&h, A, 4, 1);
  told(&h, B, 1, 1);
  focus_look(&h, 0, true, 0);
  h.spent_s = 1.25;
  assert_int_equal(focus_launch(&h, A, 0), FOCUS_LEAVE); /* 1 s, and 5 % of none */
  focus_round_begin(&h, 2, 2, false);
  assert_int_equal(focus_launch(&h, A, 0), FOCUS_LEAVE);
  assert_true(focus_is_settled(&h, 0));
  focus_counted(&h, A, false);
  assert_false(focus_is_settled(&h, 0));
  assert_int_equal(focus_launch(&h, B, 0), FOCUS_COUNT);
  focus_counted(&h, B, false);
  assert_true(focus_pass_end(&h));
  assert_int_equal(focus_launch(&h, A, 0), FOCUS_COUNT);
  h.spent_s = 1.75;
  assert_int_equal(focus_launch(&h, A, 0), FOCUS_LEAVE);
  assert_true(focus_is_settled(&h, 0));
}

/* Launches that came before their time was known count once it is: 4 of 12.5 ms are the 50 ms, and A had its share before.  A collective's time counts
 * nowhere: it is what other ranks take. */
static void test_told_late(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.settle = true;
  struct focus h = start(&set, 2);
  asked(&h, A, 4);
  told(&h, A, 0.1, 0.025);
  focus_look(&h, 0, true, 0);
  told(&h, A, 0.1, 0);
  asked(&h, A, 4);
  assert_true(h.asked_s == 0);
  told(&h, A, 0.15, 0.0125);
  focus_look(&h, 0, true, 0);
  assert_true(h.asked_s == 0.05 && focus_may_count(&h));
  focus_look(&h, 0, true, 0);
  assert_true(h.asked_s == 0.05);

  kernels[B].barred = true;
  asked(&h, B, 1);
  told(&h, B, 3, 1);
  focus_look(&h, 0, true, 0);
  asked(&h, B, 2);
  assert_true(h.asked_s == 0.05);
}

/* One of several ranks: whether the ranking holds is asked at 4, 8, 16... launches, where all ranks ask, and not as soon as one has run for 50 ms, nor
 * for 1 s; the first choice, too, is after the window's launches. */
static void test_in_step(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.settle = set.in_step = true;
  struct focus h = start(&set, 1);
  asked(&h, A, 3);
  told(&h, A, 0.75, 0.25);
  focus_look(&h, 0, true, 0);
  assert_int_equal(h.state, FOCUS_WATCHES);
  asked(&h, A, 1);
  told(&h, A, 1, 0.25);
  focus_look(&h, 0, true, 0);
  assert_true(h.state == FOCUS_CHOSE && !focus_may_count(&h));
  asked(&h, A, 3);
  told(&h, A, 1.75, 0.25);
  focus_look(&h, 0, false, 0);
  assert_false(focus_may_count(&h));
  focus_look(&h, 0, true, 0);
  assert_false(focus_may_count(&h) || focus_look_is_due(&h, 0));
  asked(&h, A, 1);
  assert_true(focus_look_is_due(&h, 0));
  told(&h, A, 2, 0.25);
  focus_look(&h, 0, false, 0); /* another look, by chance: the times of some launches are not known */
  assert_false(focus_may_count(&h));
  focus_look(&h, 0, true, 0);
  assert_true(focus_may_count(&h));
}

/* What comes no more has no share of what is now, however long it ran. */
static void test_gone(void **state) {
  (void)state;
  struct focus h = start(&usual, 3);
  asked(&h, C, 4); /* a trial */
  told(&h, C, 8, 2);
  focus_look(&h, 0, true, 0);
  asked(&h, A, 20);
  asked(&h, B, 20);
  assert_false(focus_comes(&h, C)); /* 40 launches ago; 2 x 1 and 16 are waited for */
  told(&h, A, 1, 0.05);
  told(&h, B, 1, 0.05);
  focus_look(&h, 0, true, 0);
  assert_true(kernels[A].chosen && kernels[B].chosen);
  kernels[A].done = kernels[B].done = true;
  assert_float_equal(focus_covered(&h, true).now, 1, 1e-9);
  assert_float_equal(focus_covered(&h, true).all, 0.2, 1e-9);
  assert_true(focus_is_settled(&h, 0));
  told(&h, C, 9, 2); /* it runs again, which activity alone tells while launches are not watched */
  focus_look(&h, 0, false, 0);
  assert_true(kernels[C].chosen && !focus_is_settled(&h, 0));
}

/* A kernel that is new and whose first launches have no time yet is looked at, 16 launches after the last look, and once. */
static void test_new_kernel(void **state) {
  (void)state;
  struct focus h = start(&usual, 2);
  asked(&h, A, 4);
  told(&h, A, 1, 0.25);
  focus_look(&h, 0, true, 0);
  asked(&h, A, 14);
  asked(&h, B, 1);
  assert_false(focus_look_is_due(&h, 0)); /* one launch has no end yet */
  asked(&h, B, 1);
  assert_true(focus_look_is_due(&h, 0));
  focus_look(&h, 0, true, 0.1); /* activity tells nothing of it */
  asked(&h, B, 20);
  assert_false(focus_look_is_due(&h, 0));
  focus_add(&h);
  asked(&h, C, 2);
  assert_false(focus_look_is_due(&h, 7.9)); /* the last look took 0.1 s: 0.02 and 1 % of 7.9 s are not enough */
  assert_true(focus_look_is_due(&h, 8.1));
}

static void test_budget(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.overhead = 0.05;
  set.start_s = 100;
  struct focus h = start(&set, 1);
  h.spent_s = 1.5; /* 1 s is granted: 0.5 s are 5 % of 10 s */
  assert_false(focus_affords(&h, 109.9));
  assert_true(focus_affords(&h, 110.1));
  kernels[A].chosen = true;
  asked(&h, A, 1);
  assert_int_equal(focus_launch(&h, A, 109), FOCUS_LEAVE);
  assert_int_equal(focus_launch(&h, A, 111), FOCUS_COUNT);
}

static enum focus_verdict counts(struct focus *h, size_t k) {
  focus_asked(h, k);
  return focus_launch(h, k, 0);
}

/* Two passes, A and B in turn. */
static void test_round(void **state) {
  (void)state;
  struct focus h = start(&usual, 2);
  kernels[A].chosen = kernels[B].chosen = true;
  assert_int_equal(counts(&h, A), FOCUS_COUNT);
  focus_round_begin(&h, 2, 4, false);
  assert_true(kernels[A].has_slot && kernels[B].has_slot); /* both, so that A's second launch waits for B */
  focus_counted(&h, A, false);
  assert_int_equal(counts(&h, A), FOCUS_LEAVE);
  assert_false(focus_pass_is_whole(&h));
  assert_int_equal(counts(&h, B), FOCUS_COUNT);
  focus_counted(&h, B, false);
  assert_true(focus_pass_is_whole(&h));
  assert_int_equal(counts(&h, A), FOCUS_COUNT);
  assert_true(focus_is_seen(&h, A) && focus_pass_end(&h));
  assert_false(focus_is_seen(&h, A));
  focus_counted(&h, A, false);
  assert_int_equal(counts(&h, B), FOCUS_COUNT);
  focus_counted(&h, B, false);
  assert_false(focus_pass_end(&h));
  focus_round_end(&h, false);
  assert_true(kernels[A].done && kernels[B].done && !kernels[A].has_slot);
  assert_int_equal(kernels[A].counted, 2);
  assert_int_equal(counts(&h, A), FOCUS_LEAVE);
  assert_false(focus_round_is_wanted(&h));
}

/* B comes every 4 launches, then no more: it is waited for 2 x 4 + 16 launches after the pass began, and loses its slot. */
static void test_lapse(void **state) {
  (void)state;
  struct focus h = start(&usual, 3);
  kernels[A].chosen = kernels[B].chosen = true;
  for (int i = 0; i < 3; i++) {
    asked(&h, B, 1);
    asked(&h, A, 3);
  }
  asked(&h, B, 1); /* the 13th launch */
  focus_round_begin(&h, 2, 4, false);
  asked(&h, A, 1);
  focus_counted(&h, A, false);
  for (int launch = 15; launch <= 13 + 24; launch++)
    assert_int_equal(counts(&h, A), FOCUS_LEAVE);
  assert_int_equal(counts(&h, A), FOCUS_COUNT);
  focus_pass_end(&h);
  assert_true(kernels[B].lapsed);
  focus_counted(&h, A, false);
  assert_true(focus_pass_is_whole(&h)); /* not waited for again */
  focus_pass_end(&h);
  focus_round_end(&h, false);
  assert_true(kernels[A].done && !kernels[B].has_slot && !kernels[B].done);
  assert_int_equal(counts(&h, B), FOCUS_COUNT); /* it comes again, at the start of a round */
  assert_false(kernels[B].lapsed);
}

/* A round is under way with A, which comes no more; C, which is new, begins another. */
static void test_anew(void **state) {
  (void)state;
  struct focus h = start(&usual, 3);
  kernels[A].chosen = kernels[C].chosen = true;
  asked(&h, C, 1);
  h.asked = 5000; /* C came once, long ago: it is not waited for */
  asked(&h, A, 1);
  focus_round_begin(&h, 2, 2, false);
  assert_false(kernels[C].has_slot);
  focus_counted(&h, A, false);
  focus_pass_end(&h);
  assert_int_equal(counts(&h, C), FOCUS_LEAVE);
  kernels[A].first = kernels[A].last = 1; /* as if A had come at once, and 5000 launches ago */
  assert_int_equal(counts(&h, C), FOCUS_COUNT_ANEW);
}

/* A's round is in its second pass as C comes, which has more of the time than A: A makes room,
 * and has a slot of the new round where it comes again.  B, which has less than A, waits. */
static void test_outweighs(void **state) {
  (void)state;
  struct focus h = start(&usual, 3);
  for (size_t k = A; k <= C; k++) {
    kernels[k].chosen = true;
    kernels[k].recent_s = (const double[]){0.2, 0.1, 0.3}[k];
  }
  asked(&h, A, 4);
  kernels[B].lapsed = kernels[C].lapsed = true; /* as if neither had come for long */
  focus_round_begin(&h, 3, 4, false);
  focus_counted(&h, A, false);
  focus_pass_end(&h);
  assert_int_equal(counts(&h, B), FOCUS_LEAVE);
  assert_int_equal(counts(&h, C), FOCUS_COUNT_ANEW);
  focus_round_end(&h, false);
  assert_true(!kernels[A].has_slot && !kernels[A].done && !kernels[A].in_round);
  assert_true(kernels[C].has_slot && h.pass == 0);
  focus_counted(&h, C, false);
  assert_int_equal(counts(&h, A), FOCUS_COUNT);
}

/* C takes a slot of a round that waits for B, which came once, after 400 launches, and of which
 * no more is known: B is not waited for longer than C, which has most of the time, needs. */
static void test_newcomers_patience(void **state) {
  (void)state;
  struct focus h = start(&usual, 3);
  kernels[B].chosen = true;
  kernels[B].recent_s = 0.1;
  kernels[C].recent_s = 0.3;
  h.asked = 399;
  asked(&h, B, 1);
  focus_round_begin(&h, 2, 4, false);
  assert_true(kernels[B].has_slot && !kernels[C].has_slot && h.patience_most > 400);
  kernels[C].chosen = true; /* now that its time is known */
  asked(&h, C, 2);
  assert_true(focus_slot_take(&h, C));
  focus_counted(&h, C, false);
  int left = 0;
  for (; left < 100 && counts(&h, C) == FOCUS_LEAVE; left++)
    ;
  assert_int_equal(left, 2 * 1 + 16 - 2); /* of its gap of 1, less the two that were before */
}

/* A kernel that three rounds have not counted whole has a fourth, and then is left. */
static void test_given_up(void **state) {
  (void)state;
  struct focus h = start(&usual, 1);
  kernels[A].chosen = true;
  told(&h, A, 1, 1);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(counts(&h, A), FOCUS_COUNT);
    focus_round_begin(&h, 2, 1, false);
    focus_counted(&h, A, false);
    focus_round_end(&h, true);
  }
  assert_int_equal(counts(&h, A), FOCUS_LEAVE);
  assert_true(kernels[A].given_up);
}

/* So many launches, a round and a half, and a round at least; all passes of one launch at once. */
static void test_count(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.count = 3;
  struct focus h = start(&set, 1);
  kernels[A].chosen = true;
  focus_round_begin(&h, 2, 1, false);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(counts(&h, A), FOCUS_COUNT);
    focus_counted(&h, A, false);
    if (!focus_pass_end(&h))
      focus_round_end(&h, false);
  }
  assert_int_equal(counts(&h, A), FOCUS_LEAVE);
  assert_false(kernels[A].done); /* until its round ends */
  focus_round_end(&h, true);
  assert_true(kernels[A].done);

  set.count = 1; /* fewer than there are passes: a round is whole all the same */
  h = start(&set, 1);
  kernels[A].chosen = true;
  focus_round_begin(&h, 2, 1, false);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(counts(&h, A), FOCUS_COUNT);
    focus_counted(&h, A, false);
    if (i == 0)
      assert_true(focus_pass_end(&h));
  }
  assert_int_equal(counts(&h, A), FOCUS_LEAVE);
  focus_round_end(&h, true);
  assert_true(kernels[A].done);

  h = start(&usual, 1);
  kernels[A].chosen = kernels[A].alone = true;
  focus_round_begin(&h, 64, 1, true);
  assert_false(kernels[A].has_slot);
  assert_true(focus_slot_take(&h, A));
  assert_int_equal(focus_slot_of(&h, A), 0);
  assert_false(focus_slot_take(&h, A));
  focus_counted(&h, A, true);
  focus_round_end(&h, true);
  assert_true(kernels[A].done && kernels[A].rounds == 1 && !focus_round_is_open(&h));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_decay),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_told_late),
      cmocka_unit_test(test_in_step),
      cmocka_unit_test(test_settles),
      cmocka_unit_test(test_settles_on_long),
      cmocka_unit_test(test_waits_for_a_queue),
      cmocka_unit_test(test_finishes),
      cmocka_unit_test(test_new_kernel),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_round),
      cmocka_unit_test(test_lapse),
      cmocka_unit_test(test_anew),
      cmocka_unit_test(test_outweighs),
      cmocka_unit_test(test_newcomers_patience),
      cmocka_unit_test(test_given_up),
      cmocka_unit_test(test_count),
      cmocka_unit_test(test_gone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
