#include "kernels/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

enum { THREADS_MAX = 256 };

struct range {
  pthread_t thread;
  bool started;
  parallel_fn *work;
  void *context;
  size_t begin, end;
};

static void *range_main(void *argument) {
  struct range *r = argument;
  r->work(r->context, r->begin, r->end);
  return NULL;
}

/* A container or taskset may allow fewer cores than are online. */
static size_t cores(void) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

  return n > 0 ? (size_t)n : 1;
}

void parallel_run(int threads, size_t n, size_t grain, parallel_fn *work, void *context) {
  struct range ranges[THREADS_MAX];
  size_t count = threads > 0 ? (size_t)threads : cores();
  if (count > THREADS_MAX)
    count = THREADS_MAX;
  if (count > n / grain)
    count = n / grain;
  if (count < 1)
    count = 1;
  for (size_t i = 0; i < count; i++) {
    struct range *r = &ranges[i];
    *r = (struct range){.work = work, .context = context};
    r->begin = n / count * i + n % count * i / count;
    r->end = n / count * (i + 1) + n % count * (i + 1) / count;
    if (i > 0)
      r->started = pthread_create(&r->thread, NULL, range_main, r) == 0;
  }
  for (size_t i = 0; i < count; i++)
    if (ranges[i].started)
      pthread_join(ranges[i].thread, NULL);
    else
      range_main(&ranges[i]);
}
