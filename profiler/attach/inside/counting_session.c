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
  struct counter_plan *plan = ahead_plan();
  cupti_companions(&injection.cupti);
  int rc = counter_config_make(&counting.config, &injection.cupti, context, counting.device, COUNTERS_APART_FIRST,
                               injection.pass_set, plan, e);
  if (!rc && counting.config.passes > FOCUS_PASSES_MAX)
    rc = err_set(e, ERR_GPU, "CUPTI asks for %zu passes, more than %d", counting.config.passes, FOCUS_PASSES_MAX);
  counting.ready = !rc;
  counting.setup_s = clock_now_s() - start_s;
  return rc;
}

/* --- a session --- */

int counting_open(CUcontext context, bool replay, size_t n_slots, struct err *e) {
  size_t slots = replay ? 1 : n_slots;
  int rc = range_session_open(&counting.session, &counting.config, context, slots, replay, e);
  if (counting.session.profiler) {
    counting.context = context;
    atomic_store(&counting.open, true);
    pthread_mutex_lock(&injection.lock);
    focus_round_begin(&injection.focus, counting.config.passes, slots, replay);
    pthread_mutex_unlock(&injection.lock);
  }
  return rc;
}

/* --- values --- */

static int read_range(size_t range, struct kernel *k, struct err *e) {
  int rc = k->counted->sums ? range_evaluate(&counting.session, range, e) : 0;
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; k->counted->sums && i < counting.config.table.n && !rc; i++)
    if (range_value(&counting.session, i, &k->counted->latest[i], NULL))
      k->counted->latest[i] = NAN;
  injection.dirty = true;
  pthread_mutex_unlock(&injection.lock);
  return rc;
}

static struct kernel *slot_kernel(size_t at) {
  const struct focus *h = &injection.focus;
  return at < h->n_slots && h->slots[at] != FOCUS_NONE ? &injection.kernels[h->slots[at]] : NULL;
}

static struct kernel *range_kernel(size_t range) {
  const char *name = NULL;
  if (counting.session.replay) /* CUPTI names these by itself; there is one */
    return slot_kernel(0);
  if (range_name(&counting.session, range, &name, NULL) || !name)
    return NULL;
  return slot_kernel(strtoul(name, NULL, 10));
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
  for (size_t i = 0; k && k->sums && i < counting.config.table.n; i++) {
    if (isfinite(k->latest[i])) {
      k->sums[i] += k->latest[i];
      k->n[i]++;
    }
    k->latest[i] = NAN;
  }
}

/* Ends the pass that is open, if one is. */
static int pass_end(struct err *e) {
  size_t dropped;
  if (!counting.started)
    return 0;
  counting.started = false;
  int rc = range_pass_end(&counting.session, NULL, e);
  if (!rc)
    rc = range_decode(&counting.session, &dropped, e);
  counting.fresh = !rc;
  return rc;
}

int counting_round_end(bool close, struct err *e) {
  int rc = pass_end(e);
  if (!rc)
    rc = counting_read(e);
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < injection.focus.n_slots; i++)
    if (slot_kernel(i))
      round_add(slot_kernel(i)->counted);
  focus_round_end(&injection.focus, close);
  pthread_mutex_unlock(&injection.lock);
  return rc || close ? rc : range_session_clear(&counting.session, e);
}

/* --- passes --- */

int counting_next_pass(struct err *e) {
  int rc = pass_end(e);
  if (rc)
    return rc;
  pthread_mutex_lock(&injection.lock);
  bool goes_on = focus_pass_end(&injection.focus) && !counting.session.replay;
  pthread_mutex_unlock(&injection.lock);
  return goes_on ? 0 : counting_round_end(counting.session.replay, e);
}

int counting_begin(struct kernel *k, struct err *e) {
  char name[16];
  snprintf(name, sizeof name, "%zu", focus_slot_of(&injection.focus, focus_index(k)));
  int rc = counting.started ? 0 : range_pass_begin(&counting.session, e);
  counting.started = !rc;
  return rc || counting.session.replay ? rc : range_push(&counting.session, name, e);
}

int counting_end(struct kernel *k, struct err *e) {
  bool replay = counting.session.replay;
  int rc = replay ? 0 : range_pop(&counting.session, e);
  pthread_mutex_lock(&injection.lock);
  if (!rc)
    focus_counted(&injection.focus, focus_index(k), replay);
  pthread_mutex_unlock(&injection.lock);
  return rc;
}

void counting_close(void) {
  struct err e = {0};
  if (!counting.session.profiler)
    return;
  counting_round_end(true, &e); /* what cannot be read is absent, with its reason */
  range_session_close(&counting.session);
  atomic_store(&counting.open, false);
}
