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

int manifest_replace(const struct manifest *m, const char *folder, struct err *e) {
  char *path = str_printf("%s/%s", folder, MANIFEST_NAME), *old = NULL;
  size_t n;
  int rc = file_exists(path) ? file_read(path, MANIFEST_BYTES_MAX, &old, &n, e) : 0;
  if (rc == 0 && old)
    stale_remove(m, folder, old);
  if (rc == 0)
    rc = file_write(path, text_str(&m->names), m->names.n, e);
  free(old);
  free(path);
  return rc;
}
