/* The Range Profiler: set up once, a session for all kernels. */
#include "profiler/attach/inside/counting.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counting counting = {.busy = PTHREAD_MUTEX_INITIALIZER};

/* --- setting up --- */

int counting_set_up(CUcontext context, struct err *e) {
  double start_s = clock_now_s();
  if (injection.current_device)
    injection.current_device(&counting.device);
  cupti_companions(&injection.cupti);
  int rc = counter_config_make(&counting.config, &injection.cupti, context, counting.device, COUNTERS_APART_FIRST, e);
  if (!rc && counting.config.passes > PASSES_MAX)
    rc = err_set(e, ERR_GPU, "CUPTI asks for %zu passes, more than %d", counting.config.passes, PASSES_MAX);
  counting.ready = !rc;
  counting.setup_s = clock_now_s() - start_s;
  return rc;
}

/* --- a session --- */

int counting_open(CUcontext context, bool replay, size_t n_slots, struct err *e) {
  counting.n_slots = replay ? 1 : n_slots;
  int rc = range_session_open(&counting.session, &counting.config, context, counting.n_slots, replay, e);
  if (counting.session.profiler) {
    counting.context = context;
    counting.pass = 0;
  }
  return rc;
}

bool slot_take(struct kernel *k) {
  size_t at = 0;
  while (at < counting.n_slots && counting.slots[at])
    at++;
  if (at == counting.n_slots)
    return false;
  counting.slots[at] = k;
  return k->counted->has_slot = true;
}

static size_t slot_of(const struct kernel *k) {
  size_t at = 0;
  while (counting.slots[at] != k)
    at++;
  return at;
}

/* --- values --- */

static int read_range(size_t range, struct kernel *k, struct err *e) {
  int rc = range_evaluate(&counting.session, range, e);
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < counting.config.table.n && !rc; i++)
    if (range_value(&counting.session, i, &k->counted->latest[i], NULL))
      k->counted->latest[i] = NAN;
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  return rc;
}

static struct kernel *range_kernel(size_t range) {
  const char *name = NULL;
  if (counting.session.replay) /* CUPTI names these by itself; there is one */
    return counting.slots[0];
  if (range_name(&counting.session, range, &name, NULL) || !name)
    return NULL;
  size_t at = strtoul(name, NULL, 10);
  return at < counting.n_slots ? counting.slots[at] : NULL;
}

int counting_read(struct err *e) {
  size_t n = 0;
  int rc = counting.fresh ? range_count(&counting.session, &n, e) : 0;
  for (size_t i = 0; i < n && !rc; i++) {
    struct kernel *k = range_kernel(i);
    rc = k ? read_range(i, k, e) : 0;
  }
  counting.fresh = false;
  return rc;
}

/* What the round gave is added to what the rounds before gave. */
static void round_add(struct counted *k) {
  for (size_t i = 0; i < counting.config.table.n; i++) {
    if (isfinite(k->latest[i])) {
      k->sums[i] += k->latest[i];
      k->n[i]++;
    }
    k->latest[i] = NAN;
  }
  uint64_t all = counting.config.passes == PASSES_MAX ? UINT64_MAX : ((uint64_t)1 << counting.config.passes) - 1;
  k->rounds += k->in_round == all;
  k->in_round = 0;
  k->done = injection.count ? k->launches >= injection.count : k->rounds > 0;
}

/* Ends a round, whole or not: kernels that have all they need, or do not come, make room. */
static int round_end(struct err *e) {
  int result = counting_read(e);
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < counting.n_slots; i++) {
    struct kernel *k = counting.slots[i];
    if (!k)
      continue;
    round_add(k->counted);
    if (k->counted->done || k->counted->lapsed || counting.session.replay) {
      k->counted->has_slot = false;
      counting.slots[i] = NULL;
    }
  }
  pthread_mutex_unlock(&injection.lock);
  counting.pass = 0;
  return result;
}

/* --- passes --- */

int counting_next_pass(struct err *e) {
  size_t dropped;
  counting.started = false;
  int rc = range_pass_end(&counting.session, NULL, e);
  if (!rc)
    rc = range_decode(&counting.session, &dropped, e);
  counting.fresh = !rc;
  for (size_t i = 0; i < counting.n_slots; i++)
    if (counting.slots[i])
      counting.slots[i]->counted->waits = 0;
  if (rc || (++counting.pass < counting.config.passes && !counting.session.replay))
    return rc;
  rc = round_end(e);
  return rc ? rc : range_session_clear(&counting.session, e);
}

int counting_begin(struct kernel *k, struct err *e) {
  char name[16];
  snprintf(name, sizeof name, "%zu", slot_of(k));
  int rc = counting.started ? 0 : range_pass_begin(&counting.session, e);
  counting.started = !rc;
  return rc || counting.session.replay ? rc : range_push(&counting.session, name, e);
}

int counting_end(struct kernel *k, struct err *e) {
  bool replay = counting.session.replay;
  int rc = replay ? 0 : range_pop(&counting.session, e);
  pthread_mutex_lock(&injection.lock);
  k->counted->in_round |= replay ? UINT64_MAX >> (64 - counting.config.passes) : (uint64_t)1 << counting.pass;
  k->counted->launches += !rc;
  k->counted->lapsed = false;
  k->counted->waits = 0;
  pthread_mutex_unlock(&injection.lock);
  return rc;
}

void counting_close(void) {
  struct err e = {0};
  if (!counting.session.profiler)
    return;
  if (counting.started)
    counting_next_pass(&e);
  round_end(&e); /* what cannot be read is absent, with its reason */
  for (size_t i = 0; i < counting.n_slots; i++) {
    if (counting.slots[i])
      counting.slots[i]->counted->has_slot = false;
    counting.slots[i] = NULL;
  }
  range_session_close(&counting.session);
}
