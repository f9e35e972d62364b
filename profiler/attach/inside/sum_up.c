/* What is said of the counters once the program has ended. */
#include "profiler/attach/inside/counting.h"

#include "base/clock.h"
#include "base/cxx_name.h"
#include "base/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The kernel's name without arguments, or the beginning of a long one; NULL where memory ran out. */
static char *short_name(const struct kernel *k) {
  enum { CHARS = 64 };
  size_t n;
  const char *rest;
  char *whole = demangle(k->key.name);
  const char *bare = whole ? cxx_bare(whole, &n, &rest) : NULL;
  char *out = bare ? str_printf("%.*s%s", (int)(n < CHARS ? n : CHARS), bare, n < CHARS ? "" : "...") : NULL;
  free(whole);
  return out;
}

enum { LISTED = 5 };

static bool is_listed(const struct kernel *k) {
  for (const struct kernel *x = injection.kernels; x < k; x++)
    if (strcmp(x->key.name, k->key.name) == 0)
      return true;
  return false;
}

/* "--kernel x matched none of 2 kernels (a, b)".  The lock is held. */
static void unmatched_say(struct text *out) {
  struct text names = {0};
  size_t n = 0;
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct kernel *k = &injection.kernels[i];
    if (is_listed(k) || n++ >= LISTED)
      continue;
    char *name = short_name(k);
    text_printf(&names, "%s%s", names.n ? ", " : "", name ? name : k->key.name);
    free(name);
  }
  text_printf(out, "--kernel %.200s matched none of %zu kernel%s (%s%s): nothing was counted", injection.kernel_pattern,
              n, n == 1 ? "" : "s", text_str(&names), n > LISTED ? ", ..." : "");
  text_release(&names);
}

/* With its domain, or without it. */
static bool range_is(const char *own, const char *name) {
  const char *after = strchr(own, '@');
  return strcmp(own, name) == 0 || (after && strcmp(after + 1, name) == 0);
}

static bool has_range(const char *name) {
  for (size_t i = 0; i < injection.n_ranges; i++)
    if (range_is(injection.ranges[i].name, name))
      return true;
  return false;
}

static void rangeless_say(struct text *out) {
  text_printf(out, "--nvtx %.200s: the program opened no %srange%s", injection.nvtx,
              injection.n_ranges ? "such " : "NVTX ", injection.n_ranges ? "; there are: " : "");
  for (size_t i = 0; i < injection.n_ranges && i < LISTED; i++)
    text_printf(out, "%s%.64s", i ? ", " : "", injection.ranges[i].name);
  text_printf(out, "%s: nothing was counted", injection.n_ranges > LISTED ? ", ..." : "");
}

static bool any_matches(void) {
  for (size_t i = 0; i < injection.n_kernels; i++)
    if (kernel_is_asked_for(&injection.kernels[i]))
      return true;
  return false;
}

/* Of the kernels that were asked for, that of most launches, or, short_of, that of most time among those that were begun and have no whole round. */
static const struct kernel *asked_for(bool short_of) {
  const struct kernel *best = NULL;
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct kernel *k = &injection.kernels[i];
    const struct focus_kernel *focus = focus_of(k);
    if (focus->barred || focus->asked == 0 || !kernel_is_asked_for(k) ||
        (short_of && (focus->rounds || k->replay || k->allocates || k->elsewhere || !(focus->counted || k->sampled))))
      continue;
    if (!best || (short_of ? focus->total_s > focus_of(best)->total_s : focus->asked > focus_of(best)->asked))
      best = k;
  }
  return best;
}

/* True: --launch-skip leaves nothing. */
static bool skip_say(struct text *out) {
  const struct kernel *k = asked_for(false);
  if (!k || focus_of(k)->asked > injection.skip)
    return false;
  char *name = short_name(k);
  text_printf(out,
              "--launch-skip %llu leaves no launch to count: %s has %llu, and no kernel that may be counted has more",
              (unsigned long long)injection.skip, name ? name : k->key.name, (unsigned long long)focus_of(k)->asked);
  free(name);
  return true;
}

static void too_few_say(struct text *out) {
  const struct kernel *k = asked_for(true);
  if (!k)
    return;
  char *name = short_name(k), passes[32] = "";
  if (counting.ready)
    snprintf(passes, sizeof passes, "%zu ", counting.config.passes);
  text_printf(
      out,
      "%s is not counted whole: %llu launch%s of it went to PC samples and %llu to counters, whose %spasses need one each; "
      "--replay repeats one launch for every pass%s",
      name ? name : k->key.name, (unsigned long long)k->sampled, k->sampled == 1 ? "" : "es",
      (unsigned long long)focus_of(k)->counted, passes,
      k->sampled ? ", and --samples off leaves all launches to counters" : "");
  free(name);
}

/* Says why what --kernel or --nvtx names has no counters, or what --launch-skip left of any kernel. */
static bool asked_for_note(void) {
  struct text out = {0};
  bool named = injection.kernel_pattern || injection.nvtx;
  if (!injection.top || counting.refused || !injection.n_kernels || injection.chosen_file)
    return false;
  pthread_mutex_lock(&injection.lock);
  focus_tell();
  if (injection.kernel_pattern && !any_matches())
    unmatched_say(&out);
  else if (injection.nvtx && !has_range(injection.nvtx))
    rangeless_say(&out);
  else if ((!injection.skip || !skip_say(&out)) && named && focus_affords(&injection.focus, clock_now_s()))
    too_few_say(&out);
  pthread_mutex_unlock(&injection.lock);
  if (out.n)
    inject_note("%s", out.s);
  bool said = out.n;
  text_release(&out);
  return said;
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
  char or_time[48] = "";
  if (h->set.settle && !h->set.in_step)
    snprintf(or_time, sizeof or_time, ", or %.0f ms of GPU time", 1e3 * focus_first_s(h));
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
        "the program ended after %llu launch%s, before its kernels were ranked (after %llu launches%s), so none was counted: %s",
        asked, asked == 1 ? "" : "es", window, or_time,
        h->set.settle ? "--two-runs runs the program twice and counts in the second run"
                      : "a smaller --window counts sooner");
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
  if (!asked_for_note())
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
