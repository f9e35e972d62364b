/* The files that a report put into its folder, so that the next one leaves none of them behind.  Private to the room.
 *
 * The list is the file MANIFEST_NAME in the folder, a name a line.  A file that is not on it is nobody's business here. */
#pragma once

#include "base/err.h"
#include "base/text.h"

#define MANIFEST_NAME ".nvfp4-prof.files"

/* Initialise with {0}; release with text_release of names. */
struct manifest {
  struct text names; /* a name a line */
};
void manifest_add(struct manifest *m, const char *name, const char *ending); /* "climb" and ".svg" */
/* ERR_USAGE where a file of m is in the folder and not on its list: no report wrote it.  write: puts them on the list, before they are written, so that a
 * report that is cut off leaves nothing that the next one takes for another's. */
int manifest_claim(const struct manifest *m, const char *folder, bool write, struct err *e);
/* Removes what the folder's list names and this one does not, then writes this list in its place.  ERR_IO. */
int manifest_replace(const struct manifest *m, const char *folder, struct err *e);
