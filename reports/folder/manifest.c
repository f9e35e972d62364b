#include "reports/folder/manifest.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANIFEST_BYTES_MAX = 1 << 20 };

void manifest_add(struct manifest *m, const char *name, const char *ending) {
  text_printf(&m->names, "%s%s\n", name, ending);
}

static bool listed(const struct manifest *m, const char *name) {
  size_t n = strlen(name);
  for (const char *s = text_str(&m->names); *s; s += strcspn(s, "\n") + 1)
    if (strncmp(s, name, n) == 0 && s[n] == '\n')
      return true;
  return false;
}

/* The list may have come with the folder from anywhere: it names files of this folder and nothing else. */
static void stale_remove(const struct manifest *m, const char *folder, char *list) {
  for (char *rest = list, *name; (name = strsep(&rest, "\n"));) {
    char *path =
        *name && name[0] != '.' && !strchr(name, '/') && !listed(m, name) ? str_printf("%s/%s", folder, name) : NULL;
    if (path)
      unlink(path);
    free(path);
  }
}

/* NULL: the folder has no list. */
static int list_read(char **list, const char *path, struct err *e) {
  size_t n;
  *list = NULL;
  return file_exists(path) ? file_read(path, MANIFEST_BYTES_MAX, list, &n, e) : 0;
}

static int name_verify(const char *folder, const char *name, struct err *e) {
  char *path = str_printf("%s/%s", folder, name);
  int rc =
      file_exists(path)
          ? err_set(e, ERR_USAGE,
                    "%s is there, and no report wrote it: name another folder with --out, or remove that file", path)
          : 0;
  free(path);
  return rc;
}

/* *all: the folder's list, and those of m that are not on it. */
static int names_join(struct manifest *all, const struct manifest *m, const char *folder, struct err *e) {
  char *path = str_printf("%s/%s", folder, MANIFEST_NAME), *old, *names = str_copy(text_str(&m->names)), *rest = names;
  int rc = list_read(&old, path, e);
  if (rc == 0 && old)
    text_add(&all->names, old);
  for (char *name; rc == 0 && (name = strsep(&rest, "\n"));) {
    if (!*name || listed(all, name))
      continue;
    rc = name_verify(folder, name, e);
    manifest_add(all, name, "");
  }
  free(names);
  free(old);
  free(path);
  return rc;
}

int manifest_claim(const struct manifest *m, const char *folder, bool write, struct err *e) {
  struct manifest all = {0};
  char *path = str_printf("%s/%s", folder, MANIFEST_NAME);
  int rc = names_join(&all, m, folder, e);
  if (rc == 0 && write)
    rc = file_write(path, text_str(&all.names), all.names.n, e);
  text_release(&all.names);
  free(path);
  return rc;
}

int manifest_replace(const struct manifest *m, const char *folder, struct err *e) {
  char *path = str_printf("%s/%s", folder, MANIFEST_NAME), *old;
  int rc = list_read(&old, path, e);
  if (rc == 0 && old)
    stale_remove(m, folder, old);
  if (rc == 0)
    rc = file_write(path, text_str(&m->names), m->names.n, e);
  free(old);
  free(path);
  return rc;
}
