#include "profiler/attach/outside/attach_folder.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "nvfp4-attach-"

enum { HELD_AT_LEAST = 100 }; /* a descriptor's number that no script uses */

static void entries_remove(DIR *entries) {
  rewinddir(entries);
  for (struct dirent *entry; (entry = readdir(entries));)
    unlinkat(dirfd(entries), entry->d_name, 0);
}

/* A folder of this user whose lock nobody holds: the run that made it was killed, and its program has ended. */
static void leftover_remove(int base, const char *name) {
  struct stat st;
  int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool dead = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
  DIR *entries = dead ? fdopendir(fd) : NULL;
  if (entries) {
    entries_remove(entries);
    unlinkat(base, name, AT_REMOVEDIR);
    closedir(entries);
  } else if (fd >= 0) {
    close(fd);
  }
}

static void leftovers_remove(const char *base) {
  DIR *d = opendir(base);
  for (struct dirent *entry; d && (entry = readdir(d));)
    if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0)
      leftover_remove(dirfd(d), entry->d_name);
  if (d)
    closedir(d);
}

/* False, with the reason in errno, ENOENT: another run took it for a leftover before it was locked. */
static bool open_locked(struct attach_folder *f) {
  struct stat st;
  f->entries = opendir(f->path);
  if (!f->entries)
    return false;
  flock(dirfd(f->entries), LOCK_EX);
  errno = ENOENT;
  return fstat(dirfd(f->entries), &st) == 0 && st.st_nlink > 0;
}

static int locked_make(struct attach_folder *f, const char *base, struct err *e) {
  f->path = str_printf("%s/" PREFIX "XXXXXX", base);
  if (!mkdtemp(f->path)) {
    int rc = err_set(e, ERR_IO, "%s: %s; set TMPDIR to a folder that can be written", f->path, strerror(errno));
    free(f->path);
    f->path = NULL;
    return rc;
  }
  if (open_locked(f))
    return 0;
  int reason = errno, rc = err_set(e, ERR_IO, "%s: %s", f->path, strerror(reason));
  attach_folder_remove(f);
  return reason == ENOENT ? locked_make(f, base, e) : rc;
}

int attach_folder_make(struct attach_folder *f, struct err *e) {
  const char *given = getenv("TMPDIR"), *base = given && *given ? given : "/tmp";
  leftovers_remove(base);
  *f = (struct attach_folder){.pid = getpid()};
  return locked_make(f, base, e);
}

void attach_folder_hold(const struct attach_folder *f) {
  fcntl(dirfd(f->entries), F_DUPFD, HELD_AT_LEAST);
}

void attach_folder_remove(struct attach_folder *f) {
  if (f->entries) {
    entries_remove(f->entries);
    closedir(f->entries);
  }
  if (f->path)
    rmdir(f->path);
  free(f->path);
  f->path = NULL;
  f->entries = NULL;
}
