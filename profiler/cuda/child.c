#include "profiler/cuda/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *child_share(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void child_unshare(void *memory, size_t bytes) {
  if (memory)
    munmap(memory, bytes);
}

int child_start(pid_t *out, void (*body)(void *context), void *context, struct err *e) {
  fflush(NULL); /* what is buffered must not be written twice */
  pid_t parent = getpid(), child = fork();
  if (child < 0)
    return err_set(e, ERR_MACHINE, "fork: %s", strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(1);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    body(context);
    _exit(0);
  }
  *out = child;
  return 0;
}

int child_wait(pid_t child, double limit_s, struct err *e) {
  int status = 0;
  for (double waited_s = 0;; waited_s += 0.005) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child)
      break;
    if (ended < 0 && errno != EINTR)
      return err_set(e, ERR_MACHINE, "waitpid: %s", strerror(errno));
    if (waited_s > limit_s) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return err_set(e, ERR_GPU, "no answer within %.0f s", limit_s);
    }
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  if (WIFSIGNALED(status))
    return err_set(e, ERR_GPU, "the GPU process died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) ? err_set(e, ERR_GPU, "the GPU process ended with code %d", WEXITSTATUS(status)) : 0;
}

int child_reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return status;
}

static void send_to(posix_spawn_file_actions_t *actions, int stream, int fd) {
  if (fd < 0)
    posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_WRONLY, 0);
  else
    posix_spawn_file_actions_adddup2(actions, fd, stream);
}

int program_start(pid_t *out, char *const argv[], int stdout_fd, int stderr_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  send_to(&actions, STDOUT_FILENO, stdout_fd);
  send_to(&actions, STDERR_FILENO, stderr_fd);
  int failed = posix_spawn(out, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}
