/* The listings of all kernels that are disassembled, each started once, while the program runs where that can be. */
#include "base/array.h"
#include "profiler/attach/outside/composing.h"

#include "base/clock.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/* nvdisasm beside the program: one at a time, since a program that the CPU binds feels its neighbours on the cores, nice or not; in all, where the
 * kernels of most time keep changing; and its niceness. */
enum { BESIDE_IN_ALL = 64, BESIDE_NICE = 10 };
enum { LOOK_NS = 20000000, REST_AFTER_LOOK = 10 }; /* looking takes at most a tenth of one core */

/* --- starting --- */

static struct attach_listing *listing_find(const struct attach_listings *all, long pid, const char *kernel) {
  for (size_t i = 0; i < all->n; i++)
    if (all->all[i]->pid == pid && strcmp(all->all[i]->kernel, kernel) == 0)
      return all->all[i];
  return NULL;
}

/* NULL: no memory. */
static struct attach_listing *listing_add(struct attach_listings *all, long pid, const char *kernel) {
  struct attach_listing *l = calloc(1, sizeof *l), **at = NULL;
  if (l && (l->kernel = str_copy(kernel)))
    at = array_add(&all->all, &all->n, sizeof *at);
  if (!at) {
    free(l ? l->kernel : NULL);
    free(l);
    return NULL;
  }
  l->pid = pid;
  return *at = l;
}

static bool one_is_running(const struct attach_listings *all) {
  for (size_t i = 0; i < all->n; i++)
    if (attach_sass_is_running(all->all[i]))
      return true;
  return false;
}

/* PC samples may tell later which of several cubins a kernel is in. */
static struct attach_listing *listing_of(struct attach_listings *all, long pid, long number, const char *kernel) {
  struct attach_listing *l = listing_find(all, pid, kernel);
  if (l && (attach_sass_is_of(l, all->folder, number) || (all->beside && l->why.code)))
    return l;
  if (all->beside && one_is_running(all)) {
    all->waits = true;
    return l;
  }
  if (!l)
    l = listing_add(all, pid, kernel);
  else
    attach_listing_clear(l);
  if (!l)
    return NULL;
  attach_sass_start(l, all->folder, number);
  if (all->beside && l->child)
    setpriority(PRIO_PROCESS, (id_t)l->child, BESIDE_NICE);
  return l;
}

bool attached_is_again(const struct attached_kernel *const *kernels, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (strcmp(kernels[i]->seen.name, kernels[at]->seen.name) == 0)
      return true;
  return false;
}

void attach_listings_start(struct attach_listings *all, const struct attached_process *p,
                           const struct attached_kernel *const *kernels, struct attach_listing *out[ATTACH_SASS_MAX]) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_kernels && n < ATTACH_SASS_MAX; i++) {
    if (attached_is_again(kernels, i))
      continue;
    const struct attached_function *sampled = attach_sampled(p, kernels[i]->seen.name);
    struct attach_listing *l = listing_of(all, p->seen.pid, sampled ? sampled->seen.module : -1, kernels[i]->seen.name);
    if (out)
      out[n] = l;
    n++;
  }
}

void attach_listings_release(struct attach_listings *all) {
  for (size_t i = 0; i < all->n; i++) {
    attach_listing_clear(all->all[i]);
    free(all->all[i]->kernel);
    free(all->all[i]);
  }
  free(all->all);
  *all = (struct attach_listings){0};
}

/* --- beside the program --- */

static void part_look(struct attach_listings *all, const char *path) {
  struct attached_process p;
  if (all->n >= BESIDE_IN_ALL || attached_read(&p, path, NULL))
    return;
  const struct attached_kernel **kernels = attached_by_time(&p);
  if (kernels)
    attach_listings_start(all, &p, kernels, NULL); /* what cannot be started now is at the end */
  free(kernels);
  attached_release(&p);
}

static bool is_later(const struct timespec *a, const struct timespec *b) {
  return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* The parts that were written since *seen; all of them again, where not everything could be started. */
static void parts_look(struct attach_listings *all, struct timespec *seen) {
  struct timespec newest = *seen;
  all->waits = false;
  DIR *d = opendir(all->folder);
  for (struct dirent *entry; d && (entry = readdir(d));) {
    const char *ending = strrchr(entry->d_name, '.');
    char *path = ending && strcmp(ending, ".part") == 0 ? str_printf("%s/%s", all->folder, entry->d_name) : NULL;
    struct stat st;
    if (path && stat(path, &st) == 0 && is_later(&st.st_mtim, seen)) {
      newest = is_later(&st.st_mtim, &newest) ? st.st_mtim : newest;
      part_look(all, path);
    }
    free(path);
  }
  if (d)
    closedir(d);
  if (!all->waits)
    *seen = newest;
}

static void *look_forever(void *context) {
  struct attach_beside *b = context;
  struct timespec seen = {0};
  uint64_t next_ns = clock_now_ns() + LOOK_NS;
  pthread_mutex_lock(&b->lock);
  while (!b->ends) {
    struct timespec until = {.tv_sec = (time_t)(next_ns / 1000000000), .tv_nsec = (long)(next_ns % 1000000000)};
    if (clock_now_ns() < next_ns) {
      pthread_cond_timedwait(&b->changed, &b->lock, &until);
      continue;
    }
    pthread_mutex_unlock(&b->lock);
    uint64_t begin_ns = clock_now_ns();
    parts_look(b->listings, &seen);
    uint64_t end_ns = clock_now_ns(), rest_ns = REST_AFTER_LOOK * (end_ns - begin_ns);
    next_ns = end_ns + (rest_ns > LOOK_NS ? rest_ns : LOOK_NS);
    pthread_mutex_lock(&b->lock);
  }
  pthread_mutex_unlock(&b->lock);
  return NULL;
}

void attach_beside_start(struct attach_beside *b, struct attach_listings *listings) {
  pthread_condattr_t clock;
  *b = (struct attach_beside){.listings = listings, .lock = PTHREAD_MUTEX_INITIALIZER};
  listings->beside = true;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&b->changed, &clock);
  pthread_condattr_destroy(&clock);
  b->runs = pthread_create(&b->thread, NULL, look_forever, b) == 0; /* else it is all done at the end */
}

void attach_beside_stop(struct attach_beside *b) {
  if (!b->listings)
    return;
  pthread_mutex_lock(&b->lock);
  b->ends = true;
  pthread_cond_signal(&b->changed);
  pthread_mutex_unlock(&b->lock);
  if (b->runs)
    pthread_join(b->thread, NULL);
  pthread_cond_destroy(&b->changed);
  b->listings->beside = false;
  *b = (struct attach_beside){0};
}
