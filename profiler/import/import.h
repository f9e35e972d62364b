/* Other tools' measurements as a run.
 *
 * Nsight Compute: each kernel, by name, geometry and registers, becomes a variant of the ladder "ncu"; its launches are the samples of one result.
 * Counters are found by the tables of run/metrics, whose expressions are ncu's metric names too, else by profiler/import/ncu.txt.  What a file
 * lacks is absent with that reason.
 */
#pragma once

#include "base/err.h"
#include "base/shape.h"
#include "base/text.h"
#include "run/device.h"
#include "run/run.h"

#include <stddef.h>

struct import_file {
  const char *name, *text;
  size_t n; /* bytes of the text, the NUL at its end not counted */
};

struct import_options {
  const struct import_file *files;
  size_t n_files;
  const struct import_file *sources; /* views of the source: SASS, samples, counts */
  size_t n_sources;
  const char *kernel;           /* glob: only kernels of such a name; NULL: all */
  const struct shape *problem;  /* NULL: none declared; the results' shape is then 0x0x0 (base/shape.h) */
  bool bytes_known;             /* whoever asks knows the kernels' bytes: no note says that none are declared */
  const struct device *device;  /* what the files do not say of the card; NULL: nothing known */
  struct import_unused *unused; /* filled; NULL: not asked for */
};

/* What is in the files and nothing asked for, a name a line, each once. */
struct import_unused {
  struct text names;
  size_t n;
};

/* Reads a file that may be compressed by gzip.  *text is NUL-terminated and the caller's to free, also after failure.  ERR_DATA for what can be
 * none of ncu's. */
int import_file_read(char **text, size_t *n, const char *path, struct err *e);

/* Fills all of *out but tool, git and command.  ERR_DATA "NAME:LINE:COLUMN: ..." with the remedy.  The caller releases *out, also after
 * failure. */
int import_ncu(struct run *out, const struct import_options *o, struct err *e);
