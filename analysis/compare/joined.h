/* Two runs of the same variants in one, so that a step can be made between them. */
#pragma once

#include "run/run.h"

#include <stddef.h>

struct joined {
  /* Borrows everything but its arrays of variants, modules and results, and the earlier variants'
   * ids: "ID before". */
  struct run run;
  size_t n_after; /* variants of the later run, which come first */
};

/* Both runs must outlive *j; the caller releases it. */
void joined_make(struct joined *j, const struct run *before, const struct run *after);
void joined_release(struct joined *j);
