/* A tar archive in memory: plain files in the ustar format of POSIX, which every tar reads. */
#pragma once

#include "base/err.h"
#include "base/text.h"

/* Adds a file under its name in the archive; mode: 0644, or 0755 for a program.  The owner is root and the time a constant, so that the same files
 * give the same archive.  ERR_USAGE: a name beyond 100 bytes. */
int tar_add(struct text *tar, const char *name, unsigned mode, const void *data, size_t n, struct err *e);
/* The two empty blocks that end it. */
void tar_end(struct text *tar);
