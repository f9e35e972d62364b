/* Counters by pass multiplexing: the launches of a kernel collect one pass each.  Nothing is saved, restored or run twice, so the caches are as the
 * program leaves them.  Only the launches that are counted wait for what runs beside them.
 *
 * Counters of different passes come from different launches, so a kernel whose work changes from launch to launch gets a mixture; the group
 * `clock` is a pass by itself.  A kernel of fewer launches than passes is replayed instead where that is known or asked for: every pass runs
 * the same launch again over saved memory, in caches that are the replay's.
 */
#include "profiler/attach/inside/counting.h"
#include "profiler/attach/inside/pc_samples.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static __thread struct kernel *under_way; /* the calling thread's counted launch */
static __thread double began_s;

static void give_up(const struct err *e) {
  counting.failed = true;
  counting_close();
  inject_note("no counters from here on: %s", e->text);
}

/* --- what is printed --- */

static void print_reason(char *to, size_t size, const struct kernel *k, size_t row) {
  if (!counting.config.chosen[row])
    snprintf(to, size, "chip %s has no such counter", counting.config.chip);
  else if (k->replay || k->counted->rounds)
    snprintf(to, size, "CUPTI gave no number");
  else
    snprintf(
        to, size,
        "it takes %zu passes, one a launch, and %llu launches were counted; --replay runs one launch again for every pass",
        counting.config.passes, (unsigned long long)k->counted->launches);
}

void counters_gather(void) {
  struct err e = {0};
  if (pthread_mutex_trylock(&counting.busy))
    return;
  if (counting.session.profiler)
    counting_read(&e); /* what cannot be read now is tried again at the end of the round */
  pthread_mutex_unlock(&counting.busy);
}

void counters_print(struct text *out, const struct kernel *k) {
  const struct counted *c = k->counted;
  if (!c || !c->sums)
    return;
  attach_record_print(out, RECORD_COUNTED,
                      &(struct counted_record){c->launches, k->replay ? RECORD_REPLAYED : "multiplexed"});
  for (size_t i = 0; i < counting.config.table.n; i++) {
    const struct metric_row *row = &counting.config.table.rows[i];
    const struct expr *chosen = counting.config.chosen[i];
    char reason[256] = "";
    struct metric_record m = {.name = row->name,
                              .unit = row->unit,
                              .source = chosen ? (char *)expr_text(chosen) : NULL,
                              .value = c->n[i] ? c->sums[i] / c->n[i] : c->latest[i],
                              .reason = reason};
    if (!isfinite(m.value)) {
      m.value = NAN;
      print_reason(reason, sizeof reason, k, i);
    }
    attach_record_print(out, RECORD_METRIC, &m);
  }
}

/* --- which launches --- */

static bool wants_more(const struct counted *k) {
  return !k->done && (injection.count == 0 || k->launches < injection.count);
}

static bool is_seen(const struct counted *k) {
  return k->in_round >> counting.pass & 1;
}

/* Whether the pass that is open has every kernel that it waits for. */
static bool pass_is_whole(void) {
  for (size_t i = 0; i < counting.n_slots; i++) {
    const struct counted *k = counting.slots[i] ? counting.slots[i]->counted : NULL;
    if (k && !k->lapsed && wants_more(k) && !is_seen(k))
      return false;
  }
  return true;
}

static bool session_is_wanted(void) {
  for (size_t i = 0; i < counting.n_slots; i++)
    if (counting.slots[i] && wants_more(counting.slots[i]->counted))
      return true;
  return false;
}

static void lapse_unseen(void) {
  for (size_t i = 0; i < counting.n_slots; i++) {
    struct counted *k = counting.slots[i] ? counting.slots[i]->counted : NULL;
    if (k && !is_seen(k))
      k->lapsed = true;
  }
}

static bool slot_is_free(void) {
  for (size_t i = 0; i < counting.n_slots; i++)
    if (!counting.slots[i])
      return true;
  return false;
}

/* Whether the launch of a chosen kernel is to be counted.  The lock is held, and busy. */
static bool launch_is_due(struct kernel *k, CUcontext context, CUdevice device) {
  struct counted *c = k->counted;
  if (counting.failed || !wants_more(c))
    return false;
  if ((counting.session.profiler && counting.context != context) || (counting.ready && counting.device != device)) {
    inject_note_locked(
        "counters are of one GPU, and of one context at a time: some launches elsewhere were not counted");
    return false;
  }
  if (!counting.session.profiler || counting.session.replay || k->replay)
    return true;
  if (!c->has_slot)
    return slot_is_free();
  if (is_seen(c) && !pass_is_whole()) {
    if (++c->waits < PATIENCE)
      return false;
    lapse_unseen();
  }
  return true;
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

/* Whether one launch of the kernel collects every pass: an earlier run had fewer launches of it than there are passes, or the user asks for it. */
static bool will_replay(const struct kernel *k) {
  size_t passes = counting.ready ? counting.config.passes : PASSES_USUAL;
  return k->replay || (k->expected && k->expected < injection.skip + passes);
}

/* Has a session of the kind that the kernel needs, and in it a pass that lacks the kernel. */
static int session_for(struct kernel *k, CUcontext context, struct err *e) {
  int result = counting.ready ? 0 : counting_set_up(context, e);
  if (!result)
    result = values_make(k->counted, e);
  pthread_mutex_lock(&injection.lock); /* other threads' launches ask too */
  k->replay = will_replay(k);
  pthread_mutex_unlock(&injection.lock);
  if (counting.session.profiler && counting.session.replay != k->replay)
    counting_close();
  if (!result && !counting.session.profiler) {
    pthread_mutex_lock(&injection.lock);
    size_t chosen = injection.kernel_pattern || injection.nvtx ? SLOTS_UNKNOWN : chosen_count();
    pthread_mutex_unlock(&injection.lock);
    result = counting_open(context, k->replay, chosen < SLOTS_MAX ? chosen : SLOTS_MAX, e);
  }
  if (!result && k->counted->has_slot && is_seen(k->counted))
    result = counting_next_pass(e);
  return result;
}

/* busy is held, and given back where the launch is not counted after all. */
static void launch_begin(struct kernel *k, CUcontext context) {
  struct err e = {0};
  began_s = clock_now_s();
  activity_pause(true);
  int result = session_for(k, context, &e);
  bool counts = !result && wants_more(k->counted) && (k->counted->has_slot || slot_take(k));
  if (counts)
    result = counting_begin(k, &e);
  if (result)
    give_up(&e);
  under_way = counts && !result ? k : NULL;
  if (!under_way) {
    activity_pause(false);
    pthread_mutex_unlock(&counting.busy);
  }
}

/* After a launch: the last pass ends as soon as it can, so that what it gave is known, and the session once no kernel of it wants more.  One that replays
 * ends with its launch: while it is open, activity records nothing. */
static int session_settle(struct err *e) {
  int result = 0;
  if (counting.session.replay || (counting.pass + 1 == counting.config.passes && pass_is_whole()))
    result = counting_next_pass(e);
  if (!result && !session_is_wanted())
    counting_close();
  return result;
}

static void launch_end(void) {
  struct err e = {0};
  struct kernel *k = under_way;
  gpu_wait(); /* an error of the program's own is the program's to find */
  int result = counting_end(k, &e);
  counting.launches += !result;
  if (!result)
    result = session_settle(&e);
  if (result)
    give_up(&e);
  activity_pause(false);
  pthread_mutex_lock(&injection.lock);
  k->launches++;
  k->disturbed++;
  injection.launches++;
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  counting.spent_s += clock_now_s() - began_s;
  under_way = NULL;
  pthread_mutex_unlock(&counting.busy);
}

/* The occupancy that the driver gives the kernel; asked of those that are counted. */
static void ask_occupancy(struct kernel *k, CUfunction function) {
  int blocks = 0, threads = (int)(k->key.block[0] * k->key.block[1] * k->key.block[2]);
  if (!k->blocks_per_sm && injection.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor &&
      injection.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                                   (size_t)k->key.smem_dynamic) == CUDA_SUCCESS)
    k->blocks_per_sm = blocks;
}

/* Takes busy where the launch is to be counted.  The lock is held. */
static bool launch_takes(struct kernel *k, CUcontext context, CUdevice device) {
  if (!k->counted && !(k->counted = calloc(1, sizeof *k->counted)))
    return false;
  if (!wants_more(k->counted) || pthread_mutex_trylock(&counting.busy))
    return false;
  if (launch_is_due(k, context, device))
    return true;
  pthread_mutex_unlock(&counting.busy);
  return false;
}

/* Activity tells of a launch later, except of one that is counted. */
static void range_attribute(int range, uint32_t correlation) {
  pthread_mutex_lock(&injection.lock);
  if (under_way)
    injection.ranges[range].launches++;
  else
    pending_add(correlation, range);
  pthread_mutex_unlock(&injection.lock);
}

static void launch_enter(const CUpti_CallbackData *data, const struct kernel_key *key, CUfunction function,
                         CUstream stream) {
  CUdevice device = 0;
  int range = nvtx_current();
  if (!injection.top) { /* nothing is counted: the program's ranges alone want to know of launches */
    if (range >= 0)
      range_attribute(range, data->correlationId);
    return;
  }
  if (injection.current_device)
    injection.current_device(&device);
  bool in_range = !injection.nvtx || nvtx_within(injection.nvtx), capturing = is_capturing(stream);
  pthread_mutex_lock(&injection.lock);
  bool rank =
      ++injection.asked == injection.window && !injection.kernel_pattern && !injection.nvtx && !injection.chosen_file;
  pthread_mutex_unlock(&injection.lock);
  if (rank && !capturing) {
    gpu_wait();
    activity_flush(true);
  }
  pthread_mutex_lock(&injection.lock);
  if (rank)
    choose_top();
  struct kernel *k = kernel_of(key, (uint32_t)device);
  if (k)
    k->asked++;
  bool chosen = k && kernel_is_chosen(k, in_range), replays = chosen && will_replay(k);
  pthread_mutex_unlock(&injection.lock);
  /* A launch that is to be replayed may be the only one; and once one was counted, CUPTI gives no samples any more. */
  bool sampled = k && samples_launch(data->context, chosen && !replays && !counting.launches, capturing);
  pthread_mutex_lock(&injection.lock);
  if (sampled)
    k->sampled++;
  bool due = chosen && !sampled && !capturing && launch_takes(k, data->context, device);
  pthread_mutex_unlock(&injection.lock);
  if (due && gpu_wait() == CUDA_SUCCESS) {
    ask_occupancy(k, function);
    launch_begin(k, data->context);
  } else if (due) {
    pthread_mutex_unlock(&counting.busy);
  }
  if (range >= 0 && !capturing)
    range_attribute(range, data->correlationId);
}

void counters_launch(const CUpti_CallbackData *data, const struct kernel_key *key, CUfunction function,
                     CUstream stream) {
  if (data->callbackSite != CUPTI_API_ENTER) {
    if (under_way)
      launch_end();
  } else if (!under_way) {
    launch_enter(data, key, function, stream);
  }
}

bool counters_settled(void) {
  pthread_mutex_lock(&injection.lock);
  bool settled =
      (injection.asked > injection.window || injection.chosen_file) && !injection.kernel_pattern && !injection.nvtx;
  for (size_t i = 0; i < injection.n_kernels && settled; i++) {
    const struct kernel *k = &injection.kernels[i];
    settled = !k->chosen || (k->counted && !wants_more(k->counted));
  }
  pthread_mutex_unlock(&injection.lock);
  return settled;
}

void counters_context_gone(CUcontext context) {
  pthread_mutex_lock(&counting.busy);
  if (counting.session.profiler && counting.context == context)
    counting_close();
  pthread_mutex_unlock(&counting.busy);
}

void counters_end(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 2; /* a thread that still waits for its launch keeps it */
  if (pthread_mutex_timedlock(&counting.busy, &limit) == 0) {
    counting_close();
    counting.failed = true;
    pthread_mutex_unlock(&counting.busy);
  }
  if (counting.ready)
    inject_note("counters: %zu passes; %llu launches were counted, which took %.0f ms, and %.0f ms to set up",
                counting.config.passes, (unsigned long long)counting.launches,
                1e3 * (counting.spent_s - counting.setup_s), 1e3 * counting.setup_s);
}
