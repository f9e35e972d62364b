/* Whole files in, whole files out. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a file of at most `max` bytes; *out is NUL-terminated and the caller's to free.  ERR_IO
 * names the path and the cause. */
int file_read(const char *path, size_t max, char **out, size_t *n, struct err *e);
/* Writes to PATH.tmp.N beside it, flushes, and renames: a reader sees the old file or the new,
 * never a part.  On any failure (a full disk too) the temporary is removed and path is as it was;
 * what a killed process left under that name goes.  The file keeps the mode that it had, and one
 * that may not be written is not replaced.  What a rename would take away (a link, a file of
 * several names or of another owner, a pipe, a terminal, where the standard output goes) is written
 * through, and may be left cut short.  ERR_USAGE: the path is "-". */
int file_write(const char *path, const void *data, size_t n, struct err *e);
/* mkdir -p; a path that exists as a folder is fine. */
int file_mkdirs(const char *path, struct err *e);
int file_mkdirs_mode(const char *path, unsigned mode, struct err *e); /* of the folders that it makes */
/* As file_read, of a regular file only: a pipe in its place is refused, not waited for.  own: it
 * must belong to this user, and nobody else may write it. */
int file_read_regular(const char *path, size_t max, bool own, char **out, size_t *n, struct err *e);
/* Waits until no other process has the folder, which is this one's until the descriptor is closed; -1, and nothing is waited for: it cannot be
 * locked, as on some network file systems. */
int file_folder_lock(const char *path);
bool file_exists(const char *path);
bool file_is_folder(const char *path);
