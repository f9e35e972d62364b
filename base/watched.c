#include "base/watched.h"

#include "base/array.h"
#include "base/text.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Looked at this often even where inotify is silent: changes made on another machine of a network file system come without an event. */
enum { LOOK_MS = 500, REST_MS = 30, REST_LOOKS_MAX = 60 };

void watched_open(struct watched *w) {
  *w = (struct watched){.inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
}

void watched_close(struct watched *w) {
  if (w->inotify >= 0)
    close(w->inotify);
  for (size_t i = 0; i < w->n; i++)
    free(w->files[i].path);
  free(w->files);
  *w = (struct watched){.inotify = -1};
}

static struct watched_file look(const struct watched_file *f) {
  struct watched_file now = {.path = f->path};
  struct stat st;
  if (stat(f->path, &st) == 0) {
    now.there = true;
    now.inode = st.st_ino;
    now.bytes = st.st_size;
    now.changed = st.st_mtim;
  }
  return now;
}

static bool same(const struct watched_file *a, const struct watched_file *b) {
  return a->there == b->there && a->inode == b->inode && a->bytes == b->bytes &&
         a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* The folder is watched, not the file: an editor that writes beside it and renames leaves the old file's watch with nobody. */
static void watch_folder(const struct watched *w, const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? str_printf("%.*s", slash == path ? 1 : (int)(slash - path), path) : str_copy(".");
  if (w->inotify >= 0)
    inotify_add_watch(w->inotify, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MODIFY);
  free(folder);
}

void watched_add(struct watched *w, const char *path) {
  for (size_t i = 0; i < w->n; i++)
    if (strcmp(w->files[i].path, path) == 0)
      return;
  struct watched_file *f = array_add(&w->files, &w->n, sizeof *f);
  f->path = str_copy(path);
  *f = look(f);
  watch_folder(w, path);
  char *target = realpath(path, NULL); /* a link's target is saved in its own folder */
  if (target && strcmp(target, path) != 0)
    watch_folder(w, target);
  free(target);
}

void watched_mark(struct watched *w) {
  for (size_t i = 0; i < w->n; i++)
    w->files[i] = look(&w->files[i]);
}

static void drain(int inotify) {
  char events[4096];
  while (inotify >= 0 && read(inotify, events, sizeof events) > 0)
    ;
}

static void rest(int inotify, int ms) {
  struct pollfd p = {.fd = inotify, .events = POLLIN};
  poll(&p, inotify >= 0, ms);
  drain(inotify);
}

/* Whether a file is another than it was marked; false while one is gone, since it is about to be put in its place. */
static bool changed(const struct watched *w) {
  bool any = false;
  for (size_t i = 0; i < w->n; i++) {
    struct watched_file now = look(&w->files[i]);
    if (!now.there && w->files[i].there)
      return false;
    any |= !same(&now, &w->files[i]);
  }
  return any;
}

/* Until two looks in a row see the same; leaves the files marked. */
static void settle(struct watched *w) {
  for (int i = 0; i < REST_LOOKS_MAX; i++) {
    watched_mark(w);
    struct timespec pause = {.tv_nsec = REST_MS * 1000000L};
    nanosleep(&pause, NULL);
    drain(w->inotify);
    bool quiet = true;
    for (size_t k = 0; k < w->n; k++) {
      struct watched_file now = look(&w->files[k]);
      quiet = quiet && same(&now, &w->files[k]);
    }
    if (quiet)
      return;
  }
}

bool watched_wait(struct watched *w, const volatile sig_atomic_t *stop, double *saved_s) {
  while (!changed(w)) {
    if (*stop)
      return false;
    rest(w->inotify, LOOK_MS);
  }
  settle(w);
  struct timespec now, newest = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  for (size_t i = 0; i < w->n; i++) {
    const struct timespec *t = &w->files[i].changed;
    if (t->tv_sec > newest.tv_sec || (t->tv_sec == newest.tv_sec && t->tv_nsec > newest.tv_nsec))
      newest = *t;
  }
  *saved_s = (double)(now.tv_sec - newest.tv_sec) + 1e-9 * (double)(now.tv_nsec - newest.tv_nsec);
  return !*stop;
}
