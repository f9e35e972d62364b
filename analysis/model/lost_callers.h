/* Lines of Triton's own functions (tl.sum), of which the compiler loses where they were called.  Pure. */
#pragma once

#include "analysis/sass/sass.h"

/* By instruction: the one whose line stands for the call, which makes what it works on; its own index where its own lines do.  NULL: all have their
 * own.  The caller frees it. */
size_t *lost_callers(struct sass *s, const struct run *r);
