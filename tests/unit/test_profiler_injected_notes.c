/* What the injected library says, and whose it is: notes, why counters do not cover what they were to, and children. */
#include "injected.h"
#include "profiler/attach/inside/counting.h"

#include "base/clock.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void forget(void) {
  for (size_t i = 0; i < injection.n_notes; i++)
    free(injection.notes[i]);
  injection.n_notes = 0;
}

static void said(const char *const *notes, size_t n) {
  for (size_t i = 0; i < n && i < injection.n_notes; i++)
    assert_string_equal(injection.notes[i], notes[i]);
  assert_int_equal(injection.n_notes, n);
}

static void test_note(void **state) {
  (void)state;
  injection.dirty = false;
  inject_note("%d of %s", 3, "four");
  assert_true(injection.dirty);
  injection.dirty = false;
  inject_note_locked("3 of four");
  assert_false(injection.dirty);
  inject_note_locked("another");
  static const char *const both[] = {"3 of four", "another"};
  said(both, 2);
  for (int i = 0; i < 2 * NOTES_MAX; i++)
    inject_note("note %d", i);
  assert_int_equal(injection.n_notes, NOTES_MAX);
  assert_string_equal(injection.notes[NOTES_MAX - 1], "note 29");
  forget();
}

static int answer_of_child(void) {
  int status = 0;
  pid_t pid = fork();
  if (pid == 0)
    _exit(process_is_child() ? 7 : 8);
  waitpid(pid, &status, 0);
  return WEXITSTATUS(status);
}

/* Not by every emulator of another processor. */
static bool a_fork_wipes(void) {
  size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
  char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int status = 0;
  if (page == MAP_FAILED || madvise(page, bytes, MADV_WIPEONFORK))
    return false;
  page[0] = 1;
  pid_t pid = fork();
  if (pid == 0)
    _exit(page[0]);
  waitpid(pid, &status, 0);
  munmap(page, bytes);
  return WEXITSTATUS(status) == 0;
}

static void test_child(void **state) {
  (void)state;
  if (!a_fork_wipes())
    skip();
  assert_false(process_is_child());
  assert_int_equal(answer_of_child(), 8); /* nothing has begun */
  process_begin();
  assert_int_equal(injection.pid, getpid());
  assert_false(process_is_child());
  assert_int_equal(answer_of_child(), 7);
}

static int signals;

static void on_signal(int signal) {
  (void)signal;
  signals++;
}

static void *tell_mask(void *to) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  atomic_store((atomic_int *)to, 1 + sigismember(&mask, SIGTERM) + 2 * sigismember(&mask, SIGSEGV));
  return NULL;
}

/* The library's threads leave SIGTERM to the program's, and a fault of theirs to the program's handler; who begins one keeps its mask. */
static void test_thread(void **state) {
  (void)state;
  static atomic_int told;
  sigset_t mask;
  assert_true(thread_begin(tell_mask, &told));
  while (!atomic_load(&told))
    usleep(1000);
  assert_int_equal(told, 2);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  assert_false(sigismember(&mask, SIGTERM));
}

/* A signal that comes of the library's own write is taken; one that was blocked by the program stays. */
static void test_file_limit(void **state) {
  (void)state;
  sigset_t before, pending, own;
  signal(SIGXFSZ, on_signal);
  file_limit_hold(&before);
  raise(SIGXFSZ);
  file_limit_release(&before);
  assert_int_equal(signals, 0);
  raise(SIGXFSZ); /* which the program gets as before */
  assert_int_equal(signals, 1);
  sigemptyset(&own);
  sigaddset(&own, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &own, NULL);
  file_limit_hold(&before);
  raise(SIGXFSZ);
  file_limit_release(&before);
  sigpending(&pending);
  assert_true(sigismember(&pending, SIGXFSZ));
  sigprocmask(SIG_UNBLOCK, &own, NULL);
  assert_int_equal(signals, 2);
  signal(SIGXFSZ, SIG_DFL);
}

static CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
static int waits;

static CUresult exchange(CUstreamCaptureMode *with) {
  CUstreamCaptureMode was = mode;
  mode = *with;
  *with = was;
  return CUDA_SUCCESS;
}

static CUresult synchronize(void) {
  waits++;
  if (injection.exchange_capture_mode)
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
  return CUDA_ERROR_ILLEGAL_ADDRESS;
}

/* In the mode that ends no capture, and the program's own afterwards. */
static void test_gpu_wait(void **state) {
  (void)state;
  injection.driver.cuCtxSynchronize = synchronize;
  assert_int_equal(gpu_wait(), CUDA_ERROR_ILLEGAL_ADDRESS);
  injection.exchange_capture_mode = exchange;
  assert_int_equal(gpu_wait(), CUDA_ERROR_ILLEGAL_ADDRESS);
  assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  assert_int_equal(waits, 2);
}

/* --- the sum --- */

static struct kernel *first, *second, *barred;

/* 4 launches of 1 ms that have their counters, 6 of 1 ms that have not, and a collective's. */
static int begin(void **state) {
  tables_begin(state);
  injection.top = LONG_MAX;
  injection.launches = 10;
  injection.focus.set = (struct focus_settings){
      .coverage = 0.9, .overhead = INFINITY, .start_s = clock_now_s(), .window = 200, .top = 100};
  first = kernel_named("first"), second = kernel_named("second"), barred = kernel_named("ncclDevKernel_AllReduce");
  first->launches = 4, first->total_ns = 4e6;
  second->launches = 6, second->total_ns = 6e6;
  barred->launches = 10, barred->total_ns = 90e6;
  focus_of(first)->done = true;
  focus_of(first)->asked = 4;
  focus_of(second)->asked = 6;
  injection.focus.asked = 10;
  return 0;
}

/* What is said, without what depends on what was said before. */
static void sums_up(const char *const *notes, size_t n) {
  forget();
  counters_sum_up();
  said(notes, n);
  forget();
}

static void test_not_ranked(void **state) {
  (void)state;
  static const char *const
      many[] =
          {"the program ended after 10 launches, before its kernels were ranked (after 200 launches, or 100 ms of GPU time), so none was counted: "
           "--two-runs runs the program twice and counts in the second run"},
      *const one[] = {
          "the program ended after 1 launch, before its kernels were ranked (after 200 launches, or 100 ms of GPU "
          "time), so none was counted: --two-runs runs the program twice and counts in the second run"};
  static const char *const window[] = {
      "the program ended after 10 launches, before its kernels were ranked (after 200 launches), so none was counted: a "
      "smaller --window counts sooner"};
  sums_up(window, 1);
  injection.focus.set.settle = true; /* no --window was given */
  sums_up(many, 1);
  injection.focus.asked = 1;
  sums_up(one, 1);
  injection.focus.asked = 10;
  injection.top = 0; /* nobody wants counters */
  sums_up(NULL, 0);
  injection.top = 1;
  injection.launches = 0;
  sums_up(NULL, 0);
  injection.launches = 10;
  counting.refused = true; /* which was said as it happened */
  sums_up(NULL, 0);
  counting.refused = false;
  injection.focus.set.named = true;
  sums_up(NULL, 0);
  injection.focus.set.named = false;
  injection.focus.set.coverage = 0.4; /* it was reached */
  sums_up(NULL, 0);
  injection.focus.set.coverage = 0.41;
  sums_up(many, 1);
  injection.focus.set.coverage = 0.9;
}

/* What was asked for by name has no counters: no such kernel, no such range, more skipped than there are, too few launches. */
static void test_asked_for(void **state) {
  (void)state;
  static const char *const
      none[] = {"--kernel x|y matched none of 3 kernels (first, second, ncclDevKernel_AllReduce): nothing was counted"},
      *const no_range[] = {"--nvtx layr: the program opened no NVTX range: nothing was counted"},
      *const other_range[] = {"--nvtx layr: the program opened no such range; there are: layer: nothing was counted"},
      *const skips[] =
          {"--launch-skip 6 leaves no launch to count: second has 6, and no kernel that may be counted has more"},
      *const too_few[] =
          {"second is not counted whole: 5 launches of it went to PC samples and 1 to counters, whose passes "
           "need one each; --replay repeats one launch for every pass, and --samples off leaves all launches to "
           "counters"},
      *const counted_few[] = {
          "second is not counted whole: 0 launches of it went to PC samples and 1 to counters, whose "
          "passes need one each; --replay repeats one launch for every pass"};
  focus_of(barred)->barred = true;
  injection.focus.set.named = true;
  injection.kernel_pattern = "x|y";
  assert_int_equal(regcomp(&injection.kernel_regex, "x|y", REG_EXTENDED), 0);
  sums_up(none, 1);
  regfree(&injection.kernel_regex);
  injection.kernel_pattern = NULL;
  injection.nvtx = "layr";
  sums_up(no_range, 1);
  injection.ranges[injection.n_ranges++] = (struct range_record){.name = (char *)(size_t) "layer"};
  sums_up(other_range, 1);
  injection.ranges[0].name = (char *)(size_t) "lib@layr";
  sums_up(NULL, 0);
  injection.n_ranges = 0;
  injection.nvtx = NULL;
  injection.kernel_pattern = "sec";
  assert_int_equal(regcomp(&injection.kernel_regex, "sec", REG_EXTENDED), 0);
  sums_up(NULL, 0); /* none was begun: on another GPU, say */
  focus_of(second)->counted = 1;
  sums_up(counted_few, 1);
  second->sampled = 5;
  sums_up(too_few, 1);
  injection.skip = 5;
  sums_up(too_few, 1);
  injection.skip = 6;
  sums_up(skips, 1);
  injection.kernel_pattern = NULL;
  regfree(&injection.kernel_regex);
  injection.focus.set.named = false;
  sums_up(skips, 1); /* of those that time chooses, too */
  injection.skip = 0;
  second->sampled = focus_of(second)->counted = 0;
  focus_of(barred)->barred = false;
}

static void test_uncovered(void **state) {
  (void)state;
  static const char *const
      ended[] =
          {"the program ended before its hot kernels were counted: counters cover 40 % of the GPU time that can be "
           "counted; --two-runs runs the program twice and counts in the second run"},
      *const broke[] = {"counting reached its limit (--overhead) before counters covered 90 % of the GPU time: raise "
                        "--overhead, or add --two-runs, which runs the program twice"};
  injection.focus.state = FOCUS_CHOSE;
  sums_up(ended, 1);
  injection.focus.set.overhead = 0.01;
  injection.focus.spent_s = 1e9;
  sums_up(broke, 1);
  injection.focus.set.overhead = INFINITY;
  injection.focus.set.top = 0; /* no more were to be chosen */
  sums_up(NULL, 0);
  injection.focus.set.top = 100;
}

/* The second came last before the first round began: of the rest all is counted. */
static void test_gone(void **state) {
  (void)state;
  static const char *const
      gone[] = {"60.0 % of the GPU time is of kernels that had ended before counting began (a warm-up, an autotuner's "
                "trials); counters cover 100.0 % of the rest"},
      *const ended[] = {
          "the program ended before its hot kernels were counted: counters cover 40 % of the GPU time that can "
          "be counted; --two-runs runs the program twice and counts in the second run"};
  injection.focus.first_round = 7;
  focus_of(first)->last = 10;
  focus_of(second)->last = 7;
  sums_up(gone, 1);
  focus_of(second)->last = 8; /* it came once more */
  sums_up(ended, 1);
  focus_of(second)->last = 7;
  second->launches = 7, second->total_ns = 7e6; /* and so it did, while launches were not watched: 7 of 11 ms */
  static const char *const unseen[] = {
      "the program ended before its hot kernels were counted: counters cover 36 % of the GPU time that can "
      "be counted; --two-runs runs the program twice and counts in the second run"};
  sums_up(unseen, 1);
  second->in_graphs = 1; /* no, that one was a graph's */
  sums_up(gone, 1);
  second->launches = 6, second->total_ns = 6e6, second->in_graphs = 0;
  focus_of(second)->done = true;
  sums_up(NULL, 0);
  focus_of(second)->done = false;
  second->total_ns = 0.03e6; /* 30 us of 4.03 ms: too little to tell */
  sums_up(NULL, 0);
  second->total_ns = 6e6;
  injection.focus.first_round = 0; /* no round ever began */
  sums_up(ended, 1);
}

static void test_counted(void **state) {
  (void)state;
  static const char *const notes[] = {
      "--split-passes: this rank collected set 2 of 4 of the counters; nvfp4-prof merge joins the sets of all ranks",
      "counters: 13 passes over 26 launches; counting took 1500 ms, and setting it up 300 ms"};
  injection.focus.set.coverage = 0.1;
  injection.pass_set = (struct pass_set){2, 4};
  sums_up(NULL, 0); /* nothing was set up */
  counting.ready = true;
  counting.config.passes = 13;
  counting.launches = 26;
  counting.spent_s = 1.5;
  counting.setup_s = 0.3;
  sums_up(notes, 2);
  injection.pass_set = (struct pass_set){0};
  sums_up(notes + 1, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_note),       cmocka_unit_test(test_child),     cmocka_unit_test(test_thread),
      cmocka_unit_test(test_file_limit), cmocka_unit_test(test_gpu_wait),  cmocka_unit_test(test_not_ranked),
      cmocka_unit_test(test_asked_for),  cmocka_unit_test(test_uncovered), cmocka_unit_test(test_gone),
      cmocka_unit_test(test_counted),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
