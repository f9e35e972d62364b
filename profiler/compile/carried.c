/* A kit's kernels: entries of a cache that were made on another machine, and the manifest that says by which NVRTC. */
#include "base/file.h"
#include "profiler/compile/toolchain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANIFEST_MAX = 4 << 20 };

int carried_open(struct carried *c, struct err *e) {
  memset(c, 0, sizeof *c);
  char program[LIBRARY_PATH_MAX], *text = NULL;
  char *folder = program_folder(program) ? str_printf("%s/kit", program) : NULL;
  char *path = folder ? str_printf("%s/manifest", folder) : NULL;
  size_t n = 0;
  int rc = 0;
  if (!path || !file_exists(path))
    goto out;
  rc = file_read(path, MANIFEST_MAX, &text, &n, e);
  if (!rc && sscanf(text, CARRIED_HEAD, c->nvrtc, c->targets) != 2)
    rc = err_set(e, ERR_DATA,
                 "%s: this is not the manifest of a kit that this program can read; unpack the kit again, or "
                 "remove the folder to do without it",
                 path);
  if (!rc) {
    c->folder = folder;
    folder = NULL;
  }
out:
  free(text);
  free(path);
  free(folder);
  return rc;
}

void carried_release(struct carried *c) {
  free(c->folder);
  memset(c, 0, sizeof *c);
}
