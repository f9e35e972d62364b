/* nvbench's side files: little-endian float32, one a sample, in seconds. */
#include "profiler/import/nvbench.h"

#include "base/file.h"
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 1 << 28, VALUE_BYTES = 4 };

/* The last two names of the path, "FILE.json-bin/0.bin", in the JSON's folder: older nvbench wrote the path as it was given, and nothing
 * outside that folder is to be read. */
static char *path_beside(const char *json, const char *filename) {
  const char *folder_end = strrchr(json, '/'), *from = strrchr(filename, '/');
  while (from && from > filename && from[-1] != '/')
    from--;
  const char *name = from ? from : filename;
  if (strstr(name, ".."))
    return NULL;
  return folder_end ? str_printf("%.*s/%s", (int)(folder_end - json), json, name) : str_copy(name);
}

static int values_read(double *out_ns, const char *bytes, size_t n, const char *path, struct err *e) {
  static const double ns_per_s = 1e9;
  for (size_t i = 0; i < n; i++) {
    const unsigned char *b = (const unsigned char *)bytes + VALUE_BYTES * i;
    uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    float seconds;
    memcpy(&seconds, &bits, sizeof seconds);
    if (!isfinite(seconds) || seconds <= 0)
      return err_set(e, ERR_DATA, "%s: sample %zu is not a time: the file is damaged, or not of this nvbench run", path,
                     i);
    out_ns[i] = seconds * ns_per_s;
  }
  return 0;
}

int nvbench_samples(double **out_ns, bool *there, const char *json, const char *filename, size_t n, struct err *e) {
  char *path = path_beside(json, filename), *bytes = NULL;
  size_t size = 0;
  int rc = 0;
  *out_ns = NULL;
  *there = path && file_exists(path);
  if (!*there)
    goto out;
  rc = file_read_regular(path, SIDE_MAX, false, &bytes, &size, e);
  if (!rc && size != n * VALUE_BYTES)
    rc = err_set(e, ERR_DATA, "%s: holds %zu bytes, but the JSON names %zu samples of %d bytes: it is from another run",
                 path, size, n, VALUE_BYTES);
  if (rc)
    goto out;
  *out_ns = calloc(n + 1, sizeof **out_ns);
  rc = values_read(*out_ns, bytes, n, path, e);
out:
  free(bytes);
  free(path);
  return rc;
}
