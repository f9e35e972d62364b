/* What a search has measured so far: a run that grows, kept in a file so that an interrupted search goes on. */
#pragma once

#include "base/err.h"
#include "run/run.h"

/* Moves everything of `from` behind what is in *into (its heading, where it was empty); a variant that *into has already is replaced.  *from is left
 * released. */
void tune_state_append(struct run *into, struct run *from);
/* Loads path into *out where there is such a file, and it is of the same search: the same sources, GPU, settings and `key`.  Else *out is empty; a file that
 * cannot be read is an empty one too. */
void tune_state_load(struct run *out, const char *path, const struct run *like, const char *key);
int tune_state_save(struct run *state, const char *path, const char *key, struct err *e);
