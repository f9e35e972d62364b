/* Whole programs, made of launches, before the state machine that says what is counted (profiler/attach/choice): how much of their GPU time has
 * counters in the end, and what it took.  Costs are an H200's (recorded/notes/attach.md). */
#include "profiler/attach/choice/focus.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { KERNELS = 256, PASSES = 12, QUEUE = 1 << 16 };
static const double launch_s = 8e-6, look_s = 2e-4, set_up_s = 0.9, first_pass_s = 0.17, pass_s = 20e-3,
                    range_s = 1.8e-3, flush_s = 0.1;

static struct program {
  struct focus h;
  struct focus_kernel kernels[KERNELS];
  char names[KERNELS][24];
  double cpu_s, gpu_s;    /* where the program is; when the GPU has done all that was launched */
  double true_s[KERNELS]; /* GPU time of each */
  unsigned launches[KERNELS], timed[KERNELS];
  double timed_s[KERNELS], flushed_s;
  bool set_up, open, started;
  struct {
    size_t kernel;
    double took_s, end_s;
  } queue[QUEUE]; /* that activity has not told of */
  size_t queued, told;
} p;

static void start(const struct focus_settings *set) {
  memset(&p, 0, sizeof p);
  focus_start(&p.h, set, p.kernels);
}

static size_t kernel(const char *name) {
  for (size_t i = 0; i < p.h.n; i++)
    if (strcmp(p.names[i], name) == 0)
      return i;
  snprintf(p.names[p.h.n], sizeof p.names[0], "%s", name);
  return focus_add(&p.h);
}

/* Activity tells of what has ended. */
static void tell(void) {
  for (; p.told < p.queued && p.queue[p.told % QUEUE].end_s <= p.cpu_s; p.told++) {
    size_t k = p.queue[p.told % QUEUE].kernel;
    p.timed[k]++;
    p.timed_s[k] += p.queue[p.told % QUEUE].took_s;
  }
  for (size_t k = 0; k < p.h.n; k++) {
    p.kernels[k].mean_s = p.timed[k] ? p.timed_s[k] / p.timed[k] : 0;
    p.kernels[k].total_s = p.kernels[k].mean_s * (double)p.kernels[k].asked;
  }
}

static void wait(void) {
  p.cpu_s = fmax(p.cpu_s, p.gpu_s);
}

static void spend(double s) {
  p.cpu_s += s;
  p.h.spent_s += s;
}

static void count(size_t k, double took_s, bool anew) {
  wait();
  if (!p.set_up)
    p.cpu_s += set_up_s; /* not of the budget */
  p.set_up = true;
  if (!p.open) {
    focus_round_begin(&p.h, PASSES, 32, false);
    spend(first_pass_s);
  } else if (anew) {
    focus_round_end(&p.h, false);
    spend(pass_s);
  }
  p.open = true;
  if (p.kernels[k].has_slot && focus_is_seen(&p.h, k)) {
    spend(pass_s);
    if (!focus_pass_end(&p.h))
      focus_round_end(&p.h, false);
  }
  bool takes =
      focus_wants_more(&p.h, k) && focus_is_rested(&p.h, k) && (p.kernels[k].has_slot || focus_slot_take(&p.h, k));
  p.cpu_s += took_s;
  p.gpu_s = p.cpu_s;
  if (!takes)
    return;
  spend(range_s);
  focus_counted(&p.h, k, false);
  if (p.h.pass + 1 == p.h.passes && focus_pass_is_whole(&p.h)) {
    spend(pass_s);
    focus_pass_end(&p.h);
    focus_round_end(&p.h, false);
  }
  if (!focus_round_is_wanted(&p.h)) {
    focus_round_end(&p.h, true);
    p.open = false;
  }
}

static void launch(const char *name, double took_us) {
  size_t k = kernel(name);
  double took_s = 1e-6 * took_us;
  p.true_s[k] += took_s;
  p.launches[k]++;
  p.cpu_s += launch_s;
  if (p.cpu_s - p.flushed_s > flush_s) {
    p.flushed_s = p.cpu_s;
    tell();
    focus_look(&p.h, p.cpu_s, false, 0);
  }
  focus_asked(&p.h, k);
  if (focus_rank_is_due(&p.h)) {
    tell();
    focus_look(&p.h, p.cpu_s, false, 0);
  }
  if (focus_look_is_due(&p.h, p.cpu_s)) {
    wait();
    tell();
    p.cpu_s += look_s;
    focus_look(&p.h, p.cpu_s, true, look_s);
  }
  enum focus_verdict verdict =
      p.kernels[k].chosen && focus_may_count(&p.h) ? focus_launch(&p.h, k, p.cpu_s) : FOCUS_LEAVE;
  if (verdict != FOCUS_LEAVE) {
    count(k, took_s, verdict == FOCUS_COUNT_ANEW);
    return;
  }
  p.gpu_s = fmax(p.cpu_s, p.gpu_s) + took_s;
  p.queue[p.queued % QUEUE].kernel = k;
  p.queue[p.queued % QUEUE].took_s = took_s;
  p.queue[p.queued++ % QUEUE].end_s = p.gpu_s;
}

/* The share of the true GPU time that kernels with all their counters have. */
static double coverage(void) {
  double all_s = 0, whole_s = 0;
  for (size_t k = 0; k < p.h.n; k++) {
    all_s += p.true_s[k];
    whole_s += p.kernels[k].done ? p.true_s[k] : 0;
  }
  return whole_s / all_s;
}

static const struct focus_settings usual = {
    .coverage = 0.9, .overhead = 0.05, .start_s = -4, .window = 200, .top = 4096, .settle = true};

static void layer(const char *way, double times) {
  static const struct {
    const char *name;
    double us;
  } kernels[] = {{"norm", 15}, {"qkv", 60},  {"attention", 50}, {"project", 30}, {"add", 10},  {"norm", 15}, {"up", 80},
                 {"pow", 20},  {"tanh", 20}, {"mul", 20},       {"mul", 20},     {"down", 80}, {"add", 10}};
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
    char name[24];
    snprintf(name, sizeof name, "%s %s", kernels[i].name, way);
    for (int n = 0; n < times; n++)
      launch(name, kernels[i].us);
  }
}

/* A step of 18.6 ms in 265 launches: forward, backward, optimizer.  The three products of the last layer have 8.3 ms of it. */
static void training_step(void) {
  for (int i = 0; i < 6; i++)
    layer("forward", 1);
  launch("head", 2200);
  launch("softmax", 700);
  launch("loss", 20);
  launch("softmax backward", 600);
  launch("head to input", 2800);
  launch("head to weight", 3300);
  for (int i = 0; i < 6; i++)
    layer("backward", 2);
  for (int i = 0; i < 6; i++)
    launch("adam", 150);
  for (int i = 0; i < 3; i++)
    launch("zero", 60);
  wait(); /* the loss is printed */
}

static void test_training(void **state) {
  (void)state;
  start(&usual);
  for (int step = 0; step < 45; step++)
    training_step();
  assert_true(coverage() >= 0.9);
  assert_true(p.h.spent_s <= FOCUS_GRANT_S + 0.05 * (p.cpu_s + 4) + pass_s + range_s);
  assert_true(p.kernels[kernel("head")].done && p.kernels[kernel("head to weight")].done);
  assert_true(focus_is_settled(&p.h, p.cpu_s));
}

/* torch.compile: a compiler tries its kernels first, each many times and a buffer filled between, and then come steps of others. */
static void test_warm_up(void **state) {
  (void)state;
  start(&usual);
  for (int trial = 0; trial < 6; trial++)
    for (int i = 0; i < 40; i++) {
      char name[24];
      snprintf(name, sizeof name, "trial %d", trial);
      launch("fill", 15);
      launch(name, 460);
      wait();
      p.cpu_s += 0.01;
    }
  for (int step = 0; step < 60; step++)
    training_step();
  assert_true(coverage() >= 0.8);
  assert_true(p.kernels[kernel("head")].done && p.kernels[kernel("qkv backward")].done);
}

/* A step of 6.3 ms in 289 launches, which the CPU takes 8.7 ms to ask for. */
static void compiled_step(void) {
  for (int i = 0; i < 6; i++)
    for (int n = 0; n < 12; n++) {
      char name[24];
      snprintf(name, sizeof name, "forward %d", n);
      launch(name, 25);
      p.cpu_s += 22e-6;
    }
  launch("head", 440);
  launch("softmax", 350);
  launch("softmax backward", 420);
  launch("head to weight", 390);
  for (int i = 0; i < 6; i++)
    for (int n = 0; n < 34; n++) {
      char name[24];
      snprintf(name, sizeof name, "backward %d", n);
      launch(name, 12);
      p.cpu_s += 22e-6;
    }
  for (int i = 0; i < 9; i++)
    launch("adam", 45);
  wait();
}

/* torch.compile with nothing cached: for half a minute a compiler tries kernels that come no more, which takes two thirds of the GPU time, and then come 45 steps. */
static void test_trials(void **state) {
  (void)state;
  start(&usual);
  for (int trial = 0; trial < 40; trial++)
    for (int i = 0; i < 100; i++) {
      char name[24];
      snprintf(name, sizeof name, "trial %d", trial);
      launch("fill", 14);
      launch("fill", 14);
      launch(name, trial < 16
                       ? 300
                       : 4); /* trials of small kernels: the buffer that is filled before each has most of the time */
      wait();
      p.cpu_s += 0.005;
    }
  assert_true(p.h.spent_s < 0.1); /* it leaves them alone */
  double steps_s = 0;
  for (int step = 0; step < 45; step++) {
    double began_s = p.cpu_s;
    compiled_step();
    steps_s = p.cpu_s - began_s;
  }
  assert_true(steps_s < 0.01); /* counting has ended before the steps have */
  double all_s = 0, whole_s = 0;
  for (size_t k = kernel("forward 0"); k < p.h.n; k++) {
    all_s += p.true_s[k];
    whole_s += p.kernels[k].done ? p.true_s[k] : 0;
  }
  assert_true(whole_s >= 0.9 * all_s);
}

/* Kernels are tried where the first step launches them, as an H200 had it on 2026-11-27: each for 40 ms at most, a buffer filled twice before each launch, and
 * nothing waited for until the last; between them comes what the step launches besides.  Of 48 they take 0.9 s, of 160 over a second. */
static void test_long_trials(void **state) {
  (void)state;
  static const double us[] = {424, 458, 314, 395, 237, 352, 270, 820};
  for (int trials = 48; trials <= 160; trials += 112) {
    start(&usual);
    for (int trial = 0; trial < trials; trial++) {
      char name[24];
      double took_us = us[trial % 8] / (trial % 3 ? 6 : 1);
      snprintf(name, sizeof name, "trial %d", trial);
      for (int i = 0; i < 100 && i * took_us < 40e3; i++) {
        launch("fill", 14);
        launch("fill", 14);
        launch(name, took_us);
      }
      wait();
      p.cpu_s += 0.2;
      if (trial % 4 == 3) {
        launch("head", 3300);
        layer("forward", 1);
      }
    }
    assert_true(p.h.spent_s < 0.1);
    size_t first = p.h.n;
    for (int step = 0; step < 45; step++)
      compiled_step();
    double all_s = 0, whole_s = 0;
    for (size_t k = first; k < p.h.n; k++) {
      all_s += p.true_s[k];
      whole_s += p.kernels[k].done ? p.true_s[k] : 0;
    }
    assert_true(whole_s >= 0.9 * all_s);
  }
}

/* A loop of one kernel, which ends before it could come back after others. */
static void test_one_loop(void **state) {
  (void)state;
  start(&usual);
  for (int i = 0; i < 8; i++)
    launch("fill", 10);
  for (int i = 0; i < 1000; i++)
    launch("gemv", 94);
  assert_true(p.kernels[kernel("gemv")].done);
}

/* A benchmark of one kernel in Python, as people write it: inputs are drawn, the kernel warms up, and 200 launches follow. */
static void benchmark(double took_us, double between_us, int launches) {
  start(&usual);
  for (int i = 0; i < 6; i++)
    launch("draw", 20);
  for (int i = 0; i < 3; i++)
    launch("kernel", took_us);
  wait();
  for (int i = 0; i < launches; i++) {
    if (between_us > 0)
      launch("fill", between_us);
    launch("kernel", took_us);
  }
  wait();
}

static void test_benchmark(void **state) {
  (void)state;
  static const double us[] = {12, 90, 900};
  for (size_t i = 0; i < sizeof us / sizeof us[0]; i++) {
    for (int between_us = 0; between_us < 6; between_us += 2) { /* a small result is set to 0 before each */
      benchmark(us[i], between_us, 200);
      assert_true(p.kernels[kernel("kernel")].done && coverage() >= (us[i] > 50 || !between_us ? 0.9 : 0.7));
    }
  }
  benchmark(90, 12, 90); /* these may be trials, before which the L2 is emptied: nothing is spent on them */
  assert_true(p.h.spent_s < 0.1 && !p.kernels[kernel("kernel")].done);

  start(&usual); /* many tensors of one size are drawn, which is not what the program is for */
  launch("load", 3000);
  for (int i = 0; i < 100; i++)
    launch("draw", 20);
  wait();
  assert_true(p.h.spent_s < 0.1 && !p.kernels[kernel("draw")].done);
}

/* Without any grant left over: a round that has begun comes to its end where half as much again is
 * enough, and no more is spent than that. */
static void test_budget(void **state) {
  (void)state;
  struct focus_settings set = usual;
  set.overhead = 0;
  for (int much = 0; much < 2; much++) {
    start(&set);
    p.h.spent_s = FOCUS_GRANT_S - (much ? 0.6 : 0.2); /* as if so much had been spent before */
    for (int step = 0; step < 45; step++)
      training_step();
    assert_true(p.h.spent_s > FOCUS_GRANT_S && p.h.spent_s <= 1.5 * FOCUS_GRANT_S + pass_s + range_s);
    assert_int_equal(coverage() >= 0.9, much);
    assert_true(focus_is_settled(&p.h, p.cpu_s)); /* launches are not watched while nothing can be afforded */
  }
}

/* Another phase: evaluation by other kernels, after counting has ended; it is counted, too. */
static void test_phases(void **state) {
  (void)state;
  start(&usual);
  for (int step = 0; step < 60; step++)
    training_step();
  assert_true(coverage() >= 0.9);
  for (int i = 0; i < 20000; i++)
    launch("evaluate", 200);
  assert_true(p.kernels[kernel("evaluate")].done);
  assert_true(coverage() >= 0.9);
}

/* SGEMM_CUDA: for each of six sizes the product is checked once and then launched 50 times without waiting.  The largest size has 85 % of the time. */
static void test_sizes(void **state) {
  (void)state;
  static const double us[] = {10, 15, 40, 160, 1200, 9000};
  start(&usual);
  for (int size = 0; size < 6; size++) {
    char name[24];
    snprintf(name, sizeof name, "sgemm %d", size);
    launch("cublas", us[size]);
    launch(name, us[size]);
    wait();
    for (int i = 0; i < 50; i++)
      launch(name, us[size]);
    wait();
  }
  assert_true(p.kernels[kernel("sgemm 5")].done);
  assert_true(coverage() >= 0.8);
}

static const struct focus_settings brisk = {
    .coverage = 0.9, .overhead = 0.05, .start_s = -4, .window = 200, .top = 4096, .settle = true, .brisk = true};

/* The same without an interpreter, with the launches as an H200 was seen to have them on
 * 2026-11-26.  Each size has a kernel of cuBLAS of its own, which comes once; or its operands
 * are filled and the product is checked by kernels that all sizes share, so that the largest
 * size finds a round going on with the one that fills. */
static void test_sizes_brisk(void **state) {
  (void)state;
  static const double us[] = {54, 70, 137, 230, 830, 5900}, filled_us[] = {6, 8, 23, 125, 970, 7800};
  for (int fills = 0; fills < 2; fills++) {
    start(&brisk);
    for (int size = 0; size < 6; size++) {
      const double took_us = fills ? filled_us[size] : us[size];
      char name[24], other[24];
      snprintf(name, sizeof name, "sgemm %d", size);
      snprintf(other, sizeof other, "cublas %d", size);
      for (int i = 0; i < 2 && fills; i++)
        launch("fill", 25);
      if (!fills)
        launch(other, took_us / 2);
      launch(name, took_us);
      if (fills)
        launch("check", 10);
      wait();
      for (int i = 0; i < 50; i++)
        launch(name, took_us);
      wait();
    }
    assert_true(p.kernels[kernel("sgemm 5")].done);
    assert_true(coverage() >= 0.8);
  }
}

static void test_one_launch(void **state) {
  (void)state;
  start(&usual);
  launch("only", 100000);
  wait();
  assert_false(focus_is_settled(&p.h, p.cpu_s));
  assert_int_equal(focus_chosen_count(&p.h), 0);
  assert_true(p.h.spent_s == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_training), cmocka_unit_test(test_warm_up),     cmocka_unit_test(test_budget),
      cmocka_unit_test(test_phases),   cmocka_unit_test(test_sizes),       cmocka_unit_test(test_one_launch),
      cmocka_unit_test(test_trials),   cmocka_unit_test(test_sizes_brisk), cmocka_unit_test(test_long_trials),
      cmocka_unit_test(test_one_loop), cmocka_unit_test(test_benchmark),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
