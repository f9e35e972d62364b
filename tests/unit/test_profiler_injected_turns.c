/* Who may call CUPTI, and who may load code, while another does.  Nothing is judged by a clock: a thread is waited for until it has done what it was told, or
 * sleeps at it; one that slept and went on without being let on had no patience left, and only then. */
#include "injected.h"

#include "base/clock.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum task { ENTER, LEAVE, HOLD, HOLD_PATIENT, RELEASE, TAKE, GIVE, GIVE_NONE, STOP };

static struct other { /* a thread that does what it is told */
  pthread_t thread;
  sem_t told, done;
  enum task task;
  bool result;
  double took_s;
  _Atomic long tid;
  atomic_bool did;
} others[2];

static bool does(enum task task) {
  switch (task) {
  case ENTER:
    code_enter();
    return true;
  case LEAVE:
    code_leave();
    return true;
  case HOLD:
    return code_hold(false);
  case HOLD_PATIENT:
    return code_hold(true);
  case RELEASE:
    code_release();
    return true;
  case TAKE:
    return turn_take();
  case GIVE:
    turn_give(true);
    return true;
  case GIVE_NONE:
    turn_give(false);
    return true;
  case STOP:
    break;
  }
  return false;
}

static void *obey(void *context) {
  struct other *o = context;
  o->tid = syscall(SYS_gettid);
  for (;;) {
    sem_wait(&o->told);
    if (o->task == STOP)
      return NULL;
    double start_s = clock_now_s();
    o->result = does(o->task);
    o->took_s = clock_now_s() - start_s;
    atomic_store(&o->did, true);
    sem_post(&o->done);
  }
}

static void tell(size_t other, enum task task) {
  others[other].task = task;
  atomic_store(&others[other].did, false);
  sem_post(&others[other].told);
}

static bool answer(size_t other) {
  sem_wait(&others[other].done);
  return others[other].result;
}

static bool ask(size_t other, enum task task) {
  tell(other, task);
  return answer(other);
}

static bool sleeps(size_t other) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)others[other].tid);
  FILE *file = fopen(path, "re");
  size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  text[n] = 0;
  const char *after = strrchr(text, ')');
  return after && strncmp(after, ") S", 3) == 0;
}

/* Until it waits within the task; false: it has done it. */
static bool waits(size_t other) {
  int seen = 0, told = 1;
  while (!atomic_load(&others[other].did) && seen < 20) { /* once it may sleep at a page */
    sem_getvalue(&others[other].told, &told);
    seen = told == 0 && sleeps(other) ? seen + 1 : 0;
    usleep(100);
  }
  return !atomic_load(&others[other].did);
}

static int begin(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    sem_init(&others[i].told, 0, 0);
    sem_init(&others[i].done, 0, 0);
    pthread_create(&others[i].thread, NULL, obey, &others[i]);
  }
  return 0;
}

static int end(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    tell(i, STOP);
    pthread_join(others[i].thread, NULL);
  }
  return 0;
}

static void is_free(void) {
  assert_true(ask(1, HOLD));
  ask(1, RELEASE);
  assert_true(ask(1, TAKE));
  ask(1, GIVE);
}

/* One has the turn; who only tries a moment goes without. */
static void test_turn(void **state) {
  (void)state;
  assert_true(ask(0, TAKE));
  assert_false(ask(1, HOLD));
  ask(0, GIVE_NONE); /* it gives back what it has not: nothing */
  assert_false(ask(1, HOLD));
  tell(1, TAKE);
  bool waited = waits(1);
  ask(0, GIVE);
  assert_true(answer(1) || others[1].took_s >= 2);
  assert_true(waited || others[1].took_s >= 2);
  if (others[1].result)
    ask(1, GIVE);
  is_free();
}

/* Who holds the code has the turn, too, and gives both back. */
static void test_hold_has_turn(void **state) {
  (void)state;
  assert_true(ask(0, HOLD));
  assert_false(ask(1, HOLD));
  tell(1, TAKE);
  bool waited = waits(1);
  ask(0, RELEASE);
  assert_true(answer(1) || others[1].took_s >= 2);
  assert_true(waited || others[1].took_s >= 2);
  if (others[1].result)
    ask(1, GIVE);
  is_free();
}

/* While a thread loads code none is held; what a call calls itself counts once. */
static void test_inside(void **state) {
  (void)state;
  ask(0, ENTER);
  assert_false(ask(1, HOLD));
  ask(0, ENTER);
  ask(0, LEAVE);
  assert_false(ask(1, HOLD));
  ask(0, LEAVE);
  is_free();
  ask(0, LEAVE); /* callbacks were off as it entered */
  is_free();
  ask(0, ENTER);
  assert_false(ask(1, HOLD));
  ask(0, LEAVE);
  is_free();
}

/* A failed try holds nothing: who loads code goes on, and the next may try. */
static void test_failed_try(void **state) {
  (void)state;
  ask(0, ENTER);
  assert_false(ask(1, HOLD));
  tell(1, ENTER);
  assert_false(waits(1));
  answer(1);
  ask(1, LEAVE);
  assert_true(ask(1, TAKE));
  ask(1, GIVE);
  ask(0, LEAVE);
  is_free();
}

/* Its own call does not keep a thread from holding the code, another's does. */
static void test_own_call(void **state) {
  (void)state;
  ask(0, ENTER);
  assert_true(ask(0, HOLD));
  ask(0, RELEASE);
  ask(1, ENTER);
  assert_false(ask(0, HOLD));
  ask(1, LEAVE);
  assert_true(ask(0, HOLD));
  ask(0, RELEASE);
  ask(0, LEAVE);
  is_free();
}

/* Who wants to load code waits while it is held. */
static void test_enter_waits(void **state) {
  (void)state;
  assert_true(ask(0, HOLD));
  tell(1, ENTER);
  bool waited = waits(1);
  ask(0, RELEASE);
  answer(1);
  assert_true(waited || others[1].took_s >= 2);
  assert_false(ask(0, HOLD)); /* it is inside */
  ask(1, LEAVE);
  is_free();
}

/* What changes meanwhile, here the holder's own call that ends, lets nobody on. */
static void test_enter_waits_on(void **state) {
  (void)state;
  ask(0, ENTER);
  assert_true(ask(0, HOLD));
  tell(1, ENTER);
  bool waited = waits(1);
  ask(0, LEAVE);
  bool waited_on = waits(1);
  ask(0, RELEASE);
  answer(1);
  assert_true((waited && waited_on) || others[1].took_s >= 2);
  ask(1, LEAVE);
  is_free();
}

/* The holder itself loads code without waiting, and is then none of those that do. */
static void test_holder_enters(void **state) {
  (void)state;
  assert_true(ask(0, HOLD));
  tell(0, ENTER);
  assert_false(waits(0));
  answer(0);
  ask(0, LEAVE);
  ask(0, RELEASE);
  is_free();
  ask(0, ENTER); /* and afterwards it counts as any other */
  assert_false(ask(1, HOLD));
  ask(0, LEAVE);
  is_free();
}

/* Who is patient waits until the last one has left. */
static void test_patient(void **state) {
  (void)state;
  ask(0, ENTER);
  tell(1, HOLD_PATIENT);
  bool waited = waits(1);
  ask(0, LEAVE);
  bool held = answer(1);
  assert_true(held || others[1].took_s >= 1);
  assert_true(waited || others[1].took_s >= 1);
  if (held)
    ask(1, RELEASE);
  is_free();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_turn),           cmocka_unit_test(test_hold_has_turn), cmocka_unit_test(test_inside),
      cmocka_unit_test(test_failed_try),     cmocka_unit_test(test_own_call),      cmocka_unit_test(test_enter_waits),
      cmocka_unit_test(test_enter_waits_on), cmocka_unit_test(test_holder_enters), cmocka_unit_test(test_patient),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
