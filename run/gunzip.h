/* Files that gzip has compressed. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes begin as gzip's do, 1f 8b. */
bool gunzip_is(const char *data, size_t n);
/* Inflates n bytes of gzip, one member or several on end, to at most max bytes (n and max below 4 GB).  *out is NUL-terminated and the
 * caller's to free.  ERR_DATA, with the remedy, where the data is cut short, damaged, longer than max once inflated, or followed by
 * something else. */
int gunzip(const char *data, size_t n, size_t max, char **out, size_t *n_out, struct err *e);
/* Whether a file of this name is to be compressed: it ends in ".gz". */
bool gzip_wanted(const char *path);
/* Deflates n bytes (below 4 GB) to one member of gzip without a name or a time, so that the same text gives the same file.  *out is the
 * caller's to free.  ERR_NOMEM. */
int gzip_pack(const char *data, size_t n, char **out, size_t *n_out, struct err *e);
