#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads to the end: a pipe or a file in /proc does not tell its size. */
static int descriptor_read(int fd, const char *path, size_t max, char **out, size_t *n, struct err *e) {
  size_t cap = 64 * 1024, used = 0;
  char *data = malloc(cap + 1);
  int rc = 0;
  if (!data)
    return err_nomem(e, path);
  for (;;) {
    if (used > max) {
      rc = err_set(e, ERR_IO, "%s: larger than the %zu bytes that are read of such a file", path, max);
      goto done;
    }
    if (used == cap) {
      char *more = realloc(data, cap * 2 + 1);
      if (!more) {
        rc = err_nomem(e, path);
        goto done;
      }
      data = more;
      cap *= 2;
    }
    ssize_t got = read(fd, data + used, cap - used);
    if (got == 0)
      break;
    if (got < 0 && errno != EINTR) {
      rc = err_set(e, ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
      goto done;
    }
    used += got > 0 ? (size_t)got : 0;
  }
  data[used] = '\0';
  *out = data;
  *n = used;
  data = NULL;
done:
  free(data);
  return rc;
}

int file_read(const char *path, size_t max, char **out, size_t *n, struct err *e) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return err_set(e, ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
  int rc = descriptor_read(fd, path, max, out, n, e);
  close(fd);
  return rc;
}

int file_read_regular(const char *path, size_t max, bool own, char **out, size_t *n, struct err *e) {
  struct stat st = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int rc = fd < 0 || fstat(fd, &st) ? err_set(e, ERR_IO, "%s: cannot be opened: %s", path, strerror(errno)) : 0;
  if (rc == 0 && !S_ISREG(st.st_mode))
    rc = err_set(e, ERR_IO, "%s: cannot be read: it is not a regular file", path);
  if (rc == 0 && own && (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH))))
    rc = err_set(e, ERR_IO, "%s: not trusted: others own it or may write it", path);
  if (rc == 0)
    rc = descriptor_read(fd, path, max, out, n, e);
  if (fd >= 0)
    close(fd);
  return rc;
}

static int descriptor_write(int fd, const char *data, size_t n) {
  while (n > 0) {
    ssize_t put = write(fd, data, n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0) {
      if (put == 0)
        errno = EIO;
      return -1;
    }
    data += put;
    n -= (size_t)put;
  }
  return 0;
}

static bool same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether the name is still that of the file. */
static bool is_named(int fd, const char *name) {
  struct stat file, named;
  return fstat(fd, &file) == 0 && lstat(name, &named) == 0 && same_file(&file, &named);
}

/* Removes what a killed process has left under the name; whoever still writes it holds its lock.
 * False: it is another's, and stays. */
static bool leftover_remove(const char *name) {
  struct stat st;
  int fd = open(name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool dead = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
              flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, name) && unlink(name) == 0;
  if (fd >= 0)
    close(fd);
  return dead;
}

/* Made here and now; errno is EEXIST where the name is another's. */
static int temporary_make(const char *name, mode_t mode) {
  int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0 || ((flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && is_named(fd, name)))
    return fd;
  close(fd); /* somebody took it for a leftover before it was locked, and the name may be theirs by now */
  errno = EEXIST;
  return -1;
}

/* A temporary file beside path, which is *name; its descriptor, -1: errno. */
static int temporary_open(const char *path, mode_t mode, char **name) {
  enum { NAMES_MAX = 100 };
  int fd = -1;
  for (int i = 0; i < NAMES_MAX && fd < 0 && (i == 0 || errno == EEXIST); i++) {
    free(*name);
    *name = str_printf("%s.tmp.%d", path, i);
    fd = *name ? temporary_make(*name, mode) : -1;
    bool taken = fd < 0 && *name && errno == EEXIST;
    if (taken && leftover_remove(*name))
      fd = temporary_make(*name, mode);
    else if (taken)
      errno = EEXIST;
  }
  if (!*name)
    errno = ENOMEM;
  return fd;
}

/* Closes; errno is that of what failed first. */
static bool store(int fd, const void *data, size_t n, bool sync) {
  bool stored = descriptor_write(fd, data, n) == 0 && (!sync || fsync(fd) == 0);
  int cause = errno;
  /* A network file system reports a full disk only here. */
  if (close(fd) != 0 && stored)
    return false;
  errno = cause;
  return stored;
}

/* Opened by its name, a file that the standard output goes to would be written from its beginning,
 * and over what is printed. */
static bool is_stdout(const char *path) {
  struct stat to, out;
  return stat(path, &to) == 0 && fstat(STDOUT_FILENO, &out) == 0 && same_file(&to, &out);
}

static bool write_through(const char *path, const void *data, size_t n) {
  if (is_stdout(path))
    return descriptor_write(STDOUT_FILENO, data, n) == 0;
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
  if (fd >= 0)
    fcntl(fd, F_SETFL, O_WRONLY); /* only the opening of a pipe without a reader must not wait */
  return fd >= 0 && store(fd, data, n, false);
}

/* Who asks the program to end waits until the file has its name. */
static void ends_block(sigset_t *before) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGHUP);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, before);
}

static bool replace(const char *path, const struct stat *before, const void *data, size_t n) {
  char *temporary = NULL;
  sigset_t mask;
  ends_block(&mask);
  int fd = temporary_open(path, before ? 0600 : 0666, &temporary);
  bool made = fd >= 0, stored = false;
  int lock = made ? fcntl(fd, F_DUPFD_CLOEXEC, 0)
                  : -1; /* kept until the file has its name, or another writer would take it for a leftover */
  if (made) {
    bool ready = lock >= 0 && (!before || fchmod(fd, before->st_mode & 07777) == 0);
    stored = store(fd, data, n, true) && ready && rename(temporary, path) == 0;
  }
  int cause = errno;
  if (lock >= 0)
    close(lock);
  if (made && !stored)
    unlink(temporary);
  free(temporary);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = cause;
  return stored;
}

int file_write(const char *path, const void *data, size_t n, struct err *e) {
  struct stat before;
  bool there = lstat(path, &before) == 0, written;
  if (strcmp(path, "-") == 0)
    return err_set(e, ERR_USAGE, "-: name a file; /dev/stdout is the standard output, ./- a file of that name");
  if (there && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 && errno != ENOENT) /* a link may dangle */
    written = false;
  else if (there && (!S_ISREG(before.st_mode) || before.st_nlink > 1 || before.st_uid != geteuid()))
    written = write_through(path, data, n);
  else
    written = replace(path, there ? &before : NULL, data, n);
  return written ? 0 : err_set(e, ERR_IO, "%s: cannot be written (%zu bytes): %s", path, n, strerror(errno));
}

int file_mkdirs(const char *path, struct err *e) {
  return file_mkdirs_mode(path, 0777, e);
}

int file_mkdirs_mode(const char *path, unsigned mode, struct err *e) {
  if (!*path)
    return err_set(e, ERR_IO, "a folder cannot be made: its name is empty");
  char *partial = str_copy(path);
  if (!partial)
    return err_nomem(e, path);
  int rc = 0;
  for (char *end = partial + 1; rc == 0; end++) {
    if (*end != '/' && *end != '\0')
      continue;
    char kept = *end;
    *end = '\0';
    if (mkdir(partial, mode) != 0) {
      int cause = errno;
      if (!file_is_folder(partial))
        rc = err_set(e, ERR_IO, "%s: the folder %s cannot be made: %s", path, partial,
                     cause == EEXIST ? "a file of that name is in the way" : strerror(cause));
    }
    *end = kept;
    if (kept == '\0')
      break;
  }
  free(partial);
  return rc;
}

int file_folder_lock(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = -1;
  while (fd >= 0 && (rc = flock(fd, LOCK_EX)) != 0 && errno == EINTR)
    ;
  if (fd >= 0 && rc != 0)
    close(fd);
  return rc == 0 ? fd : -1;
}

bool file_exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0;
}

bool file_is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
