/* Who may call CUPTI, and when.
 *
 * CUPTI's headers promise nothing of activity and PC sampling that several threads call for at
 * once, so this library's own calls take turns.  And while PC sampling is switched, or asked for
 * samples, no thread of the program is in a call that may load or unload code: on an H100 (CUPTI
 * 13.0, 2026-11-25) a program whose threads load, launch and unload died in cuLaunchKernel, in what
 * CUPTI calls there while it samples, and so did one of four runs of a compiled GPT-2.  A program
 * of one such thread is sampled while it loads, since there is no launch beside that; not while it
 * unloads: two of eight that did so all the time died (an H100, 2026-11-26).
 *
 * Nobody is waited for without end: a program's thread goes on after a while, whatever CUPTI does,
 * and who wants the code to stand still does without.  The lock of the injection is not held over
 * any call of CUPTI: a thread that loads code calls back with CUPTI's lock held, and waits for it
 * (the same program hung in three runs of four). */
#include "profiler/attach/inside/inject.h"

#include "base/clock.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static const long wait_ms = 2000, hold_ms = 2, patient_ms = 1000;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static struct {
  pthread_mutex_t lock; /* of all below; the last to be taken */
  pthread_cond_t changed;
  int inside; /* threads in such calls */
  bool held;
} code = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static __thread int depth;             /* of such calls of the thread: one may make another */
static __thread bool counted, holding; /* counted: it is one of code.inside */

/* Of the program's threads that launch, load or unload: the first, and whether there was another. */
static atomic_long only_thread;
static atomic_bool several_threads;

bool code_is_alone(void) {
  static __thread bool known;
  long none = 0;
  if (!known && !atomic_compare_exchange_strong(&only_thread, &none, syscall(SYS_gettid)))
    atomic_store(&several_threads, true);
  known = true;
  return !atomic_load(&several_threads);
}

static bool turn_take_within(long ms) {
  struct timespec limit = clock_limit_in(ms);
  return pthread_mutex_timedlock(&turn, &limit) == 0;
}

bool turn_take(void) {
  return turn_take_within(wait_ms);
}

void turn_give(bool taken) {
  if (taken)
    pthread_mutex_unlock(&turn);
}

void code_enter(void) {
  if (depth++ || holding)
    return;
  pthread_mutex_lock(&code.lock);
  struct timespec limit = code.held ? clock_limit_in(wait_ms) : (struct timespec){0};
  while (code.held && pthread_cond_timedwait(&code.changed, &code.lock, &limit) == 0)
    ;
  code.inside++;
  counted = true;
  pthread_mutex_unlock(&code.lock);
}

void code_leave(void) {
  if (depth == 0 || --depth || !counted) /* 0: callbacks were off as it entered */
    return;
  counted = false;
  pthread_mutex_lock(&code.lock);
  code.inside--;
  pthread_cond_broadcast(&code.changed);
  pthread_mutex_unlock(&code.lock);
}

bool code_hold(bool patient) {
  long ms = patient ? patient_ms : hold_ms;
  struct timespec limit = clock_limit_in(ms);
  if (!turn_take_within(ms))
    return false;
  pthread_mutex_lock(&code.lock);
  code.held = true;
  while (code.inside > counted && pthread_cond_timedwait(&code.changed, &code.lock, &limit) == 0)
    ;
  code.held = holding = code.inside == counted;
  if (!holding)
    pthread_cond_broadcast(&code.changed);
  pthread_mutex_unlock(&code.lock);
  turn_give(!holding);
  return holding;
}

void code_release(void) {
  pthread_mutex_lock(&code.lock);
  code.held = holding = false;
  pthread_cond_broadcast(&code.changed);
  pthread_mutex_unlock(&code.lock);
  turn_give(true);
}
