/* A program of the toolkit, run for what it prints. */
#include "profiler/compile/toolchain.h"

#include "base/clock.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/interrupted.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Adds what comes until end_s; 0, ETIMEDOUT, or EINTR: the user's. */
static int read_until(int fd, double end_s, struct text *out) {
  char buffer[1 << 16];
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  for (;;) {
    double left_s = end_s - clock_now_s();
    if (profile_interrupted)
      return EINTR;
    if (left_s <= 0)
      return ETIMEDOUT;
    if (poll(&ready, 1, left_s < 1 ? (int)(left_s * 1e3) + 1 : 1000) <= 0)
      continue;
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0)
      return 0;
    if (n > 0)
      text_add_n(out, buffer, (size_t)n);
    else if (errno != EINTR)
      return errno;
  }
}

int program_capture(char *const *argv, int stream, double limit_s, struct text *out) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  pid_t child;
  int failed = program_start(&child, argv, stream == STDOUT_FILENO ? ends[1] : -1,
                             stream == STDERR_FILENO ? ends[1] : -1, limit_s);
  close(ends[1]);
  if (!failed) {
    failed = read_until(ends[0], clock_now_s() + limit_s, out);
    if (failed)
      kill(child, SIGKILL);
    int status = child_reap(child);
    if (!failed && status)
      failed = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? ETIMEDOUT : ECHILD;
  }
  close(ends[0]);
  return failed;
}
