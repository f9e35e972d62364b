/* Which run files there are. */
#pragma once

#include "base/err.h"

#include <stddef.h>

struct run_files {
  char **items; /* paths */
  size_t n;
};

/* Files as they are named; of a folder its run files, and those one folder below it: a folder of reports.  ERR_MACHINE where that is none.  The caller
 * releases *out, also after failure. */
int run_files_find(struct run_files *out, char *const *words, size_t n, struct err *e);
void run_files_release(struct run_files *p); /* leaves *p all zero */
