#include "profiler/attach/choice/focus.h"

enum {
  TRIES_MAX = 4,     /* rounds of which a kernel had none whole, after which it is left */
  REST_LAUNCHES = 4, /* that go by uncounted after a pass has changed, unless fewer take REST_S */
  OFTEN = 128,       /* launches of a kernel of which some may */
};
/* To change passes leaves some 14 MB dirty in the L2 of an H100, and to turn its 50 MB over takes 17 us (recorded/notes/attach.md): a long kernel's
 * bytes are many times these. */
static const double REST_S = 30e-6, LONG_S = 300e-6;

static uint64_t all_passes_of(const struct focus *h) {
  return UINT64_MAX >> (FOCUS_PASSES_MAX - h->passes);
}

/* Fewer launches than a round has passes would leave counters out. */
bool focus_wants_more(const struct focus *h, size_t k) {
  const struct focus_kernel *kernel = &h->kernels[k];
  bool whole = kernel->rounds > 0 || (h->passes && kernel->in_round == all_passes_of(h));
  return !kernel->done && (h->set.count == 0 || kernel->counted < h->set.count || !whole);
}

bool focus_is_seen(const struct focus *h, size_t k) {
  return h->kernels[k].in_round >> h->pass & 1;
}

/* Nobody is waited for longer than the hottest kernels, which have half of the time of those in the round, need: a pass is theirs first. */
static uint64_t patience_most(const struct focus *h) {
  double all_s = 0, taken_s = 0;
  uint64_t most = 0;
  bool taken[FOCUS_SLOTS_MAX] = {false};
  for (size_t i = 0; i < h->n_slots; i++)
    all_s += h->slots[i] == FOCUS_NONE ? 0 : h->kernels[h->slots[i]].recent_s;
  while (all_s > 0 && taken_s < all_s / 2) {
    size_t best = h->n_slots;
    for (size_t i = 0; i < h->n_slots; i++)
      if (!taken[i] && h->slots[i] != FOCUS_NONE &&
          (best == h->n_slots || h->kernels[h->slots[i]].recent_s > h->kernels[h->slots[best]].recent_s))
        best = i;
    const struct focus_kernel *k = &h->kernels[h->slots[best]];
    taken[best] = true;
    taken_s += k->recent_s;
    most = focus_patience(k) > most ? focus_patience(k) : most;
  }
  return most ? most : FOCUS_PATIENCE_MAX;
}

static uint64_t patience(const struct focus *h, const struct focus_kernel *k) {
  uint64_t own = focus_patience(k);
  return own < h->patience_most ? own : h->patience_most;
}

/* Whether passes are to wait for it.  One that comes and cannot be counted, in another context say, is not waited for either. */
static bool is_expected(const struct focus *h, size_t k) {
  const struct focus_kernel *kernel = &h->kernels[k];
  return focus_wants_more(h, k) && !kernel->lapsed && focus_comes(h, k) &&
         (focus_is_seen(h, k) || h->asked - h->pass_began <= patience(h, kernel));
}

static bool round_expects(const struct focus *h, bool unseen_only) {
  for (size_t i = 0; i < h->n_slots; i++)
    if (h->slots[i] != FOCUS_NONE && is_expected(h, (size_t)h->slots[i]) &&
        !(unseen_only && focus_is_seen(h, (size_t)h->slots[i])))
      return true;
  return false;
}

bool focus_pass_is_whole(const struct focus *h) {
  return !round_expects(h, true);
}

static bool slot_is_free(const struct focus *h) {
  for (size_t i = 0; i < h->n_slots; i++)
    if (h->slots[i] == FOCUS_NONE)
      return true;
  return false;
}

/* Whether a kernel may join the round: later than in its first pass it would lack what was before, and is let in only where it is not known what else
 * will come. */
static bool round_takes(const struct focus *h) {
  return slot_is_free(h) && (h->pass == 0 || h->set.unknown);
}

/* Whether the kernel has more of the time than all that the round is still for. */
static bool outweighs_round(const struct focus *h, size_t k) {
  double round_s = 0;
  for (size_t i = 0; i < h->n_slots; i++)
    if (h->slots[i] != FOCUS_NONE && is_expected(h, (size_t)h->slots[i]))
      round_s += h->kernels[h->slots[i]].recent_s;
  return h->kernels[k].recent_s > round_s;
}

/* Who is in the round makes room as it ends, and is let into the next where it comes again in
 * its first pass. */
static void round_lapse(struct focus *h) {
  for (size_t i = 0; i < h->n_slots; i++)
    if (h->slots[i] != FOCUS_NONE)
      h->kernels[h->slots[i]].lapsed = true;
}

/* It has as many launches left as the round has passes after this one: the others are not waited for. */
static bool runs_out(const struct focus *h, const struct focus_kernel *k) {
  return k->expected && focus_left(k, 0) < h->passes - h->pass;
}

/* Of a launch; 0: not known. */
static double mean_of(const struct focus_kernel *k) {
  return k->mean_s > 0 || k->expected == 0 ? k->mean_s : k->expected_s / (double)k->expected;
}

/* What ran often runs on: of so many launches a quarter may go by.  Where all of a kernel's are known, twice as many are asked for: a program of eight
 * kernels whose launches come in eight bursts each has none to spare. */
static bool has_spare(const struct focus *h, const struct focus_kernel *k) {
  uint64_t known = k->expected ? k->expected : k->asked;
  bool enough = !k->expected || focus_left(k, 0) > (REST_LAUNCHES + 2) * (h->passes - h->pass);
  return enough && known >= (k->expected ? 2 * OFTEN : OFTEN) && k->let_go < known / 4;
}

static bool may_rest(const struct focus *h, const struct focus_kernel *k) {
  double mean_s = mean_of(k);
  return mean_s > 0 && mean_s < LONG_S && !k->alone && has_spare(h, k);
}

bool focus_is_rested(struct focus *h, size_t k) {
  struct focus_kernel *kernel = &h->kernels[k];
  bool rested = !may_rest(h, kernel) || h->asked > h->switched + REST_LAUNCHES ||
                h->asked_s - h->switched_s - kernel->mean_s >= REST_S;
  kernel->let_go += !rested;
  return rested;
}

static void pass_switched(struct focus *h) {
  const struct focus_kernel *next = h->due == FOCUS_NONE ? NULL : &h->kernels[h->due];
  h->pass_began = h->asked;
  h->switched = h->asked - (next != NULL);
  h->switched_s = h->asked_s - (next ? next->mean_s : 0);
}

static enum focus_verdict verdict_of(struct focus *h, size_t k, double now_s) {
  const struct focus_kernel *kernel = &h->kernels[k];
  if (kernel->barred || kernel->given_up || !focus_wants_more(h, k))
    return FOCUS_LEAVE;
  bool affords = focus_affords(h, now_s) || (kernel->has_slot && focus_finishes(h, now_s));
  if (!affords || (focus_round_is_open(h) && !focus_is_rested(h, k))) {
    h->pass_began = h->asked; /* who is not seen for that is not late */
    return FOCUS_LEAVE;
  }
  /* One that is run again for every pass ends a round of others in the middle: only its last
   * launch is worth that. */
  if (kernel->alone && focus_left(kernel, 0) > 1 && round_expects(h, false))
    return FOCUS_LEAVE;
  if (!focus_round_is_open(h) || kernel->alone)
    return FOCUS_COUNT;
  if (kernel->has_slot)
    return focus_is_seen(h, k) && !focus_pass_is_whole(h) && !runs_out(h, kernel) ? FOCUS_LEAVE : FOCUS_COUNT;
  if (round_takes(h))
    return FOCUS_COUNT;
  if (round_expects(h, false) && !outweighs_round(h, k))
    return FOCUS_LEAVE;
  round_lapse(h);
  return FOCUS_COUNT_ANEW;
}

enum focus_verdict focus_launch(struct focus *h, size_t k, double now_s) {
  enum focus_verdict verdict = verdict_of(h, k, now_s);
  h->due = verdict == FOCUS_LEAVE ? FOCUS_NONE : (long)k;
  return verdict;
}

bool focus_round_is_open(const struct focus *h) {
  return h->n_slots > 0;
}

bool focus_slot_take(struct focus *h, size_t k) {
  size_t at = 0;
  while (at < h->n_slots && h->slots[at] != FOCUS_NONE)
    at++;
  if (at == h->n_slots)
    return false;
  h->slots[at] = (long)k;
  h->kernels[k].has_slot = true;
  h->patience_most = patience_most(h);
  return true;
}

/* Kernels that are known to be wanted have their slots before they come, so that the first pass waits for them. */
static void slots_fill(struct focus *h) {
  while (slot_is_free(h) && !h->set.unknown) {
    size_t best = h->n;
    for (size_t i = 0; i < h->n; i++) {
      const struct focus_kernel *k = &h->kernels[i];
      if (k->chosen && !k->barred && !k->given_up && !k->alone && !k->has_slot && !k->lapsed && focus_comes(h, i) &&
          focus_wants_more(h, i) && (best == h->n || k->recent_s > h->kernels[best].recent_s))
        best = i;
    }
    if (best == h->n)
      break;
    focus_slot_take(h, best);
  }
}

void focus_round_begin(struct focus *h, size_t passes, size_t slots, bool alone) {
  h->first_round = h->first_round ? h->first_round : h->asked;
  h->passes = passes;
  h->pass = 0;
  pass_switched(h);
  h->n_slots = slots < FOCUS_SLOTS_MAX ? slots : FOCUS_SLOTS_MAX;
  for (size_t i = 0; i < h->n_slots; i++)
    h->slots[i] = FOCUS_NONE;
  h->patience_most = FOCUS_PATIENCE_MAX;
  if (!alone)
    slots_fill(h);
}

size_t focus_slot_of(const struct focus *h, size_t k) {
  size_t at = 0;
  while (h->slots[at] != (long)k)
    at++;
  return at;
}

void focus_counted(struct focus *h, size_t k, bool all_passes) {
  struct focus_kernel *kernel = &h->kernels[k];
  kernel->in_round |= all_passes ? all_passes_of(h) : (uint64_t)1 << h->pass;
  kernel->counted++;
  kernel->lapsed = false;
  h->due = FOCUS_NONE;
}

bool focus_pass_end(struct focus *h) {
  for (size_t i = 0; i < h->n_slots; i++)
    if (h->slots[i] != FOCUS_NONE && !focus_is_seen(h, (size_t)h->slots[i]))
      h->kernels[h->slots[i]].lapsed = true;
  pass_switched(h);
  h->patience_most = patience_most(h);
  return ++h->pass < h->passes;
}

static void kernel_round_end(const struct focus *h, struct focus_kernel *k) {
  k->rounds += k->in_round == all_passes_of(h);
  k->tries++;
  k->in_round = 0;
  k->done = k->rounds > 0 && k->counted >= h->set.count;
  k->given_up = k->given_up || (!h->set.named && k->rounds == 0 && k->tries == TRIES_MAX);
}

void focus_round_end(struct focus *h, bool close) {
  for (size_t i = 0; i < h->n_slots; i++) {
    struct focus_kernel *k = h->slots[i] == FOCUS_NONE ? NULL : &h->kernels[h->slots[i]];
    if (!k)
      continue;
    kernel_round_end(h, k);
    if (close || k->done || k->lapsed || k->given_up) {
      k->has_slot = false;
      h->slots[i] = FOCUS_NONE;
    }
  }
  h->pass = 0;
  pass_switched(h);
  h->n_slots = close ? 0 : h->n_slots;
  slots_fill(h);
}

bool focus_round_is_wanted(const struct focus *h) {
  for (size_t i = 0; i < h->n_slots; i++)
    if (h->slots[i] != FOCUS_NONE && focus_wants_more(h, (size_t)h->slots[i]))
      return true;
  return false;
}
