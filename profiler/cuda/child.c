#include "profiler/cuda/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

double program_limit_s(size_t n) {
  const char *given = getenv("NVFP4_PROGRAM_LIMIT");
  double limit_s = given ? strtod(given, NULL) : 0;
  /* A minute for a busy machine, a second per 20 KB: nvdisasm takes 0.5 s for a rung's 27 KB. */
  return limit_s > 0 ? limit_s : 60 + (double)n / 20e3;
}

/* In the child, between fork and exec: nothing here may allocate.  Returns only where it fails. */
static void program_exec(char *const argv[], int stdout_fd, int stderr_fd, double limit_s, pid_t parent) {
  rlim_t cpu_s = (rlim_t)limit_s + 1;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (parent && (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent))
    return;
  setrlimit(RLIMIT_CPU, &(struct rlimit){cpu_s, cpu_s + 1});
  if (dup2(stdout_fd < 0 ? nowhere : stdout_fd, STDOUT_FILENO) >= 0 &&
      dup2(stderr_fd < 0 ? nowhere : stderr_fd, STDERR_FILENO) >= 0)
    execv(argv[0], argv);
}

static void items_body(void *items) {
  const struct child_items *x = items;
  struct child_board *board = x->board;
  if (x->open(x->context, &board->why))
    _exit(1);
  board->opened = true;
  for (size_t i = atomic_load(&board->at); i < x->n; i++) {
    struct err e = {0};
    atomic_store(&board->at, i);
    int rc = x->run(x->context, i, &e);
    if (rc == ERR_GPU) {
      board->why = e;
      _exit(1);
    }
    if (rc)
      x->fail(x->context, i, e.text);
  }
  atomic_store(&board->at, x->n);
}

int child_each(const struct child_items *x, struct err *e) {
  struct child_board *board = x->board;
  while (atomic_load(&board->at) < x->n) {
    pid_t child = 0;
    struct err ended = {0};
    board->opened = false;
    board->why = (struct err){0};
    int rc = child_start(&child, items_body, (void *)x, e);
    if (rc)
      return rc;
    child_wait(child, x->limit_s, &ended);
    size_t at = atomic_load(&board->at);
    if (at >= x->n)
      break;
    const char *why = board->why.code ? board->why.text : ended.text;
    if (!board->opened)
      return err_set(e, ERR_MACHINE, "%s: %s", x->who, why);
    x->fail(x->context, at, why);
    atomic_store(&board->at, at + 1);
  }
  return 0;
}

int program_start(pid_t *out, char *const argv[], int stdout_fd, int stderr_fd, double limit_s) {
  int ends[2], failed = 0; /* exec closes the pipe; where it fails, its errno comes through */
  if (pipe2(ends, O_CLOEXEC))
    return errno;
  pid_t parent = (pid_t)syscall(SYS_gettid) == getpid() ? getpid() : 0, child = fork();
  if (child == 0) {
    program_exec(argv, stdout_fd, stderr_fd, limit_s, parent);
    failed = errno;
    _exit(write(ends[1], &failed, sizeof failed) == sizeof failed ? 127 : 126);
  }
  if (child < 0)
    failed = errno;
  close(ends[1]);
  while (child > 0 && read(ends[0], &failed, sizeof failed) < 0 && errno == EINTR)
    ;
  close(ends[0]);
  if (child > 0 && failed)
    child_reap(child);
  *out = child;
  return failed;
}
