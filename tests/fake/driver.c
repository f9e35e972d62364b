/* The fake driver as the fake CUPTI sees it: asked of the one that the profiler has loaded.  See fake.h. */
#include "fake/fake.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUE_MAX = 65536 };

/* Activity and PC sampling each see every launch, whoever asks first. */
static struct queue {
  struct fake_launch launches[QUEUE_MAX];
  size_t first, n;
} queues[FAKE_CONSUMERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t address(const char *name) { /* a function's address comes as data */
  const char *path = getenv("NVFP4_LIBCUDA");
  void *driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  return driver ? (size_t)dlsym(driver, name) : 0;
}

static void queue_add(struct queue *q, const struct fake_launch *l) {
  if (q->first + q->n == QUEUE_MAX && q->first) {
    memmove(q->launches, q->launches + q->first, q->n * sizeof *q->launches);
    q->first = 0;
  }
  if (q->n < QUEUE_MAX)
    q->launches[q->first + q->n++] = *l;
}

/* The lock is held. */
static void take_all(void) {
  __typeof__(&fake_launches_take) take = (__typeof__(take))address("fake_launches_take");
  static struct fake_launch some[1024];
  for (size_t got; take && (got = take(some, sizeof some / sizeof some[0]));)
    for (size_t i = 0; i < got * FAKE_CONSUMERS; i++)
      queue_add(&queues[i % FAKE_CONSUMERS], &some[i / FAKE_CONSUMERS]);
}

size_t fake_driver_launches(enum fake_consumer consumer, struct fake_launch *out, size_t max) {
  struct queue *q = &queues[consumer];
  pthread_mutex_lock(&lock);
  take_all();
  size_t n = q->n < max ? q->n : max;
  memcpy(out, q->launches + q->first, n * sizeof *out);
  q->first += n;
  q->n -= n;
  pthread_mutex_unlock(&lock);
  return n;
}

uint64_t fake_driver_blocks(void) {
  __typeof__(&fake_blocks) blocks = (__typeof__(blocks))address("fake_blocks");
  return blocks ? blocks() : 0;
}
