/* What is said of the counters once the program has ended. */
#include "profiler/attach/inside/counting.h"

#include "base/clock.h"

static const double gone_told = 0.01;

/* The share of the GPU time of kernels that were launched last before any could be counted: a warm-up's, an autotuner's trials.  The lock is held. */
static double gone_share(void) {
  const struct focus *h = &injection.focus;
  double gone_s = 0, all_s = 0;
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct kernel *k = &injection.kernels[i];
    const struct focus_kernel *focus = &h->kernels[i];
    bool gone = focus->last <= h->first_round && k->launches - k->in_graphs <= focus->asked && !focus->done;
    all_s += focus->barred ? 0 : focus->total_s;
    gone_s += focus->barred || !gone ? 0 : focus->total_s;
  }
  return h->first_round && all_s > 0 ? gone_s / all_s : 0;
}

/* Says why counters do not cover what they were to, and which flag would have helped. */
static void uncovered_note(void) {
  const struct focus *h = &injection.focus;
  pthread_mutex_lock(&injection.lock);
  focus_tell();
  focus_look(&injection.focus, clock_now_s(), false, 0);
  double gone = h->set.named ? 0 : gone_share(), covered = focus_covered(h, true).all, of_rest = covered / (1 - gone);
  bool lacks = injection.top && !h->set.named && !counting.refused && injection.launches && of_rest < h->set.coverage &&
               focus_chosen_count(h) < (size_t)h->set.top;
  bool broke = !focus_affords(h, clock_now_s());
  unsigned long long asked = h->asked, window = h->set.window;
  double first_s = focus_first_s(h);
  pthread_mutex_unlock(&injection.lock);
  if (gone >= gone_told)
    inject_note(
        "%.1f %% of the GPU time is of kernels that had ended before counting began (a warm-up, an autotuner's trials); counters "
        "cover %.1f %% of the rest",
        100 * gone, 100 * of_rest);
  if (lacks && broke)
    inject_note(
        "counting reached its limit (--overhead) before counters covered %.0f %% of the GPU time: raise --overhead, or add --two-runs, which runs the program twice",
        100 * h->set.coverage);
  else if (lacks && h->state == FOCUS_WATCHES)
    inject_note(
        "the program ended after %llu launch%s, before its kernels were ranked (after %llu launches, or %.0f ms of GPU time), so none was counted: --two-runs runs the program twice and counts in the second run",
        asked, asked == 1 ? "" : "es", window, 1e3 * first_s);
  else if (lacks)
    inject_note(
        "the program ended before its hot kernels were counted: counters cover %.0f %% of the GPU time that can be counted; "
        "--two-runs runs the program twice and counts in the second run",
        100 * of_rest);
}

/* Of two runs: whether all that the first chose has counters. */
static void unlike_note(void) {
  double wanted_s = 0, has_s = 0;
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct focus_kernel *focus = &injection.focus.kernels[i];
    wanted_s += focus->expected_s;
    has_s += focus->done ? focus->expected_s : 0;
  }
  pthread_mutex_unlock(&injection.lock);
  if (injection.chosen_file && !counting.refused && has_s < injection.focus.set.coverage * wanted_s)
    inject_note(
        "%.0f %% of the GPU time of the kernels that the first run chose has counters: they had fewer launches this "
        "time, or in another order; with --replay one launch of each is enough",
        100 * has_s / wanted_s);
}

void counters_sum_up(void) {
  uncovered_note();
  unlike_note();
  if (counting.ready && injection.pass_set.sets)
    inject_note(
        "--split-passes: this rank collected set %ld of %ld of the counters; nvfp4-prof merge joins the sets of all ranks",
        injection.pass_set.set, injection.pass_set.sets);
  if (counting.ready)
    inject_note("counters: %zu passes over %llu launches; counting took %.0f ms, and setting it up %.0f ms",
                counting.config.passes, (unsigned long long)counting.launches, 1e3 * counting.spent_s,
                1e3 * counting.setup_s);
}
