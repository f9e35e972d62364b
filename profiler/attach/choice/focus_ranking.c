#include "profiler/attach/choice/focus.h"

#include <math.h>

enum {
  PATIENCE = 16,      /* launches for which any kernel is waited for, on top of what its own rhythm takes */
  GAP_UNKNOWN = 1024, /* of a kernel that has not come while launches were watched */
  LOOK_GAP = 16,      /* launches between two looks for the sake of new kernels */
  APART = 8,          /* launches of others after which a kernel has come back; between trials a buffer is filled */
  STAYS = 2,          /* times that it came back: it is no trial */
  ROW = 64, /* launches of one kernel with a few short ones between: a benchmark's, of which there may be 100 more */
  UNSETTLED_LAUNCHES =
      16384, /* or so much GPU time, after which a program is counted whose kernels change all the time */
  UNSETTLED_TRIALS =
      8, /* so many times as long, where they come in rows: a compiler that tries all products out takes seconds */
};
static const double unsettled_s = 1,
                    settled_share =
                        0.8, /* of the time that kernels had when they were chosen they still have: the ranking holds */
    new_share = 0.1,         /* of launches that are of new kernels, with which it holds */
    looks_share = 0.01, looks_grant_s = 0.02, /* what looks for new kernels may take */
    long_s = 1e-3,                            /* of a launch: of a kernel that takes longer there may be few */
    fill_s =
        8e-6, /* what comes between is as short: to empty an L2 between two trials takes longer (50 MB, 12 us on an H200) */
    small_share = 0.005, /* of a kernel that is not worth a pass for the sake of the time that is past */
    ranked_share = 0.02, /* of all GPU time, after which it is ranked again */
    half_life = 0.25,    /* of all GPU time so far */
    finish_times = 1.5;  /* what may be spent before a round begins: one that is ended in the middle is for nothing */

/* Launches may be queued faster than they run: they are waited for after `look` of them, then
 * twice as many, and so on.  Kernels are chosen after first_s of GPU time, where the window has
 * not ended by then.  After mark_s more, or so many launches, it is seen whether the ranking
 * holds: a compiler's or a library's trials are to be over by then.  A program that tries out
 * nothing is counted at once: benchmarks of 100 launches of one kernel, then of another, have no
 * ranking that holds. */
static const struct pace {
  uint64_t look;
  double first_s, grant_s;
} patient = {16, 0.1, FOCUS_GRANT_S}, brisk = {2, 0.01, FOCUS_BRISK_GRANT_S};
static const double mark_s = 0.05;
static const uint64_t mark_launches = 1024;

static const struct pace *pace(const struct focus *h) {
  return h->set.brisk ? &brisk : &patient;
}

double focus_first_s(const struct focus *h) {
  return pace(h)->first_s;
}

void focus_start(struct focus *h, const struct focus_settings *set, struct focus_kernel *kernels) {
  *h = (struct focus){.set = *set, .kernels = kernels, .due = FOCUS_NONE};
  h->next_look = pace(h)->look;
}

size_t focus_add(struct focus *h) {
  h->kernels[h->n] = (struct focus_kernel){.asked = 0};
  return h->n++;
}

void focus_asked(struct focus *h, size_t k) {
  struct focus_kernel *kernel = &h->kernels[k];
  uint64_t gap = ++h->asked - kernel->last;
  kernel->in_row = kernel->asked && gap <= APART ? kernel->in_row + 1 : 1;
  h->row_is_due = h->row_is_due || (kernel->in_row % ROW == 0 && 2 * kernel->total_s >= h->all_s);
  /* Kernels come in bursts, six in the backward pass and then none for a step: the longest gap tells, and is forgotten slowly. */
  kernel->returns += kernel->asked && gap > APART;
  if (kernel->asked)
    kernel->gap = gap > kernel->gap ? gap : kernel->gap - (kernel->gap - gap) / 16;
  kernel->last = h->asked;
  if (kernel->asked++ == 0)
    kernel->first = h->asked;
  kernel->lapsed = kernel->lapsed && kernel->has_slot; /* it comes again */
  if (kernel->mean_s > 0)
    h->asked_s += kernel->barred ? 0 : kernel->mean_s; /* a collective's is what this rank waits for another */
  else if (h->state != FOCUS_WATCHES)
    kernel->untold++;
  if (kernel->asked > 1 && kernel->mean_s <= 0 && !kernel->asked_for && !kernel->barred) {
    kernel->asked_for = true;
    h->unknown++;
  }
}

uint64_t focus_left(const struct focus_kernel *k, uint64_t skip) {
  uint64_t before = k->skip > skip ? k->skip : skip;
  before = k->asked > before ? k->asked - 1 : before;
  return k->expected > before ? k->expected - before : 0;
}

bool focus_look_is_due(const struct focus *h, double now_s) {
  if (h->set.named)
    return false;
  bool early = h->set.settle && !h->set.in_step;
  if (h->state == FOCUS_WATCHES)
    return h->asked >= h->set.window || (early && (h->asked >= h->next_look || h->row_is_due ||
                                                   h->all_s + h->asked_s - h->ranked_s >= pace(h)->first_s));
  if (h->set.settle && h->state == FOCUS_CHOSE && (h->asked >= h->next_look || (early && h->row_is_due)))
    return true;
  return h->unknown && h->asked - h->looked_at >= LOOK_GAP &&
         h->looks_s <= looks_grant_s + looks_share * (now_s - h->began_s);
}

bool focus_rank_is_due(const struct focus *h) {
  return !h->set.named && h->state != FOCUS_WATCHES && h->asked_s - h->ranked_s > ranked_share * h->all_s;
}

/* Launches whose mean is known by now have their time: a burst of a new kernel is as long as it is, however late it is told of. */
static void untold_add(struct focus *h) {
  for (size_t i = 0; i < h->n; i++) {
    struct focus_kernel *k = &h->kernels[i];
    if (!k->untold || k->mean_s <= 0)
      continue;
    h->asked_s += k->barred ? 0 : (double)k->untold * k->mean_s;
    k->untold = 0;
  }
}

/* What is new in the times goes into the ranking. */
static void fold(struct focus *h) {
  double fresh_s = 0, all_s = 0;
  for (size_t i = 0; i < h->n; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    fresh_s += k->barred ? 0 : k->total_s - k->added_s;
    all_s += k->barred ? 0 : k->total_s;
  }
  double left = fresh_s > 0 ? exp2(-fresh_s / (half_life * all_s)) : 1;
  for (size_t i = 0; i < h->n; i++) {
    struct focus_kernel *k = &h->kernels[i];
    k->grew = k->total_s > k->added_s;
    k->recent_s = k->recent_s * left + k->total_s - k->added_s;
    k->added_s = k->total_s;
  }
  h->all_s = all_s;
  h->ranked_s = h->asked_s;
}

/* Whether the kernels that were chosen by the last mark still have their share of the time, and few launches are of kernels that are new since.  Those of a
 * warm-up, or an autotuner's trials, come one after another, and none is waited for; the buffer that is filled between trials has most of some marks'
 * time. */
static bool ranking_holds(const struct focus *h) {
  double chosen_s = 0, all_s = 0;
  uint64_t new_asked = 0;
  for (size_t i = 0; i < h->n; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    double fresh_s = k->barred ? 0 : k->total_s - k->marked_s;
    all_s += fresh_s;
    chosen_s += k->marked ? fresh_s : 0;
    new_asked += k->first > h->marked_asked ? k->asked : 0;
  }
  return all_s > 0 && chosen_s >= settled_share * h->marked_share * all_s &&
         (double)new_asked <= new_share * (double)(h->asked - h->marked_asked);
}

/* Whether kernels still come in rows, one row after the other: most of the time since the mark is of kernels that have not come back after others, and several
 * are new since the mark before; one is the program's next phase.  A trial may last longer than from one mark to the next. */
static bool tries_out(const struct focus *h) {
  double stays_s = 0, all_s = 0;
  size_t newcomers = 0;
  for (size_t i = 0; i < h->n; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    double fresh_s = k->barred ? 0 : k->total_s - k->marked_s;
    all_s += fresh_s;
    stays_s += k->returns >= STAYS ? fresh_s : 0;
    newcomers += k->first > h->marked_before;
  }
  return newcomers > 1 && stays_s < all_s / 2;
}

uint64_t focus_patience(const struct focus_kernel *k) {
  uint64_t gap = k->asked > 1 ? k->gap : k->asked ? k->first : GAP_UNKNOWN, wait = 2 * gap + PATIENCE;
  return wait < FOCUS_PATIENCE_MAX ? wait : FOCUS_PATIENCE_MAX;
}

bool focus_comes(const struct focus *h, size_t k) {
  const struct focus_kernel *kernel = &h->kernels[k];
  return !kernel->asked || h->asked - kernel->last <= focus_patience(kernel);
}

/* Whether the kernel is one to be counted from now on. */
static bool is_current(const struct focus *h, size_t k) {
  return !h->kernels[k].barred && (focus_comes(h, k) || h->kernels[k].grew);
}

static double recent_sum(const struct focus *h) {
  double sum_s = 0;
  for (size_t i = 0; i < h->n; i++)
    sum_s += is_current(h, i) ? h->kernels[i].recent_s : 0;
  return sum_s;
}

struct focus_shares focus_covered(const struct focus *h, bool whole) {
  double now_s = 0, all_s = 0, total_s = 0, recent_s = recent_sum(h);
  for (size_t i = 0; i < h->n; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    bool covers = !k->barred && (whole ? k->done : k->chosen);
    total_s += k->barred ? 0 : k->total_s;
    now_s += covers && is_current(h, i) ? k->recent_s : 0;
    all_s += covers ? k->total_s : 0;
  }
  return (struct focus_shares){recent_s > 0 ? now_s / recent_s : 0, total_s > 0 ? all_s / total_s : 0};
}

size_t focus_chosen_count(const struct focus *h) {
  size_t n = 0;
  for (size_t i = 0; i < h->n; i++)
    n += h->kernels[i].chosen && !h->kernels[i].barred && (h->kernels[i].counted || is_current(h, i));
  return n;
}

static void mark(struct focus *h) {
  for (size_t i = 0; i < h->n; i++) {
    h->kernels[i].marked_s = h->kernels[i].total_s;
    h->kernels[i].marked = h->kernels[i].chosen;
  }
  h->marked_share = focus_covered(h, false).now;
  h->marked_s = h->asked_s;
  h->marked_before = h->marked_asked ? h->marked_asked : h->asked;
  h->marked_asked = h->asked;
}

/* True: it was time to see whether the ranking holds.  at_launch: so many launches were asked for that a look was due. */
static bool settle(struct focus *h, bool at_launch) {
  if (h->state == FOCUS_HOLDS || (h->set.in_step && !at_launch) ||
      (h->asked_s - h->marked_s < mark_s && h->asked - h->marked_asked < mark_launches))
    return false;
  h->tries_out = tries_out(h);
  h->state = ranking_holds(h) && !h->tries_out ? FOCUS_HOLDS : FOCUS_CHOSE;
  return true;
}

static struct focus_kernel *hottest(const struct focus *h) {
  struct focus_kernel *best = NULL;
  for (size_t i = 0; i < h->n; i++) {
    struct focus_kernel *k = &h->kernels[i];
    if (!k->chosen && is_current(h, i) && k->recent_s > (best ? best->recent_s : 0))
      best = k;
  }
  return best;
}

/* A little more is chosen than is to be covered: shares move.  True: a kernel of long launches is
 * among those that are new. */
static bool choose(struct focus *h) {
  bool long_one = false;
  double wanted = h->set.coverage + (1 - h->set.coverage) / 4, recent_s = recent_sum(h);
  for (long n = (long)focus_chosen_count(h); n < h->set.top; n++) {
    struct focus_shares has = focus_covered(h, false);
    struct focus_kernel *k = hottest(h);
    if (!k || (has.now >= wanted && (has.all >= wanted || k->recent_s < small_share * recent_s)))
      break;
    k->chosen = true;
    long_one = long_one || k->mean_s >= long_s;
  }
  return long_one;
}

static uint64_t look_after_next(const struct focus *h) {
  return 2 * (h->asked > h->set.window ? h->asked : h->set.window);
}

/* Whether the last launches are of a kernel that most of the GPU time so far is of, with a few short ones between, as a buffer that is set to 0. */
static bool row_rules(const struct focus *h) {
  const struct focus_kernel *row = NULL;
  for (size_t i = 0; i < h->n && h->set.settle && !h->set.in_step; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    if (!k->barred && k->in_row >= ROW && h->asked - k->last < APART && k->total_s > h->all_s / 2)
      row = k;
  }
  for (size_t i = 0; i < h->n && row; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    if (k != row && k->asked && h->asked - k->last < ROW / 2 && k->mean_s >= fill_s)
      row = NULL;
  }
  return row;
}

/* FOCUS_WATCHES: after the window, or enough GPU time, the first kernels are chosen.  A kernel that is launched in a row is counted at once, here and after that. */
static void look_at_first(struct focus *h, double now_s, bool at_launch) {
  bool rules = row_rules(h), early = rules || (h->set.settle && !h->set.in_step && h->all_s >= pace(h)->first_s);
  if (at_launch)
    h->next_look = 2 * h->asked;
  if (h->set.named || (h->asked < h->set.window && !early))
    return;
  h->next_look = look_after_next(h);
  h->state = rules ? FOCUS_HOLDS : FOCUS_CHOSE;
  h->began_s = now_s;
  h->began_asked = h->asked;
  h->asked_s = h->ranked_s = 0;
  choose(h);
  mark(h);
}

/* FOCUS_CHOSE, FOCUS_HOLDS: whether the ranking holds, and who is to be counted, too. */
static void look_again(struct focus *h, bool at_launch) {
  if (at_launch)
    h->next_look = look_after_next(h);
  bool was_time = settle(h, at_launch), long_one = choose(h);
  /* With a kernel of long launches the ranking is another, which is not waited for: of a benchmark's 50 that are queued at once 13 are to be left. */
  if (was_time || (long_one && h->state == FOCUS_CHOSE && !h->set.in_step))
    mark(h);
  if (h->state == FOCUS_CHOSE && row_rules(h))
    h->state = FOCUS_HOLDS;
}

void focus_look(struct focus *h, double now_s, bool waited, double cost_s) {
  untold_add(h);
  fold(h);
  h->looks_s += cost_s;
  h->spent_s += cost_s;
  if (waited) {
    h->row_is_due = false;
    h->unknown = 0;
    h->looked_at = h->asked;
  }
  bool at_launch = waited && h->asked >= h->next_look;
  if (h->state == FOCUS_WATCHES)
    look_at_first(h, now_s, at_launch);
  else
    look_again(h, at_launch);
}

bool focus_may_count(struct focus *h) {
  if (h->set.named)
    return true;
  uint64_t times = h->tries_out ? UNSETTLED_TRIALS : 1;
  bool long_enough = !h->set.in_step && h->asked_s >= (double)times * unsettled_s;
  if (h->state == FOCUS_CHOSE &&
      (!h->set.settle || h->set.brisk || long_enough || h->asked - h->began_asked >= times * UNSETTLED_LAUNCHES))
    h->state = FOCUS_HOLDS;
  return h->state == FOCUS_HOLDS;
}

static bool spent_within(const struct focus *h, double now_s, double times) {
  return isinf(h->set.overhead) ||
         h->spent_s <= times * (pace(h)->grant_s + h->set.overhead * (now_s - h->set.start_s));
}

bool focus_affords(const struct focus *h, double now_s) {
  return spent_within(h, now_s, 1);
}

bool focus_finishes(const struct focus *h, double now_s) {
  bool begun = false;
  for (size_t i = 0; i < h->n_slots; i++)
    begun = begun || (h->slots[i] != FOCUS_NONE && h->kernels[h->slots[i]].in_round);
  return begun && spent_within(h, now_s, finish_times);
}

bool focus_is_settled(const struct focus *h, double now_s) {
  struct focus_shares whole = focus_covered(h, true);
  double recent_s = recent_sum(h);
  if (h->set.named || h->state == FOCUS_WATCHES || (h->set.settle && h->state == FOCUS_CHOSE))
    return false;
  if (focus_finishes(h, now_s))
    return false;
  if (!focus_affords(h, now_s) || (whole.now >= h->set.coverage && whole.all >= h->set.coverage))
    return true;
  for (size_t i = 0; i < h->n; i++) {
    const struct focus_kernel *k = &h->kernels[i];
    if (k->chosen && !k->done && is_current(h, i) && !k->given_up && k->recent_s >= small_share * recent_s)
      return false;
  }
  return true;
}
