/* Processes of our own, so that what crashes or hangs costs that process alone; and programs. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Memory shared with the children forked from now on; zeroed.  NULL where there is none. */
void *child_share(size_t bytes);
void child_unshare(void *memory, size_t bytes);

/* Forks.  The child runs body(context) and exits with its result; it dies with its parent and
 * leaves SIGINT and SIGTERM to it.  ERR_MACHINE where fork fails. */
int child_start(pid_t *out, void (*body)(void *context), void *context, struct err *e);
/* Waits limit_s, then kills it.  0: it exited with 0; else ERR_GPU: how it ended. */
int child_wait(pid_t child, double limit_s, struct err *e);
/* Waits to its end: waitpid's status; -1 where there is no such child. */
int child_reap(pid_t child);

/* Items done one after the other in a child.  After an error of the GPU nothing in that process can
 * be trusted: it ends, and another one goes on behind the item, as after a child that was
 * killed. */
struct child_board { /* in shared memory, all zero at first */
  _Atomic size_t at; /* the item being done */
  bool opened;
  struct err why;
};
struct child_items {
  const char *who; /* for messages: "mma" */
  struct child_board *board;
  size_t n;
  double limit_s; /* a child's */
  /* In the child, before its first item.  Where it fails, so does everything: ERR_MACHINE. */
  int (*open)(void *context, struct err *e);
  int (*run)(void *context, size_t item, struct err *e);     /* in the child */
  void (*fail)(void *context, size_t item, const char *why); /* of an item that was not done, in either process */
  void *context; /* what it points to and both sides see is in shared memory */
};
int child_each(const struct child_items *x, struct err *e);

/* Starts the program argv[0], a path; what it prints goes to these files, -1: nowhere.  It dies
 * with this process where the main thread started it (the kernel ties it to the thread), and of
 * SIGXCPU after limit_s of CPU time.  0 or an errno. */
int program_start(pid_t *out, char *const argv[], int stdout_fd, int stderr_fd, double limit_s);
/* A toolkit program's limit for a file of n bytes, in seconds; NVFP4_PROGRAM_LIMIT overrides it. */
double program_limit_s(size_t n);
