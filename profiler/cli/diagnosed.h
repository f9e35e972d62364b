/* Diagnoses of a measured run, as --watch shows them. */
#ifndef PROFILER_CLI_DIAGNOSED_H
#define PROFILER_CLI_DIAGNOSED_H

#include "base/err.h"
#include "base/text.h"
#include "run/run.h"

#include <stdbool.h>

/* Adds the diagnoses of the variants of a source file that have a time, each at its first shape.  device: as --device, NULL: the run's own. */
int diagnosed_add(const struct run *r, const char *source, const char *device, bool json, struct text *out,
                  struct err *e);

#endif
