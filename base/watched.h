/* Files whose saving is waited for. */
#pragma once

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct watched_file {
  char *path;
  bool there;
  ino_t inode;
  off_t bytes;
  struct timespec changed; /* of its contents; these four as they were when it was last marked */
};

struct watched {
  int inotify; /* -1: none; then it is looked every half second */
  struct watched_file *files;
  size_t n;
};

void watched_open(struct watched *w);
void watched_close(struct watched *w);
/* Adds a file, marked as it is now; one that is in the list already stays as it is. */
void watched_add(struct watched *w, const char *path);
/* From now on a change is one against how the files are now. */
void watched_mark(struct watched *w);
/* Waits until a file is another than it was when marked, and whoever writes has come to rest: editors rename, truncate and write in parts.  False:
 * *stop was set by a signal.  *saved_s: how long ago the newest change was, in seconds. */
bool watched_wait(struct watched *w, const volatile sig_atomic_t *stop, double *saved_s);
