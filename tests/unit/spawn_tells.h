/* Whether posix_spawn tells that a program is absent: qemu-user's does not, so that what is said of one cannot be tested there. */
#ifndef TESTS_UNIT_SPAWN_TELLS_H
#define TESTS_UNIT_SPAWN_TELLS_H

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>

static bool spawn_tells_of_absence(void) {
  char *argv[] = {(char *)"/nonexistent/program", NULL};
  pid_t pid;
  int rc = posix_spawn(&pid, argv[0], NULL, NULL, argv, argv + 1);
  if (rc == 0)
    waitpid(pid, NULL, 0);
  return rc == ENOENT;
}

#endif
