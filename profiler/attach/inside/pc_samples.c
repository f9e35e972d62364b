#include "profiler/attach/inside/pc_samples.h"

#include "base/clock.h"
#include "profiler/cuda/pc_sampling.h"

#include <stdatomic.h>
#include <time.h>

enum {
  WANTED = 4000,       /* samples of each chosen kernel */
  LOOK_GAP_MOST = 128, /* launches between two looks: a quarter of those so far, one at least */
  LAUNCHES_MAX = 4096,
  LAUNCHES_LEAST = 16, /* of kernels that are named, which come one after another; but of 100 ms each a few will do */
  SEVERAL = 32,
  PCS_MAX = 8192, /* of a hand-over; what is left comes with the next */
  HARDWARE_BYTES = 32 << 20,
  DRAIN_MS = 20,
  DRAINS_A_PART = 5,
};
static const double limit_s = 2;

enum phase { BEFORE, GOING, OVER };

static struct {
  atomic_int phase;
  atomic_ulong launches;  /* while it is going */
  atomic_ulong next_look; /* the launch before which it is seen whether there are enough samples */
  atomic_ulong limit_ns;  /* when it ends, whatever there is, once the ranking holds; 0: it does not yet */
  pthread_mutex_t busy;   /* of all below; taken before the lock of the injection */
  struct pc_sampling pc;
  uint64_t total, dropped;
  unsigned marks;      /* the ranking's; what was sampled before is forgotten */
  double samples_a_ns; /* of all SMs, while a kernel fills them */
  unsigned long began_ns;
  double spent_s; /* of the program's own threads: to begin, look and end */
  char *error;
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
    sampled_add(&d->pPcData[i], &sampling.pc.reasons);
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  return 0;
}

static int drain(struct err *e) {
  return pc_sampling_drain(&sampling.pc, take, NULL, e);
}

/* What was sampled by now outlives a kill: it is taken and written while the program runs. */
static void *drain_forever(void *context) {
  (void)context;
  for (unsigned n = 1; atomic_load(&sampling.phase) == GOING; n++) {
    struct err e = {0};
    nanosleep(&(struct timespec){.tv_nsec = DRAIN_MS * 1000000L}, NULL);
    pthread_mutex_lock(&sampling.busy);
    int result = atomic_load(&sampling.phase) == GOING ? drain(&e) : 0;
    pthread_mutex_unlock(&sampling.busy);
    if (result)
      give_up(&e);
    if (n % DRAINS_A_PART == 0)
      injection.records_write(false);
    if (result)
      break;
  }
  return NULL;
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
  int rc = sampled_open() ? err_nomem(e, "PC samples") : 0;
  return rc ? rc : pc_sampling_open(&sampling.pc, &injection.cupti, context, &settings, e);
}

/* CUPTI hands over what it still has as it is disabled. */
static void close_all(void) {
  struct err e = {0};
  atomic_store(&sampling.phase, OVER);
  if (sampling.pc.data.pPcData && !sampling.error && drain(&e))
    give_up(&e);
  if (pc_sampling_close(&sampling.pc))
    take(NULL, &sampling.pc.left_over, true, NULL);
  pc_sampling_release_data(&sampling.pc);
}

static void begin(CUcontext context) {
  struct err e = {0};
  pthread_t thread;
  unsigned long start_ns = clock_now_ns();
  gpu_wait();
  rate_ask();
  sampling.began_ns = start_ns;
  atomic_store(&sampling.next_look, 1);
  int result = sampling_open(context, &e);
  atomic_store(&sampling.phase, GOING);
  if (result) {
    give_up(&e);
    close_all();
  } else if (pthread_create(&thread, NULL, drain_forever, NULL) == 0) {
    pthread_detach(thread);
  }
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

/* Kernels of a warm-up, or an autotuner's trials, take neither the table's room nor the phase's time.  The injection's lock is held; true: it begins anew. */
static bool forget(void) {
  if (sampling.marks == injection.focus.marks)
    return false;
  sampling.marks = injection.focus.marks;
  sampling.total = sampling.dropped = 0;
  sampled_forget();
  atomic_store(&sampling.launches, 0);
  atomic_store(&sampling.next_look, 1);
  return true;
}

/* Whether there is enough, or it must be.  The injection's lock is held. */
static bool is_over(unsigned long launches, unsigned long now_ns) {
  if (sampling.error)
    return true;
  if (!focus_may_count(&injection.focus))
    return false;
  if (!atomic_load(&sampling.limit_ns))
    atomic_store(&sampling.limit_ns, now_ns + (unsigned long)(1e9 * limit_s));
  bool several = !injection.focus.set.named || launches >= LAUNCHES_LEAST || sampling.total >= SEVERAL * WANTED;
  return launches >= LAUNCHES_MAX || now_ns > atomic_load(&sampling.limit_ns) ||
         (several && sampled_enough(WANTED, sampling.samples_a_ns));
}

/* CUPTI hands samples over some 20 ms after they were taken, in which time a program may launch a thousand kernels: how many there will be is therefore
 * worked out, by the kernels' mean times, and the kernels that were launched are waited for only once, at the end. */
static void look(unsigned long launches) {
  unsigned long start_ns = clock_now_ns(), gap = launches / 4 < LOOK_GAP_MOST ? launches / 4 : LOOK_GAP_MOST;
  times_have();
  atomic_store(&sampling.next_look, launches + (gap ? gap : 1));
  pthread_mutex_lock(&injection.lock);
  bool over = !forget() && is_over(launches, start_ns);
  pthread_mutex_unlock(&injection.lock);
  if (over) {
    gpu_wait();
    close_all();
  }
  sampling.spent_s += 1e-9 * (double)(clock_now_ns() - start_ns);
}

/* Also as soon as the ranking has changed, or holds. */
static bool look_is_due(unsigned long launches) {
  unsigned long limit_ns = atomic_load(&sampling.limit_ns);
  if (launches >= atomic_load(&sampling.next_look) || (limit_ns && clock_now_ns() > limit_ns))
    return true;
  pthread_mutex_lock(&injection.lock);
  bool anew = sampling.marks != injection.focus.marks || (!limit_ns && focus_may_count(&injection.focus));
  pthread_mutex_unlock(&injection.lock);
  return anew;
}

bool samples_launch(CUcontext context, bool chosen, bool capturing) {
  int phase = atomic_load(&sampling.phase);
  unsigned long launches = atomic_load(&sampling.launches);
  if (!injection.sampling_exponent || capturing || phase == OVER || (phase == BEFORE && !chosen))
    return false;
  if (phase == BEFORE || look_is_due(launches)) {
    pthread_mutex_lock(&sampling.busy);
    phase = atomic_load(&sampling.phase);
    if (phase == BEFORE && !gpu_claim())
      atomic_store(&sampling.phase, OVER);
    else if (phase == BEFORE)
      begin(context);
    else if (phase == GOING && look_is_due(launches))
      look(launches);
    pthread_mutex_unlock(&sampling.busy);
  }
  bool sampled = atomic_load(&sampling.phase) == GOING;
  atomic_fetch_add(&sampling.launches, sampled);
  return sampled;
}

bool samples_going(void) {
  return atomic_load(&sampling.phase) == GOING;
}

/* CUPTI ends sampling itself with its context, and hands over what it then still has.  The lock may be held by the thread that drains, which may wait for the
 * driver's, which the caller may hold. */
void samples_context_gone(CUcontext context) {
  struct err e = {0};
  int going = GOING;
  if (context != sampling.pc.context || !atomic_compare_exchange_strong(&sampling.phase, &going, OVER))
    return;
  if (pthread_mutex_trylock(&sampling.busy) == 0) {
    if (drain(&e))
      give_up(&e);
    pthread_mutex_unlock(&sampling.busy);
  }
}

void samples_end(void) {
  pthread_mutex_lock(&sampling.busy);
  if (atomic_load(&sampling.phase) == GOING)
    close_all();
  else if (sampling.pc.left_over.pPcData) /* the context went first */
    take(NULL, &sampling.pc.left_over, true, NULL);
  pthread_mutex_unlock(&sampling.busy);
  if (!sampling.pc.reasons.n)
    return;
  inject_note("PC samples: %llu, one per SM every %lu cycles during %lu launches; starting and stopping took %.0f ms",
              (unsigned long long)sampling.total, 1ul << injection.sampling_exponent, atomic_load(&sampling.launches),
              1e3 * sampling.spent_s);
  if (sampled_lost())
    inject_note("%llu PC samples were dropped because the table was full: some kernels' samples are incomplete",
                (unsigned long long)sampled_lost());
}

void samples_print(struct text *out) {
  if (atomic_load(&sampling.phase) == BEFORE)
    return;
  attach_record_print(out, RECORD_SAMPLING,
                      &(struct sampling_record){(double)(1ul << injection.sampling_exponent), sampling.total,
                                                sampling.dropped, sampling.error});
  sampled_print(out, &sampling.pc.reasons);
}
