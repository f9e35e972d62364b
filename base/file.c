#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads to the end; a pipe or a file in /proc does not tell its size beforehand, so the size is found by reading. */
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
  struct stat st;
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

int file_write(const char *path, const void *data, size_t n, struct err *e) {
  /* A rename onto /dev/null or a pipe would replace the device itself. */
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return err_set(e, ERR_IO, "%s: cannot be written: it is not a regular file", path);

  int rc = 0, fd = -1;
  char *temporary = NULL;
  /* A killed process leaves its file, and in a container the next one may have its number. */
  enum { NAMES_MAX = 100 };
  for (int i = 0; i < NAMES_MAX && fd < 0 && (i == 0 || errno == EEXIST); i++) {
    free(temporary);
    temporary = str_printf("%s.tmp.%ld.%d", path, (long)getpid(), i);
    if (!temporary)
      return err_nomem(e, path);
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (fd < 0) {
    rc = err_set(e, ERR_IO, "%s: cannot be written: %s: %s", path, temporary, strerror(errno));
    goto done;
  }
  bool stored = descriptor_write(fd, data, n) == 0 && fsync(fd) == 0;
  int cause = errno;
  /* A network file system reports a full disk only here. */
  if (close(fd) != 0 && stored) {
    stored = false;
    cause = errno;
  }
  if (stored && rename(temporary, path) != 0) {
    stored = false;
    cause = errno;
  }
  if (!stored) {
    unlink(temporary);
    rc = err_set(e, ERR_IO, "%s: cannot be written (%zu bytes): %s", path, n, strerror(cause));
  }
done:
  free(temporary);
  return rc;
}

static bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
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
      if (!is_folder(partial))
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

bool file_exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0;
}
