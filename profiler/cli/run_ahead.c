#include "profiler/cli/run_ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 4, SLOTS = 2 * THREADS_MAX };

struct slot {
  struct run run;
  struct err why;
  int rc;
  bool full;
};

struct run_ahead {
  run_ahead_load *load;
  char *const *paths;
  size_t n, begun, asked; /* files whose loading has begun; that were handed out */
  struct slot slots[SLOTS];
  pthread_mutex_t lock; /* of all above */
  pthread_cond_t changed;
  pthread_t threads[THREADS_MAX];
  size_t n_threads;
};

static void load_into(struct run_ahead *a, size_t at) {
  struct slot *s = &a->slots[at % SLOTS];
  pthread_mutex_unlock(&a->lock);
  s->why = (struct err){0};
  s->rc = a->load(&s->run, a->paths[at], &s->why);
  pthread_mutex_lock(&a->lock);
  s->full = true;
  pthread_cond_broadcast(&a->changed);
}

static void *load_all(void *context) {
  struct run_ahead *a = context;
  pthread_mutex_lock(&a->lock);
  while (a->begun < a->n)
    if (a->begun < a->asked + SLOTS)
      load_into(a, a->begun++);
    else
      pthread_cond_wait(&a->changed, &a->lock);
  pthread_mutex_unlock(&a->lock);
  return NULL;
}

struct run_ahead *run_ahead_start(run_ahead_load *load, char *const *paths, size_t n) {
  struct run_ahead *a = calloc(1, sizeof *a);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  a->load = load;
  a->paths = paths;
  a->n = n;
  pthread_mutex_init(&a->lock, NULL);
  pthread_cond_init(&a->changed, NULL);
  for (long i = 0; i < processors && i < THREADS_MAX && (size_t)i < n; i++)
    if (pthread_create(&a->threads[a->n_threads], NULL, load_all, a) == 0)
      a->n_threads++;
  return a;
}

int run_ahead_next(struct run_ahead *a, struct run *out, struct err *e) {
  struct slot *s = &a->slots[a->asked % SLOTS];
  pthread_mutex_lock(&a->lock);
  if (a->n_threads == 0)
    load_into(a, a->begun++);
  while (!s->full)
    pthread_cond_wait(&a->changed, &a->lock);
  int rc = s->rc ? err_set(e, s->rc, "%s", s->why.text) : 0;
  *out = s->run;
  s->run = (struct run){0};
  s->full = false;
  a->asked++;
  pthread_cond_broadcast(&a->changed);
  pthread_mutex_unlock(&a->lock);
  return rc;
}

void run_ahead_end(struct run_ahead *a) {
  pthread_mutex_lock(&a->lock);
  a->n = a->begun;
  pthread_cond_broadcast(&a->changed);
  pthread_mutex_unlock(&a->lock);
  for (size_t i = 0; i < a->n_threads; i++)
    pthread_join(a->threads[i], NULL);
  for (size_t i = 0; i < SLOTS; i++)
    run_release(&a->slots[i].run);
  pthread_cond_destroy(&a->changed);
  pthread_mutex_destroy(&a->lock);
  free(a);
}
