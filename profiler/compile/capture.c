/* A program of the toolkit, run for what it prints. */
#include "profiler/compile/toolchain.h"

#include "profiler/cuda/child.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int program_capture(char *const *argv, int stream, struct text *out) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  pid_t child;
  int failed =
      program_start(&child, argv, stream == STDOUT_FILENO ? ends[1] : -1, stream == STDERR_FILENO ? ends[1] : -1);
  close(ends[1]);
  char buffer[1 << 16];
  ssize_t n;
  while (!failed && ((n = read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR)))
    if (n > 0)
      text_add_n(out, buffer, (size_t)n);
  close(ends[0]);
  return failed ? failed : child_reap(child) ? ECHILD : 0;
}
