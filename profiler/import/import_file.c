#include "base/file.h"
#include "profiler/import/ncu_rep.h"
#include "profiler/import/utf16.h"
#include "run/gunzip.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 30 };

static int inflate_file(char **text, size_t *n, const char *path, struct err *e) {
  char *packed = *text;
  *text = NULL;
  int rc = gunzip(packed, *n, FILE_MAX, text, n, e);
  free(packed);
  return rc ? err_context(e, "%s", path) : 0;
}

/* As run_save writes it. */
static const char run_begins[] = "{\n \"schema\": \"" RUN_SCHEMA_NAME;

int import_file_read(char **text, size_t *n, const char *path, struct err *e) {
  *text = NULL;
  int rc = file_read(path, FILE_MAX, text, n, e);
  if (!rc && gunzip_is(*text, *n))
    rc = inflate_file(text, n, path, e);
  if (!rc && strncmp(*text, run_begins, sizeof run_begins - 1) == 0)
    rc = err_set(e, ERR_DATA, "%s: is a run file already: nvfp4-prof report %s", path, path);
  if (!rc && utf16_is(*text, *n))
    rc = utf16_read(text, n, path, e);
  if (!rc && strlen(*text) != *n && !ncu_rep_is(&(struct import_file){path, *text, *n}))
    rc = err_set(e, ERR_DATA, "%s: holds NUL bytes: it is neither CSV nor a report of Nsight Compute (.ncu-rep)", path);
  return rc;
}
