/* The compile cache's folder: which it is, whether to trust it, and what is removed from it. */
#include "base/array.h"
#include "profiler/compile/toolchain.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LEFTOVER_S = 3600 }; /* a temporary file of that age is of a process that was killed */

/* What lies there is loaded and run: nobody else may put it there. */
static bool folder_is_ours(const char *folder) {
  struct stat st;
  return stat(folder, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(folder, W_OK) == 0;
}

char *cache_folder(const char *asked) {
  const char *variable = getenv("NVFP4_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *folder = NULL;
  if (asked || (variable && *variable))
    folder = str_copy(asked ? asked : variable);
  else if (xdg && *xdg)
    folder = str_printf("%s/nvfp4-prof", xdg);
  else if (home && file_is_folder(home)) /* a home that does not exist is not ours to make */
    folder = str_printf("%s/.cache/nvfp4-prof", home);
  if (folder && (file_mkdirs_mode(folder, 0700, NULL) || !folder_is_ours(folder))) {
    free(folder);
    folder = NULL;
  }
  return folder;
}

struct kept {
  char *name;
  off_t bytes;
  struct timespec used;
};

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Takes in an entry; removes what a killed process left. */
static void look_at(int folder, const char *name, struct kept **all, size_t *n) {
  struct stat st;
  const char *ending = strstr(name, ".entry");
  if (!ending || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
    return;
  if (ending[6]) {
    if (strncmp(ending + 6, ".tmp.", 5) == 0 && st.st_mtim.tv_sec + LEFTOVER_S < time(NULL))
      unlinkat(folder, name, 0);
    return;
  }
  *(struct kept *)array_add(all, n, sizeof **all) = (struct kept){str_copy(name), st.st_size, st.st_mtim};
}

void cache_trim(const char *folder, size_t max_bytes) {
  struct kept *all = NULL;
  size_t n = 0, bytes = 0;
  DIR *d = folder ? opendir(folder) : NULL;
  if (!d)
    return;
  for (struct dirent *entry; (entry = readdir(d));)
    look_at(dirfd(d), entry->d_name, &all, &n);
  for (size_t i = 0; i < n; i++)
    bytes += (size_t)all[i].bytes;
  if (bytes > max_bytes)
    qsort(all, n, sizeof *all, by_use);
  for (size_t i = 0; i < n; i++) {
    if (bytes > max_bytes) {
      unlinkat(dirfd(d), all[i].name, 0);
      bytes -= (size_t)all[i].bytes;
    }
    free(all[i].name);
  }
  free(all);
  closedir(d);
}
