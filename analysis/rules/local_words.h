/* What advice says of local memory, by what is kept there.  Private to the room. */
#pragma once

#include "analysis/signs/local.h"

/* Behind "... local memory: ". */
const char *local_words(struct pool *p, const struct local_kinds *x);
/* registers: of a thread.  frugal: other advice spares them. */
const char *local_remedy(struct pool *p, const struct local_kinds *x, int registers, bool frugal);
