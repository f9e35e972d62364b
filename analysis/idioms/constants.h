/* Loads of constant memory. */
#pragma once

#include "analysis/sass/sass.h"

/* Of every instruction, whether it loads constant memory at an index that lanes of a warp have each of their own: one in line with the lane's number, or one
 * that a load brought, other than to all lanes alike.  The caller frees *out. */
bool *sass_indexed_constants_make(struct sass *s);
