/* Counters by pass multiplexing: the launches of a kernel collect one pass each.  Nothing is saved, restored or run twice, so the caches are as the
 * program leaves them.  Only the launches that are counted wait for what runs beside them.
 *
 * Counters of different passes come from different launches, so a kernel whose work changes from launch to launch gets a mixture; the group
 * `clock` is a pass by itself.  A kernel of fewer launches than passes is replayed instead where that is known or asked for: every pass runs
 * the same launch again over saved memory, in caches that are the replay's.
 */
#include "profiler/attach/inside/counting.h"
#include "profiler/attach/inside/pc_samples.h"
#include "profiler/attach/records/collective.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static __thread struct kernel *under_way; /* the calling thread's counted launch */
static __thread double began_s, set_up_before_s;
static __thread bool waited; /* the calling thread's launch, for what was before it, or to be sampled or counted */

static void give_up(const struct err *e) {
  counting.failed = counting.refused = true;
  counting_close();
  inject_note("no counters from here on: %s", e->text);
}

/* --- what is printed --- */

static void print_reason(char *to, size_t size, const struct kernel *k, size_t row) {
  if (!counting.config.chosen[row])
    snprintf(to, size, "chip %s has no such counter", counting.config.chip);
  else if (pass_set_lacks(counting.config.set, &counting.config.table, row))
    snprintf(to, size, PASS_SET_LACKS);
  else if (k->replay || focus_of(k)->rounds)
    snprintf(to, size, "CUPTI gave no number");
  else
    snprintf(to, size, "its counters need %zu passes, one per launch, and %llu launches were counted; %s",
             counting.config.passes, (unsigned long long)focus_of(k)->counted,
             k->allocates ? "it may allocate memory on the GPU (malloc), so that no launch of it can be repeated"
                          : "--replay repeats one launch for every pass");
}

void counters_gather(void) {
  struct err e = {0};
  if (pthread_mutex_trylock(&counting.busy))
    return;
  if (counting.session.profiler)
    counting_read(&e); /* what cannot be read now is tried again at the end of the round */
  pthread_mutex_unlock(&counting.busy);
}

static double value_of_row(const struct counted *c, size_t row) {
  return c->n[row] ? c->sums[row] / c->n[row] : c->latest[row];
}

/* What one round lacks another may have: then nothing is amiss, though the kernel was in no whole round. */
static bool has_all_rows(const struct counted *c) {
  for (size_t i = 0; i < counting.config.table.n; i++)
    if (counting.config.chosen[i] && !pass_set_lacks(counting.config.set, &counting.config.table, i) &&
        !isfinite(value_of_row(c, i)))
      return false;
  return true;
}

void counters_print(struct text *out, const struct kernel *k) {
  const struct counted *c = k->counted;
  if (!c || !c->sums)
    return;
  attach_record_print(out, RECORD_COUNTED,
                      &(struct counted_record){focus_of(k)->counted, k->replay ? RECORD_REPLAYED
                                                                     : focus_of(k)->rounds || has_all_rows(c)
                                                                         ? "multiplexed"
                                                                         : RECORD_PARTLY});
  for (size_t i = 0; i < counting.config.table.n; i++) {
    const struct metric_row *row = &counting.config.table.rows[i];
    const struct expr *chosen = counting.config.chosen[i];
    char reason[256] = "";
    double value = value_of_row(c, i);
    struct metric_record m = {.name = row->name,
                              .unit = row->unit,
                              .source = chosen ? (char *)expr_text(chosen) : NULL,
                              .value = value < 0 ? 0 : value, /* a difference of counters of two launches */
                              .reason = reason};
    if (!isfinite(m.value)) {
      m.value = NAN;
      print_reason(reason, sizeof reason, k, i);
    }
    attach_record_print(out, RECORD_METRIC, &m);
  }
}

struct range_record counters_of_range(size_t range) {
  struct range_record out = injection.ranges[range];
  for (size_t i = 0; i < injection.n_kernels; i++) {
    const struct kernel *k = &injection.kernels[i];
    uint64_t timed = k->launches - k->disturbed;
    if (!k->counted || !timed)
      continue;
    double ns = k->counted->in_range[range] * k->total_ns / (double)timed;
    out.total_ns += ns;
    out.collective_ns += kernel_is_collective(k->key.name) ? ns : 0;
  }
  return out;
}

/* --- which launches --- */

/* Whether the launch of a chosen kernel is to be counted.  The lock is held, and busy. */
static bool launch_is_due(struct kernel *k, CUcontext context, CUdevice device, bool claimed) {
  if (counting.failed || !claimed)
    return false;
  if ((counting.session.profiler && counting.context != context) || (counting.ready && counting.device != device)) {
    inject_note_locked(
        "counters are collected on one GPU and in one context at a time: some launches elsewhere were not counted");
    k->elsewhere = k->elsewhere || counting.device != device;
    return false;
  }
  enum focus_verdict verdict = focus_launch(&injection.focus, focus_index(k), clock_now_s());
  counting.anew = verdict == FOCUS_COUNT_ANEW;
  return verdict != FOCUS_LEAVE;
}

static bool is_capturing(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return !injection.stream_is_capturing || injection.stream_is_capturing(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* Activity records a kernel's times by instructions that it adds to the kernel: 8 a warp on an H200, which the counters would count.  It is off
 * while a launch is counted, and that launch is added by hand. */
static void activity_pause(bool pause) {
  const struct cupti *c = &injection.cupti;
  if (injection.activity && pause)
    c->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  else if (injection.activity)
    c->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

/* Room for the kernel's values; it must be known how many there are. */
static int values_make(struct counted *c, struct err *e) {
  size_t n = counting.config.table.n;
  if (c->sums)
    return 0;
  c->n = calloc(n, sizeof *c->n);
  c->latest = calloc(n, sizeof *c->latest);
  double *sums = calloc(n, sizeof *sums);
  if (!c->n || !c->latest || !sums) {
    free(sums);
    return err_nomem(e, "metric values");
  }
  for (size_t i = 0; i < n; i++)
    c->latest[i] = NAN;
  pthread_mutex_lock(&injection.lock);
  c->sums = sums;
  pthread_mutex_unlock(&injection.lock);
  return 0;
}

/* Whether one launch of the kernel collects every pass: fewer are left of it than there are
 * passes, as an earlier run had them, or the user asks for it. */
static bool will_replay(const struct kernel *k) {
  const struct focus_kernel *focus = focus_of(k);
  size_t passes = counting.ready ? counting.config.passes : PASSES_USUAL;
  return k->replay ||
         (!k->allocates && focus->expected && !focus->in_round && focus_left(focus, injection.skip) < passes);
}

static size_t slots_wanted(void) {
  pthread_mutex_lock(&injection.lock);
  size_t chosen =
      injection.kernel_pattern || injection.nvtx ? SLOTS_UNKNOWN : focus_chosen_count(&injection.focus) + SLOTS_SPARE;
  if (!injection.focus.set.named && chosen < SLOTS_LEAST)
    chosen = SLOTS_LEAST;
  pthread_mutex_unlock(&injection.lock);
  return chosen < FOCUS_SLOTS_MAX ? chosen : FOCUS_SLOTS_MAX;
}

/* Has a session of the kind that the kernel needs, and in it a pass that lacks the kernel. */
static int session_for(struct kernel *k, CUcontext context, struct err *e) {
  int rc = counting.ready ? 0 : counting_set_up(context, e);
  if (!rc)
    rc = values_make(k->counted, e);
  pthread_mutex_lock(&injection.lock); /* other threads' launches ask too */
  k->replay = focus_of(k)->alone = will_replay(k);
  pthread_mutex_unlock(&injection.lock);
  if (counting.session.profiler && counting.session.replay != k->replay)
    counting_close();
  if (!rc && !counting.session.profiler)
    rc = counting_open(context, k->replay, slots_wanted(), e);
  else if (!rc && counting.anew)
    rc = counting_round_end(false, e);
  if (!rc && focus_of(k)->has_slot && focus_is_seen(&injection.focus, focus_index(k)))
    rc = counting_next_pass(e);
  return rc;
}

/* Whether the kernel takes part in the pass. */
static bool pass_takes(const struct kernel *k) {
  pthread_mutex_lock(&injection.lock);
  bool takes = focus_wants_more(&injection.focus, focus_index(k)) &&
               focus_is_rested(&injection.focus, focus_index(k)) &&
               (focus_of(k)->has_slot || focus_slot_take(&injection.focus, focus_index(k)));
  pthread_mutex_unlock(&injection.lock);
  return takes;
}

/* busy is held, and given back where the launch is not counted after all. */
static void launch_begin(struct kernel *k, CUcontext context) {
  struct err e = {0};
  began_s = clock_now_s();
  set_up_before_s = counting.setup_s;
  bool turn = turn_take();
  activity_pause(true);
  int rc = session_for(k, context, &e);
  bool counts = !rc && pass_takes(k);
  if (counts)
    rc = counting_begin(k, &e);
  if (rc)
    give_up(&e);
  under_way = counts && !rc ? k : NULL;
  if (!under_way)
    activity_pause(false);
  turn_give(turn);
  if (!under_way)
    pthread_mutex_unlock(&counting.busy);
}

/* After a launch: the last pass ends as soon as it can, so that what it gave is known, and the session once no kernel wants more.  One that replays
 * ends with its launch: while it is open, activity records nothing. */
static int session_settle(struct err *e) {
  struct focus *h = &injection.focus;
  pthread_mutex_lock(&injection.lock);
  bool ends = counting.session.replay || (h->pass + 1 == h->passes && focus_pass_is_whole(h));
  pthread_mutex_unlock(&injection.lock);
  int rc = ends ? counting_next_pass(e) : 0;
  pthread_mutex_lock(&injection.lock);
  bool closes = !rc && !focus_round_is_wanted(h);
  pthread_mutex_unlock(&injection.lock);
  if (closes)
    counting_close();
  return rc;
}

static void launch_end(void) {
  struct err e = {0};
  struct kernel *k = under_way;
  gpu_wait(); /* an error of the program's own is the program's to find */
  bool turn = turn_take();
  int rc = counting_end(k, &e);
  counting.launches += !rc;
  if (!rc)
    rc = session_settle(&e);
  if (rc)
    give_up(&e);
  activity_pause(false);
  turn_give(turn);
  pthread_mutex_lock(&injection.lock);
  counting.used_s = clock_now_s();
  counting.used_asked = injection.focus.asked;
  /* The launch itself is the program's, and to set up is once for all. */
  double taken_s = fmax(0, counting.used_s - began_s - focus_of(k)->mean_s - (counting.setup_s - set_up_before_s));
  k->launches++;
  k->disturbed++;
  injection.launches++;
  injection.dirty = true;
  injection.focus.spent_s += taken_s;
  pthread_mutex_unlock(&injection.lock);
  counting.spent_s += taken_s;
  under_way = NULL;
  pthread_mutex_unlock(&counting.busy);
}

/* The occupancy that the driver gives the kernel; asked of those that are counted. */
static void ask_occupancy(struct kernel *k, CUfunction function) {
  int blocks = 0, threads = (int)(k->key.block[0] * k->key.block[1] * k->key.block[2]);
  if (k->blocks_per_sm || !injection.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor ||
      injection.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                                   (size_t)k->key.smem_dynamic) != CUDA_SUCCESS)
    return;
  pthread_mutex_lock(&injection.lock);
  k->blocks_per_sm = blocks;
  pthread_mutex_unlock(&injection.lock);
}

/* Takes busy where the launch is to be counted.  The lock is held. */
static bool launch_takes(struct kernel *k, CUcontext context, CUdevice device, bool claimed) {
  if (!k->counted && !(k->counted = calloc(1, sizeof *k->counted)))
    return false;
  if (!focus_wants_more(&injection.focus, focus_index(k)) || pthread_mutex_trylock(&counting.busy))
    return false;
  if (launch_is_due(k, context, device, claimed))
    return true;
  pthread_mutex_unlock(&counting.busy);
  return false;
}

/* Activity tells of a launch later, except of one that is counted. */
static void range_attribute(const int16_t ranges[NVTX_RANGES], uint32_t correlation) {
  if (!under_way) {
    pending_add(correlation, ranges, false);
    return;
  }
  pthread_mutex_lock(&injection.lock);
  for (int i = 0; i < NVTX_RANGES; i++)
    if (ranges[i] >= 0) {
      injection.ranges[ranges[i]].launches++;
      under_way->counted->in_range[ranges[i]]++;
    }
  pthread_mutex_unlock(&injection.lock);
}

/* Waits until the times of all launches so far are known, and ranks by them. */
static void times_learn(void) {
  gpu_wait();
  double start_s = clock_now_s();
  activity_flush(true);
  pthread_mutex_lock(&injection.lock);
  focus_tell();
  focus_look(&injection.focus, start_s, true, clock_now_s() - start_s);
  pthread_mutex_unlock(&injection.lock);
}

/* Samples the launch, or counts it, or waits for those before it. */
static void launch_choose(const CUpti_CallbackData *data, struct kernel *k, CUdevice device, CUfunction function,
                          bool look, bool in_range) {
  if (look)
    times_learn();
  pthread_mutex_lock(&injection.lock);
  bool chosen = kernel_is_chosen(k, in_range), replays = chosen && will_replay(k);
  uint64_t left = chosen ? focus_left(focus_of(k), 0) : 0;
  bool countable = chosen && focus_may_count(&injection.focus);
  if (chosen)
    focus_of(k)->alone = replays;
  pthread_mutex_unlock(&injection.lock);
  /* A launch that is to be replayed may be the only one; and once one was counted, CUPTI gives no samples any more. */
  bool to_sample = countable && (!replays || left > 1) && !counting.launches,
       sampled = samples_launch(data->context, to_sample, replays && left == 1);
  countable = countable && !sampled && !(to_sample && samples_may_go()); /* it may have been put off */
  bool claimed = !countable || gpu_claim();
  pthread_mutex_lock(&injection.lock);
  if (sampled)
    k->sampled++;
  bool due = countable && launch_takes(k, data->context, device, claimed);
  pthread_mutex_unlock(&injection.lock);
  waited = look || sampled || due;
  if (due && gpu_wait() == CUDA_SUCCESS) {
    ask_occupancy(k, function); /* which loads its module, too, if nothing has */
    allocating_ask(k);
    launch_begin(k, data->context);
  } else if (due) {
    pthread_mutex_unlock(&counting.busy);
  }
}

/* Where launches are sampled and none is counted, an ordinary one is not held up. */
static void launch_sample(const CUpti_CallbackData *data, const struct kernel_key *key, CUdevice device,
                          CUstream stream) {
  bool sampled = samples_may_go() && !is_capturing(stream) && samples_launch(data->context, true, false);
  waited = samples_held_launch();
  if (!sampled)
    return;
  pthread_mutex_lock(&injection.lock);
  struct kernel *k = kernel_of(key, (uint32_t)device);
  if (k)
    k->sampled++;
  pthread_mutex_unlock(&injection.lock);
}

static void launch_enter(const CUpti_CallbackData *data, struct kernel_key *key, CUfunction function, CUstream stream) {
  CUdevice device = 0;
  int16_t ranges[NVTX_RANGES];
  bool stands = nvtx_current(ranges);
  key->range = kernel_range(ranges);
  if (injection.current_device)
    injection.current_device(&device);
  if (injection.samples_all)
    launch_sample(data, key, device, stream);
  if (!injection.top || atomic_load(&counting.idle)) { /* the program's ranges alone want to know of launches */
    if (stands)
      range_attribute(ranges, data->correlationId);
    return;
  }
  bool in_range = !injection.nvtx || nvtx_within(injection.nvtx);
  double now_s = clock_now_s();
  pthread_mutex_lock(&injection.lock);
  struct kernel *k = kernel_of(key, (uint32_t)device);
  if (k)
    focus_asked(&injection.focus, focus_index(k));
  if (focus_rank_is_due(&injection.focus)) {
    focus_tell();
    focus_look(&injection.focus, now_s, false, 0);
  }
  bool look = focus_look_is_due(&injection.focus, now_s),
       chosen = k && kernel_is_chosen(k, in_range) && focus_wants_more(&injection.focus, focus_index(k));
  pthread_mutex_unlock(&injection.lock);
  bool capturing = (look || chosen || samples_going()) && is_capturing(stream);
  if (k && !capturing && (look || chosen || samples_going()))
    launch_choose(data, k, device, function, look, in_range);
  if (stands && !capturing)
    range_attribute(ranges, data->correlationId);
}

void counters_launch(const CUpti_CallbackData *data, struct kernel_key *key, CUfunction function, CUstream stream) {
  if (!under_way)
    launch_enter(data, key, function, stream);
}

bool counters_launched(void) {
  bool was = waited;
  if (under_way)
    launch_end();
  waited = false;
  return was;
}

bool counters_settled(void) {
  /* A kernel that is new soon after is still seen before its first launches have run.  Being
   * seen costs a launch, not the time between launches: a benchmark's next size may be queued
   * whole, seconds later. */
  static const double grace_s = 0.5;
  static const uint64_t grace_launches = 512;
  double now_s = clock_now_s();
  pthread_mutex_lock(&injection.lock);
  focus_tell();
  focus_look(&injection.focus, now_s, false, 0);
  bool settled = focus_is_settled(&injection.focus, now_s) && now_s - counting.used_s > grace_s &&
                 injection.focus.asked - counting.used_asked > grace_launches;
  pthread_mutex_unlock(&injection.lock);
  settled = settled || counting.failed;
  atomic_store(&counting.idle, settled);
  return settled;
}

bool counters_open(void) {
  return atomic_load(&counting.open);
}

void counters_context_gone(CUcontext context) {
  pthread_mutex_lock(&counting.busy);
  if (counting.session.profiler && counting.context == context)
    counting_close();
  pthread_mutex_unlock(&counting.busy);
}

void counters_end(void) {
  struct timespec limit = clock_limit_in(2000); /* a thread that still waits for its launch keeps it */
  if (pthread_mutex_timedlock(&counting.busy, &limit) == 0) {
    bool turn = turn_take();
    counting_close();
    turn_give(turn);
    counting.failed = true;
    pthread_mutex_unlock(&counting.busy);
  }
}
