/* When no kernel runs: the GPU waits for the program.  A gap that is longer than launching before the first launch of a function is its loading, which a program
 * does once: a pause, as start-up is.  Where the profiler itself makes the program wait neither gaps nor kernels count: before and after a launch
 * that was counted, sampled or waited for, and while a session is open, in which the program catches up from one counted launch to the next. */
#include "profiler/attach/inside/inject.h"

#include "base/name_index.h"

#include <string.h>

enum { MARKS_MAX = 1 << 16, NAMES_MAX = 1 << 13, GAPS_KERNELS_LEAST = 1024 };

static struct {
  uint64_t end_ns[RECORD_DEVICES]; /* of all kernels so far; 0: there was none */
  uint32_t last[RECORD_DEVICES];   /* correlation of the one that ended then */
  uint32_t marks[MARKS_MAX];       /* correlations at which the profiler waited, rising */
  size_t n;
  uint64_t names[NAMES_MAX]; /* hashes of functions that were launched; 0: free */
  size_t n_names;
  uint64_t kernels, doubled; /* all so far, and how many there were when half of them were last forgotten */
  struct gaps_record newer;  /* since then */
} seen;

/* Where there is no more room no function is new. */
static bool is_new(const char *name) {
  uint64_t hash = hash_bytes(HASH_START, name, strlen(name));
  hash += hash == 0;
  size_t at = hash % NAMES_MAX;
  while (seen.names[at] && seen.names[at] != hash)
    at = (at + 1) % NAMES_MAX;
  if (seen.names[at] == hash || seen.n_names == NAMES_MAX / 2)
    return false;
  seen.names[at] = hash;
  seen.n_names++;
  return true;
}

void gaps_mark(uint32_t correlation) {
  size_t at = seen.n;
  while (at > 0 && seen.marks[at - 1] > correlation) /* threads end their launches in another order */
    at--;
  if (seen.n == MARKS_MAX || (at > 0 && seen.marks[at - 1] == correlation))
    return;
  memmove(&seen.marks[at + 1], &seen.marks[at], (seen.n++ - at) * sizeof *seen.marks);
  seen.marks[at] = correlation;
}

/* Whether the profiler waited at the launch `from`, or after it up to `to`. */
static bool is_ours(uint32_t from, uint32_t to) {
  size_t low = 0, high = seen.n;
  while (low < high) { /* the first mark that is not before from */
    size_t middle = (low + high) / 2;
    if (seen.marks[middle] >= from)
      high = middle;
    else
      low = middle + 1;
  }
  return seen.n == MARKS_MAX || (low < seen.n && seen.marks[low] <= to);
}

/* A program's start (first allocations, libraries that load) is not how it goes on: what is told is of the last half to three quarters of the
 * launches, once there are many. */
static void forget_the_start(struct gaps_record *g) {
  if (++seen.kernels < GAPS_KERNELS_LEAST || seen.kernels < 2 * seen.doubled)
    return;
  seen.newer.before = seen.doubled;
  *g = seen.newer;
  seen.newer = (struct gaps_record){0};
  seen.doubled = seen.kernels;
}

static void gap_add(struct gaps_record *g, double gap_ns, bool loads) {
  bool is_short = gap_ns <= RECORD_SHORT_GAP_NS, is_pause = gap_ns > RECORD_PAUSE_NS || (loads && !is_short);
  *(is_pause ? &g->pause_ns : &g->idle_ns) += gap_ns;
  ++*(is_pause ? &g->pauses : &g->gaps);
  g->short_ns += is_short ? gap_ns : 0;
  g->short_gaps += is_short;
}

void gaps_kernel(const char *name, uint32_t device, uint64_t start_ns, uint64_t end_ns, uint32_t correlation) {
  struct gaps_record *g = &injection.gaps;
  if (device >= RECORD_DEVICES || end_ns <= start_ns)
    return;
  uint64_t before_ns = seen.end_ns[device];
  bool loads = is_new(name);
  bool ours = before_ns && is_ours(seen.last[device], correlation);
  forget_the_start(g);
  if (before_ns && start_ns > before_ns && !ours) {
    gap_add(g, (double)(start_ns - before_ns), loads);
    gap_add(&seen.newer, (double)(start_ns - before_ns), loads);
  }
  if (end_ns <= before_ns)
    return;
  double busy_ns = ours ? 0 : (double)(end_ns - (start_ns > before_ns ? start_ns : before_ns));
  g->busy_ns += busy_ns;
  seen.newer.busy_ns += busy_ns;
  seen.end_ns[device] = end_ns;
  seen.last[device] = correlation;
}
