/* The counters' plan, made while the program starts: loading CUPTI's Host API and asking it for
 * each counter needs no GPU, and took most of the 0.4 to 0.5 s for which the program waited where
 * counting began.
 *
 * A library that is loaded while the process ends, or is used as its destructors run, could end it
 * badly.  So whoever ends waits for the thread, which looks between its steps whether it is to
 * stop; and a program that ends at once does not meet it. */
#include "profiler/attach/inside/counting.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const long begin_ms = 200, end_ms = 2000;
enum { NICE = 10 };

static struct {
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t changed;
  bool begun, goes, works, stop; /* goes: there is the thread; works: it has begun */
  struct counter_plan plan;
} ahead = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* The chips whose names are known without CUPTI's profiler, which is not to be started before PC
 * samples are taken (pc_samples.h). */
static const char *chip_of(int sm) {
  static const struct {
    int sm;
    const char *chip;
  } chips[] = {{90, "GH100"}, {100, "GB100"}};
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
    if (chips[i].sm == sm)
      return chips[i].chip;
  return NULL;
}

/* False: the thread is to stop. */
static bool goes_on(long after_ms) {
  struct timespec limit = clock_limit_in(after_ms);
  pthread_mutex_lock(&ahead.lock);
  while (after_ms && !ahead.stop && pthread_cond_timedwait(&ahead.changed, &ahead.lock, &limit) == 0)
    ;
  bool on = ahead.works = !ahead.stop;
  pthread_mutex_unlock(&ahead.lock);
  return on;
}

/* CUPTI's Host API makes some of what it holds when it is first asked, and has it destroyed before whatever was to run at the exit by then: of 34 runs of a
 * program of 0.3 s 13 died of that (an H100, CUPTI 13.0, 2026-11-26).  Who registers after each question is waited for before that. */
static bool next_question(void) {
  atexit(ahead_end);
  return goes_on(0);
}

static void *make(void *chip) {
  struct counter_plan plan = {0};
  struct err e = {0};
  setpriority(PRIO_PROCESS, 0, NICE); /* the thread's own, on Linux */
  if (goes_on(begin_ms))
    cupti_companions(&injection.cupti);
  if (next_question() && counter_plan_make(&plan, &injection.cupti, chip, next_question, &e))
    counter_plan_release(&plan); /* it is made, and fails, where counting begins */
  pthread_mutex_lock(&ahead.lock);
  ahead.plan = plan;
  ahead.goes = false;
  pthread_cond_broadcast(&ahead.changed);
  pthread_mutex_unlock(&ahead.lock);
  return NULL;
}

void ahead_begin(int sm) {
  const char *chip = chip_of(sm);
  pthread_mutex_lock(&ahead.lock);
  if (chip && injection.top && !ahead.begun && !ahead.stop) {
    ahead.begun = true;
    ahead.goes = thread_begin(make, (void *)(size_t)chip);
  }
  pthread_mutex_unlock(&ahead.lock);
}

struct counter_plan *ahead_plan(void) {
  pthread_mutex_lock(&ahead.lock);
  ahead.stop = !ahead.works; /* it would come too late */
  while (ahead.goes && ahead.works)
    pthread_cond_wait(&ahead.changed, &ahead.lock);
  pthread_mutex_unlock(&ahead.lock);
  return &ahead.plan;
}

void ahead_end(void) {
  struct timespec limit = clock_limit_in(end_ms);
  pthread_mutex_lock(&ahead.lock);
  ahead.stop = true;
  pthread_cond_broadcast(&ahead.changed);
  while (ahead.goes && pthread_cond_timedwait(&ahead.changed, &ahead.lock, &limit) != ETIMEDOUT)
    ;
  pthread_mutex_unlock(&ahead.lock);
}
