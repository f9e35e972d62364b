#include "kernels/frontmatter.h"

#include "base/embed.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

extern const struct embedded kernels_embedded[];

/* --- adding --- */

static bool name_ends(const char *name, const char *suffix) {
  size_t n = strlen(name), m = strlen(suffix);
  return n > m && strcmp(name + n - m, suffix) == 0;
}

static bool is_header(const char *name) {
  return name_ends(name, ".cuh") || name_ends(name, ".h") || name_ends(name, ".hpp");
}

int rung_set_add(struct rung_set *set, const char *name, const char *text, struct err *e) {
  struct rung_file file = {.name = str_copy(name), .text = str_copy(text), .header = is_header(name)};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < set->n_files; i++)
    if (strcmp(set->files[i].name, name) == 0)
      rc = err_set(e, ERR_DATA, "%s: a file of this name is in the set already; rename it", name);
  if (rc)
    goto out;
  struct rung_file *files = realloc(set->files, (set->n_files + 1) * sizeof *files);
  if (files)
    set->files = files;
  if (!files || !file.name || !file.text) {
    rc = err_nomem(e, "a kernel's source");
    goto out;
  }
  if (!file.header)
    rc = fm_parse(&set->rungs, &set->n, file.name, file.text, e);
  if (rc)
    goto out;
  files[set->n_files++] = file;
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

static int by_name(const FTSENT **x, const FTSENT **y) {
  return strcmp((*x)->fts_name, (*y)->fts_name);
}

static int entry_add(struct rung_set *set, const char *folder, const FTSENT *entry, struct err *e) {
  const char *name = entry->fts_path + strlen(folder);
  char *text = NULL;
  size_t n = 0;
  name += strspn(name, "/");
  if (!name_ends(entry->fts_name, ".cu") && !name_ends(entry->fts_name, ".cuh"))
    return 0;
  int rc = file_read(entry->fts_path, FM_FILE_MAX, &text, &n, e);
  if (rc == 0 && strlen(text) != n)
    rc = err_set(e, ERR_DATA, "%s: holds a zero byte, so it is no CUDA source", entry->fts_path);
  if (rc == 0)
    rc = rung_set_add(set, name, text, e);
  free(text);
  return rc;
}

static int folder_load(struct rung_set *set, const char *folder, struct err *e) {
  char *path = str_copy(folder);
  char *const paths[] = {path, NULL};
  FTS *tree = path ? fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name) : NULL;
  int rc = tree ? 0 : err_set(e, ERR_IO, "%s: %s", folder, strerror(errno));
  while (rc == 0) {
    errno = 0;
    FTSENT *entry = fts_read(tree);
    if (!entry) {
      rc = errno ? err_set(e, ERR_IO, "%s: %s", folder, strerror(errno)) : 0;
      break;
    }
    if (entry->fts_info == FTS_F)
      rc = entry->fts_level == 0 ? err_set(e, ERR_IO, "%s: is a file; name the folder that holds it", folder)
                                 : entry_add(set, folder, entry, e);
    else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
      rc = err_set(e, ERR_IO, "%s: %s", entry->fts_path, strerror(entry->fts_errno));
  }
  if (tree)
    fts_close(tree);
  free(path);
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
