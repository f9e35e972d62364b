#include "run/run_files.h"

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void run_files_release(struct run_files *p) {
  array_free(p->items, p->n);
  *p = (struct run_files){0};
}

/* A report's folder holds findings.json.gz beside its run.json.gz. */
static bool looks_like_run(const char *name) {
  return (str_ends(name, ".json") || str_ends(name, ".json.gz")) &&
         strncmp(name, "findings.json", strlen("findings.json")) != 0 && name[0] != '.';
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folder's run files, and those one folder below it: a folder of reports. */
static int add_folder(struct run_files *p, const char *folder, int depth, struct err *e) {
  DIR *d = opendir(folder);
  if (!d)
    return err_set(e, ERR_IO, "%s: %s", folder, strerror(errno));
  size_t first = p->n;
  int rc = 0;
  for (struct dirent *entry; !rc && (entry = readdir(d));) {
    char *path = entry->d_name[0] == '.' ? NULL : str_printf("%s/%s", folder, entry->d_name);
    if (path && file_is_folder(path) && depth > 0)
      rc = add_folder(p, path, depth - 1, e);
    else if (path && !file_is_folder(path) && looks_like_run(entry->d_name))
      array_copy(&p->items, &p->n, path);
    free(path);
  }
  closedir(d);
  if (p->n > first)
    qsort(p->items + first, p->n - first, sizeof *p->items, compare_paths);
  return rc;
}

int run_files_find(struct run_files *out, char *const *words, size_t n, struct err *e) {
  int rc = 0;
  *out = (struct run_files){0};
  for (size_t i = 0; i < n && !rc; i++)
    if (file_is_folder(words[i]))
      rc = add_folder(out, words[i], 1, e);
    else
      array_copy(&out->items, &out->n, words[i]);
  if (!rc && !out->n)
    rc = err_set(e, ERR_MACHINE, "%s holds no run file (*.json, *.json.gz)", n ? words[0] : "nothing");
  return rc;
}
