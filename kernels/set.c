#include "kernels/frontmatter.h"

#include "base/embed.h"
#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern const struct embedded kernels_embedded[];

/* --- adding --- */

static bool is_header(const char *name) {
  return str_ends(name, ".cuh") || str_ends(name, ".h") || str_ends(name, ".hpp");
}

int rung_set_add(struct rung_set *set, const char *name, const char *text, struct err *e) {
  struct rung_file file = {.name = str_copy(name), .text = str_copy(text), .header = is_header(name)};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < set->n_files; i++)
    if (strcmp(set->files[i].name, name) == 0)
      rc = err_set(e, ERR_DATA, "%s: a file of this name is in the set already; rename it", name);
  if (rc)
    goto out;
  if (!file.header)
    rc = fm_parse(&set->rungs, &set->n, file.name, file.text, e);
  if (rc)
    goto out;
  set->files = realloc(set->files, (set->n_files + 1) * sizeof *set->files);
  set->files[set->n_files++] = file;
  file = (struct rung_file){0};
out:
  free(file.name);
  free(file.text);
  return rc;
}

void rung_set_release(struct rung_set *set) {
  for (size_t i = 0; i < set->n; i++)
    rung_release(&set->rungs[i]);
  for (size_t i = 0; i < set->n_files; i++) {
    free(set->files[i].name);
    free(set->files[i].text);
  }
  free(set->rungs);
  free(set->files);
  *set = (struct rung_set){0};
}

/* --- loading --- */

enum { FOLDERS_DEEP_MAX = 16 };

static int file_add(struct rung_set *set, const char *name, const char *path, struct err *e) {
  char *text = NULL;
  size_t n = 0;
  if (!str_ends(name, ".cu") && !str_ends(name, ".cuh"))
    return 0;
  int rc = file_read(path, FM_FILE_MAX, &text, &n, e);
  if (rc == 0 && strlen(text) != n)
    rc = err_set(e, ERR_DATA, "%s: holds a zero byte, so it is not CUDA source", path);
  if (rc == 0)
    rc = rung_set_add(set, name, text, e);
  free(text);
  return rc;
}

static int by_name(const struct dirent **x, const struct dirent **y) {
  return strcmp((*x)->d_name, (*y)->d_name);
}

static int no_dots(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int folder_add(struct rung_set *set, const char *folder, const char *within, int depth, struct err *e);

/* A name in a folder, which is called `within` in the set ("" at its top). */
static int entry_add(struct rung_set *set, const char *folder, const char *within, const char *entry, int depth,
                     struct err *e) {
  struct stat st;
  char *path = str_printf("%s/%s", folder, entry), *name = str_printf("%s%s", within, entry),
       *below = str_printf("%s%s/", within, entry);
  int rc = 0;
  if (stat(path, &st))
    rc = errno == ENOENT ? 0 : err_set(e, ERR_IO, "%s: %s", path, strerror(errno)); /* a link to nothing */
  else if (S_ISDIR(st.st_mode))
    rc = folder_add(set, path, below, depth + 1, e);
  else if (S_ISREG(st.st_mode))
    rc = file_add(set, name, path, e);
  free(path);
  free(name);
  free(below);
  return rc;
}

/* Its files and those below it, by name. */
static int folder_add(struct rung_set *set, const char *folder, const char *within, int depth, struct err *e) {
  struct dirent **entries = NULL;
  if (depth > FOLDERS_DEEP_MAX)
    return err_set(e, ERR_DATA, "%s: more than %d folders deep; does a link lead back?", folder, FOLDERS_DEEP_MAX);
  int n = scandir(folder, &entries, no_dots, by_name);
  int rc = n < 0 ? err_set(e, ERR_IO, "%s: %s", folder, strerror(errno)) : 0;
  for (int i = 0; i < n; i++) {
    if (rc == 0)
      rc = entry_add(set, folder, within, entries[i]->d_name, depth, e);
    free(entries[i]);
  }
  free(entries);
  return rc;
}

static int folder_load(struct rung_set *set, const char *folder, struct err *e) {
  struct stat st;
  if (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
    return err_set(e, ERR_IO, "%s: is a file; name the folder that holds it", folder);
  int rc = folder_add(set, folder, "", 0, e);
  if (rc == 0 && set->n == 0)
    rc = err_set(e, ERR_DATA, "%s: holds no .cu file; name the folder that holds the kernels", folder);
  return rc;
}

int rung_set_load(struct rung_set *set, const char *folder, struct err *e) {
  int rc = 0;
  if (folder)
    rc = folder_load(set, folder, e);
  else
    for (const struct embedded *file = kernels_embedded; rc == 0 && file->name; file++)
      rc = rung_set_add(set, file->name, file->data, e);
  return rc ? rc : rung_set_finish(set, e);
}
