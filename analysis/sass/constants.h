/* Loads of constant memory. */
#pragma once

#include "analysis/sass/sass.h"

/* Of every instruction, whether it loads constant memory at an index that lanes of a warp have each of their own: one in line with the lane's number, or one
 * that a load brought, other than to all lanes alike.  ERR_NOMEM.  The caller frees *out. */
int sass_indexed_constants_make(bool **out, struct sass *s, struct err *e);
