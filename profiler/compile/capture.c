/* A program of the toolkit, run for what it prints. */
#include "profiler/compile/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

int program_capture(char *const *argv, int stream, struct text *out) {
  int ends[2];
  if (pipe(ends))
    return errno;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, stream == STDOUT_FILENO ? STDERR_FILENO : STDOUT_FILENO, "/dev/null",
                                   O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], stream);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t child;
  int failed = posix_spawn(&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char buffer[1 << 16];
  ssize_t n;
  while (!failed && ((n = read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0)
      text_add_n(out, buffer, (size_t)n);
  close(ends[0]);
  int status = 0;
  if (!failed)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  return failed ? failed : status ? ECHILD : 0;
}
