#include "profiler/attach/inside/pc_samples.h"

#include "base/clock.h"
#include "profiler/attach/records/attach_record.h"
#include "profiler/cuda/pc_sampling.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  WANTED = 4000,       /* samples of each chosen kernel */
  LOOK_GAP_MOST = 128, /* launches between two looks: a quarter of those so far, one at least */
  LAUNCHES_MAX = 4096,
  ALL_LAUNCHES_MAX = 1 << 16, /* where every launch is sampled, and none is to be counted */
  LAUNCHES_LEAST = 16, /* of kernels that are named, which come one after another; but of 100 ms each a few will do */
  SEVERAL = 32,
  PCS_MAX = 8192, /* of a hand-over; what is left comes with the next */
  HARDWARE_BYTES = 32 << 20,
  DRAIN_MS = 20,
  DRAINS_A_PART = 5,
  OPENED_MAX = 4, /* to start and to stop takes 0.1 s */
};
/* Where every launch is sampled the limit is GPU time: a program may compile before each launch. */
static const double limit_s = 2, all_limit_gpu_ns = 10e9, all_limit_s = 600;
static const unsigned long put_off_ns = 50000000, quiet_ns = 100000000; /* no code has come or gone for so long */
/* How long the thread that drains is waited for; the driver may hold it up. */
static const long gone_ms = 20, launch_ms = 200, end_ms = 2000;

enum phase { BEFORE, GOING, OVER }; /* BEFORE: also while it is interrupted */

static struct {
  atomic_int phase;
  atomic_ulong launches;  /* while it is going */
  atomic_ulong next_look; /* the launch before which it is seen whether there are enough samples */
  atomic_ulong try_ns;    /* not before that it begins: it was put off, or code came or went */
  atomic_ulong limit_ns;  /* when it ends, or does not begin any more, whatever there is; 0: it was not wanted yet */
  atomic_bool opened;     /* samples were taken */
  atomic_bool held_code;  /* since the last launch a load of code waited for sampling to end */
  atomic_int drainers;    /* threads that drain: one from before an interruption may still be about to end */
  atomic_bool unloads;  /* the program gave code back: one of six that did so all the time died in its first samples */
  pthread_mutex_t busy; /* of all below; taken before the lock of the injection */
  struct pc_sampling pc, ended[OPENED_MAX]; /* CUPTI was told the addresses of their buffers, which are not freed */
  size_t n_ended;
  struct stall_reasons reasons; /* the first one's, and all others'; set before anything is sampled */
  uint64_t total, dropped;
  double samples_a_ns; /* of all SMs, while a kernel fills them */
  unsigned long began_ns;
  double spent_s; /* of the program's own threads: to begin, look and end */
  char *error;
  bool taken; /* what CUPTI had left */
} sampling = {.busy = PTHREAD_MUTEX_INITIALIZER};

static void give_up(const struct err *e) {
  inject_note("PC sampling failed: %s", e->text);
  pthread_mutex_lock(&injection.lock);
  if (!sampling.error)
    sampling.error = str_copy(e->text);
  pthread_mutex_unlock(&injection.lock);
}

/* More than the SMs can have taken by now; seen once on an H200, with CUPTI 13.0: 3,064,453,870,539 as sampling ended. */
static bool is_nonsense(const CUpti_PCSamplingData *d) {
  static const double few = 1e6;
  double most = few + 2 * sampling.samples_a_ns * (double)(clock_now_ns() - sampling.began_ns);
  return d->droppedSamples > d->totalSamples || (double)d->totalSamples > most;
}

static int take(void *context, const CUpti_PCSamplingData *d, bool first, struct err *e) {
  (void)context, (void)e;
  pthread_mutex_lock(&injection.lock);
  if (first && !is_nonsense(d)) {
    sampling.total += d->totalSamples - d->droppedSamples;
    sampling.dropped += d->droppedSamples;
  }
  for (size_t i = 0; i < d->totalNumPcs; i++)
    sampled_add(&d->pPcData[i], &sampling.reasons);
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  return 0;
}

/* The code is held. */
static int drain(struct err *e) {
  return pc_sampling_drain(&sampling.pc, take, NULL, e);
}

/* Takes what there is, unless it must be put off. */
static int drain_now(struct err *e) {
  if (atomic_load(&sampling.phase) != GOING || !code_hold(false))
    return 0;
  int rc = drain(e);
  code_release();
  return rc;
}

/* What was sampled by now outlives a kill: it is taken and written while the program runs. */
static void *drain_forever(void *context) {
  (void)context;
  for (unsigned n = 1; atomic_load(&sampling.phase) == GOING; n++) {
    struct err e = {0};
    nanosleep(&(struct timespec){.tv_nsec = DRAIN_MS * 1000000L}, NULL);
    pthread_mutex_lock(&sampling.busy);
    int rc = drain_now(&e);
    pthread_mutex_unlock(&sampling.busy);
    if (rc)
      give_up(&e);
    if (n % DRAINS_A_PART == 0)
      injection.records_write(false);
    if (rc)
      break;
  }
  atomic_fetch_sub(&sampling.drainers, 1);
  return NULL;
}

static bool is_late(void) {
  return clock_now_ns() > atomic_load(&sampling.limit_ns);
}

/* Whether code has not come or gone for long enough. */
static bool has_rested(void) {
  return clock_now_ns() >= atomic_load(&sampling.try_ns);
}

static void put_off(unsigned long ns) {
  atomic_store(&sampling.try_ns, clock_now_ns() + ns);
}

/* --- begin and end; busy is held --- */

static void rate_ask(void) {
  CUdevice device = 0;
  int sms = 0, khz = 0;
  if (injection.current_device)
    injection.current_device(&device);
  injection.driver.cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  injection.driver.cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
  sampling.samples_a_ns = 1e-6 * khz * sms / (double)(1ul << injection.sampling_exponent);
}

static int sampling_open(CUcontext context, struct err *e) {
  struct pc_sampling_settings settings = {.exponent = injection.sampling_exponent,
                                          .hardware_bytes = HARDWARE_BYTES,
                                          .worker_sleep_ms = DRAIN_MS,
                                          .pcs = PCS_MAX,
                                          .left_over_pcs = PCS_MAX};
  int rc = !sampling.opened && sampled_open() ? err_nomem(e, "PC samples") : 0;
  if (!rc)
    rc = pc_sampling_open(&sampling.pc, &injection.cupti, context, &settings, e);
  if (!sampling.opened)
    sampling.reasons = sampling.pc.reasons;
  atomic_store(&sampling.opened, true);
  return rc;
}

/* CUPTI has ended programs as it sampled them: who asks why one died is to know that it was sampled then. */
static void going_on(bool going) {
  char *path = str_printf("%s/%ld" RECORDS_SAMPLING, injection.folder, (long)injection.pid);
  int file = path && going ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file >= 0)
    close(file);
  if (path && !going)
    unlink(path);
  free(path);
}

/* CUPTI hands over what it still has as it is disabled.  The code is held. */
static void close_all(enum phase next) {
  struct err e = {0};
  if (sampling.pc.data.pPcData && !sampling.error && drain(&e))
    give_up(&e);
  if (pc_sampling_close(&sampling.pc))
    take(NULL, &sampling.pc.left_over, true, NULL);
  going_on(false);
  sampling.taken = true;
  sampling.ended[sampling.n_ended++] = sampling.pc;
  atomic_store(&sampling.phase,
               sampling.n_ended < OPENED_MAX ? next : OVER); /* not before: code has no turn any more once it is over */
}

static void drainer_start(void) {
  atomic_fetch_add(&sampling.drainers, 1);
  if (!thread_begin(drain_forever, NULL))
    atomic_fetch_sub(&sampling.drainers, 1);
}

/* Not yet where the program loads code just now, or did a moment ago. */
static void begin(CUcontext context) {
  struct err e = {0};
  unsigned long start_ns = clock_now_ns();
  gpu_wait();
  if (!code_hold(false)) {
    put_off(put_off_ns);
    return;
  }
  if (!has_rested()) { /* code came or went while it was waited for */
    code_release();
    return;
  }
  rate_ask();
  sampling.began_ns = sampling.began_ns ? sampling.began_ns : start_ns;
  atomic_store(&sampling.next_look, atomic_load(&sampling.launches) + 1);
  sampling.taken = false;
  going_on(true);
  int rc = sampling_open(context, &e);
  atomic_store(&sampling.phase, GOING);
  if (rc) {
    give_up(&e);
    close_all(OVER);
  }
  code_release();
  if (!rc)
    drainer_start();
  sampling.spent_s += 1e-9 * (double)(clock_now_ns() - start_ns);
}

/* Kernels that were named, not ranked, may have run for less time than activity takes to tell of them. */
static void times_have(void) {
  pthread_mutex_lock(&injection.lock);
  bool untimed = sampled_untimed();
  pthread_mutex_unlock(&injection.lock);
  if (!untimed)
    return;
  gpu_wait();
  activity_flush(true);
}

/* Whether there is enough, or it must be.  The injection's lock is held. */
static bool is_over(unsigned long launches, unsigned long now_ns) {
  if (sampling.error)
    return true;
  if (injection.samples_all) /* what comes later has its turn */
    return launches >= ALL_LAUNCHES_MAX || injection.total_ns > all_limit_gpu_ns ||
           now_ns > atomic_load(&sampling.limit_ns);
  bool several = !injection.focus.set.named || launches >= LAUNCHES_LEAST || sampling.total >= SEVERAL * WANTED;
  return launches >= LAUNCHES_MAX || now_ns > atomic_load(&sampling.limit_ns) ||
         (several && sampled_enough(WANTED, sampling.samples_a_ns));
}

/* CUPTI hands samples over 20 ms late, in which a program may launch a thousand kernels: how
 * many will come is worked out from mean times, and launches are waited for once, at the end. */
static void look(unsigned long launches, bool last) {
  unsigned long start_ns = clock_now_ns(), gap = launches / 4 < LOOK_GAP_MOST ? launches / 4 : LOOK_GAP_MOST;
  times_have();
  atomic_store(&sampling.next_look, launches + (gap ? gap : 1));
  pthread_mutex_lock(&injection.lock);
  bool over = last || is_over(launches, start_ns);
  pthread_mutex_unlock(&injection.lock);
  if (over)
    gpu_wait();
  if (over && code_hold(false)) {
    close_all(OVER);
    code_release();
  }
  sampling.spent_s += 1e-9 * (double)(clock_now_ns() - start_ns);
}

static bool look_is_due(unsigned long launches) {
  return launches >= atomic_load(&sampling.next_look) || is_late();
}

static bool busy_take(long ms) {
  struct timespec limit = clock_limit_in(ms);
  return pthread_mutex_timedlock(&sampling.busy, &limit) == 0;
}

/* busy is held: another thread may have begun or ended it meanwhile. */
static void launch_now(CUcontext context, unsigned long launches, bool last) {
  int phase = atomic_load(&sampling.phase);
  if (phase == GOING && (last || look_is_due(launches)))
    look(launches, last);
  else if (phase == BEFORE && (is_late() || (has_rested() && !gpu_claim())))
    atomic_store(&sampling.phase, OVER);
  else if (phase == BEFORE && has_rested())
    begin(context);
}

static _Thread_local bool held_launch;

bool samples_held_launch(void) {
  bool held = held_launch;
  held_launch = false;
  return atomic_exchange(&sampling.held_code, false) || held;
}

static unsigned long limit_from_now(void) {
  return clock_now_ns() + (unsigned long)(1e9 * (injection.samples_all ? all_limit_s : limit_s));
}

bool samples_launch(CUcontext context, bool chosen, bool last) {
  held_launch = false;
  int phase = atomic_load(&sampling.phase);
  unsigned long launches = atomic_load(&sampling.launches), none = 0;
  if (!injection.sampling_exponent || phase == OVER || (phase == BEFORE && !chosen))
    return false;
  if (phase == BEFORE)
    atomic_compare_exchange_strong(&sampling.limit_ns, &none, limit_from_now());
  bool due = phase == BEFORE ? has_rested() || is_late() : last || look_is_due(launches);
  /* Another thread that is at it may be in CUPTI, which may wait for what the caller holds. */
  held_launch = due && busy_take(launch_ms);
  if (held_launch) {
    launch_now(context, launches, last);
    pthread_mutex_unlock(&sampling.busy);
  }
  bool sampled = atomic_load(&sampling.phase) == GOING;
  atomic_fetch_add(&sampling.launches, sampled);
  return sampled;
}

bool samples_going(void) {
  return atomic_load(&sampling.phase) == GOING;
}

size_t samples_threads(void) {
  return (size_t)atomic_load(&sampling.drainers);
}

bool samples_may_go(void) {
  return injection.sampling_exponent && atomic_load(&sampling.phase) != OVER;
}

/* CUPTI ends sampling itself with its context, and hands over what it then still has. */
void samples_context_gone(CUcontext context) {
  struct err e = {0};
  if (!samples_going() || context != sampling.pc.context)
    return;
  bool busy = busy_take(gone_ms);
  if (busy && drain_now(&e))
    give_up(&e);
  atomic_store(&sampling.phase, OVER);
  going_on(false);
  if (busy)
    pthread_mutex_unlock(&sampling.busy);
}

/* A program that is short, and keeps the code that it loads, is not to wait before the first time. */
void samples_code_changed(void) {
  if (atomic_load(&sampling.opened) || atomic_load(&sampling.unloads))
    put_off(quiet_ns);
}

void samples_code_changes(bool unloads) {
  if (unloads)
    atomic_store(&sampling.unloads, true);
  samples_code_changed();
  if (!samples_going() || !busy_take(end_ms))
    return;
  unsigned long start_ns = clock_now_ns();
  if (samples_going() && code_hold(true)) {
    close_all(BEFORE);
    atomic_store(&sampling.held_code, true);
    samples_code_changed(); /* it took as long as code is to rest */
    code_release();
  }
  sampling.spent_s += 1e-9 * (double)(clock_now_ns() - start_ns);
  pthread_mutex_unlock(&sampling.busy);
}

/* Where a thread of the program stays in a call that loads code, what CUPTI still has is lost. */
static void end(void) {
  if (!busy_take(end_ms))
    return;
  bool going = atomic_load(&sampling.phase) == GOING;
  if (going && code_hold(true)) {
    close_all(OVER);
    code_release();
  } else if (!going && sampling.pc.left_over.pPcData && !sampling.taken) { /* the context went first */
    take(NULL, &sampling.pc.left_over, true, NULL);
    sampling.taken = true;
  }
  pthread_mutex_unlock(&sampling.busy);
}

void samples_end(void) {
  end();
  if (!sampling.reasons.n)
    return;
  inject_note("PC samples: %llu, one per SM every %lu cycles during %lu launches; starting and stopping took %.0f ms",
              (unsigned long long)sampling.total, 1ul << injection.sampling_exponent, atomic_load(&sampling.launches),
              1e3 * sampling.spent_s);
  if (sampled_lost())
    inject_note("%llu PC samples were dropped because the table was full: some kernels' samples are incomplete",
                (unsigned long long)sampled_lost());
}

/* Tens of thousands of lines, which do not change once sampling is over: they are kept. */
void samples_print(struct text *out) {
  static struct text kept;
  static uint64_t kept_of;
  static bool last; /* kept since sampling is over */
  if (!atomic_load(&sampling.opened))
    return;
  attach_record_print(out, RECORD_SAMPLING,
                      &(struct sampling_record){(double)(1ul << injection.sampling_exponent), sampling.total,
                                                sampling.dropped, sampling.error});
  if (!last || kept_of != sampled_user()) { /* CUPTI may hand over what it had after a context's end */
    last = !samples_may_go();
    kept_of = sampled_user();
    text_release(&kept);
    sampled_print(&kept, &sampling.reasons);
    last = last && text_ok(&kept);
  }
  text_add(out, text_str(&kept));
  out->failed = out->failed || !text_ok(&kept);
}
