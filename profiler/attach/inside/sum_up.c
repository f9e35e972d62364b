/* What is said of the counters once the program has ended. */
#include "profiler/attach/inside/counting.h"

#include "base/clock.h"

/* Says why counters do not cover what they were to, and which flag would have helped. */
static void uncovered_note(void) {
  const struct focus *h = &injection.focus;
  pthread_mutex_lock(&injection.lock);
  focus_tell();
  focus_look(&injection.focus, clock_now_s(), false, 0);
  bool lacks = injection.top && !h->set.named && !counting.refused && injection.launches &&
               focus_covered(h, true).all < h->set.coverage && focus_chosen_count(h) < (size_t)h->set.top;
  bool broke = !focus_affords(h, clock_now_s());
  unsigned long long asked = h->asked, window = h->set.window;
  double percent = 100 * focus_covered(h, true).all;
  pthread_mutex_unlock(&injection.lock);
  if (lacks && broke)
    inject_note(
        "counting reached its limit (--overhead) before counters covered %.0f %% of the GPU time: raise --overhead, or add --two-runs, which runs the program twice",
        100 * h->set.coverage);
  else if (lacks && !h->began)
    inject_note(
        "the program ended after %llu launch%s, before its kernels were ranked (after %llu launches, or 0.1 s of GPU time), so none was counted: --two-runs runs the program twice and counts in the second run",
        asked, asked == 1 ? "" : "es", window);
  else if (lacks)
    inject_note(
        "the program ended before its hot kernels were counted: counters cover %.0f %% of the GPU time that can be counted; --two-runs runs the program twice and counts in the second run",
        percent);
}

void counters_sum_up(void) {
  uncovered_note();
  if (counting.ready && injection.pass_set.sets)
    inject_note(
        "--split-passes: this rank collected set %ld of %ld of the counters; nvfp4-prof merge joins the sets of all ranks",
        injection.pass_set.set, injection.pass_set.sets);
  if (counting.ready)
    inject_note("counters: %zu passes over %llu launches; counting took %.0f ms, and setting it up %.0f ms",
                counting.config.passes, (unsigned long long)counting.launches, 1e3 * counting.spent_s,
                1e3 * counting.setup_s);
}
