/* Preloaded, it lets one call of a process fail: the FAIL_AT-th of the calls that FAIL_CALL names, as a full memory, disk or table of processes would.
 *
 * FAIL_CALL: malloc (calloc, realloc), open (fopen too), read, write, fsync, rename, mkdir or fork (posix_spawn too).  FAIL_AT 0: none fails.
 * FAIL_LOG: a file that grows by a line a call that is told: "seen N STACK" where the call was come to in a way that was not seen before (N counts from
 * 1; only with FAIL_AT 0), "failed N PATH" for the one that failed.  FAIL_STOP: the process stops in the debugger there.
 *
 * A process that is forked counts on from its parent's count; a program that is started is left alone. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACKS_MAX = 1 << 16, FRAMES = 24, SELF = 2 };

static char call[16], log_path[4096];
static long at, calls;
static bool armed, stops;
static void *program;
static uint64_t stacks[STACKS_MAX];
static __thread bool within; /* what is below must not count itself */

/* What is called by name is looked for in the libraries behind this one; a function's address comes as data. */
static size_t real(const char *name) {
  within = true;
  size_t found = (size_t)dlsym(RTLD_NEXT, name);
  within = false;
  return found;
}
#define REAL(name) ((__typeof__(&(name)))real(#name))

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...) {
  char line[4200];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd >= 0) {
    syscall(SYS_write, fd, line, n < (int)sizeof line ? n : (int)sizeof line - 1);
    syscall(SYS_close, fd);
  }
}

static bool is_new(uint64_t hash) {
  for (size_t i = hash % STACKS_MAX, tries = 0; tries < STACKS_MAX; i = (i + 1) % STACKS_MAX, tries++) {
    if (stacks[i] == hash)
      return false;
    if (!stacks[i]) {
      stacks[i] = hash;
      return true;
    }
  }
  return false;
}

/* Whether an address is in the program or in libc, which calls for it: what other libraries do when they get nothing is not ours to judge. */
static bool is_ours(void *address) {
  Dl_info in;
  return dladdr(address, &in) && (in.dli_fbase == program || strstr(in.dli_fname, "/libc.so"));
}

static void note_stack(long n) {
  void *frames[FRAMES];
  uint64_t hash = 14695981039346656037u;
  int depth = backtrace(frames, FRAMES);
  for (int i = SELF; i < depth; i++)
    hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
  if (is_new(hash | 1))
    tell("seen %ld %016llx\n", n, (unsigned long long)hash);
}

/* Whether this call is to fail; errno is kept. */
static bool fails(const char *which, const char *path) {
  if (!armed || within || strcmp(which, call) != 0)
    return false;
  int kept = errno;
  within = true;
  long n = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (at == 0)
    note_stack(n);
  else if (n == at)
    tell("failed %ld %s\n", n, path);
  if (n == at && stops)
    raise(SIGTRAP);
  within = false;
  errno = kept;
  return n == at;
}

__attribute__((constructor)) static void start(void) {
  const char *name = getenv("FAIL_CALL"), *number = getenv("FAIL_AT"), *path = getenv("FAIL_LOG");
  void *frame;
  if (!name || !number || !path)
    return;
  snprintf(call, sizeof call, "%s", name);
  snprintf(log_path, sizeof log_path, "%s", path);
  at = strtol(number, NULL, 10);
  stops = getenv("FAIL_STOP") != NULL;
  Dl_info in;
  program = dladdr((void *)getauxval(AT_ENTRY), &in) ? in.dli_fbase : NULL;
  unsetenv("LD_PRELOAD");
  within = true;
  backtrace(&frame, 1); /* loads what it needs */
  within = false;
  armed = true;
}

/* libc's headers name the parameters for themselves. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* --- memory: libc's own names, since dlsym itself asks for memory --- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static bool no_memory(void *caller) {
  if (!armed || within || strcmp(call, "malloc") != 0)
    return false;
  within = true;
  bool ours = is_ours(caller);
  within = false;
  if (!ours || !fails("malloc", "memory"))
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t n) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n) {
  return no_memory(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

/* --- files --- */

static bool no_file(const char *path, int flags) {
  if (!fails("open", path))
    return false;
  errno = (flags & O_ACCMODE) == O_RDONLY ? EMFILE : ENOSPC;
  return true;
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list args;                                                                                                      \
    va_start(args, flags);                                                                                             \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;                                                  \
    va_end(args);                                                                                                      \
    return no_file(path, flags) ? -1 : REAL(name)(path, flags, mode);                                                  \
  }
OPEN(open)
OPEN(open64)

FILE *fopen(const char *path, const char *mode) {
  return no_file(path, *mode == 'r' ? O_RDONLY : O_WRONLY) ? NULL : REAL(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  return no_file(path, *mode == 'r' ? O_RDONLY : O_WRONLY) ? NULL : REAL(fopen64)(path, mode);
}

/* The file of a descriptor. */
static const char *path_of(int fd, char path[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, 4095);
  path[n > 0 ? n : 0] = 0;
  return path;
}

ssize_t read(int fd, void *data, size_t n) {
  char path[4096];
  if (!armed || strcmp(call, "read") != 0 || !fails("read", path_of(fd, path)))
    return syscall(SYS_read, fd, data, n);
  errno = EIO;
  return -1;
}

ssize_t write(int fd, const void *data, size_t n) {
  char path[4096];
  if (!armed || strcmp(call, "write") != 0 || !fails("write", path_of(fd, path)))
    return syscall(SYS_write, fd, data, n);
  errno = ENOSPC;
  return -1;
}

int fsync(int fd) {
  char path[4096];
  if (!armed || strcmp(call, "fsync") != 0 || !fails("fsync", path_of(fd, path)))
    return (int)syscall(SYS_fsync, fd);
  errno = EIO;
  return -1;
}

int rename(const char *from, const char *to) {
  if (!fails("rename", to))
    return REAL(rename)(from, to);
  errno = ENOSPC;
  return -1;
}

int mkdir(const char *path, mode_t mode) {
  if (!fails("mkdir", path))
    return REAL(mkdir)(path, mode);
  errno = ENOSPC;
  return -1;
}

/* --- processes --- */

pid_t fork(void) {
  if (!fails("fork", "a process"))
    return REAL(fork)();
  errno = EAGAIN;
  return -1;
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
  return fails("fork", file) ? EAGAIN : REAL(posix_spawnp)(pid, file, actions, attributes, argv, envp);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
