/* Reductions by shuffles whose steps a loop makes. */
#pragma once

#include "analysis/sass/sass.h"

/* The innermost loop of shuffle i, where each of its turns halves or doubles how far the shuffle
 * reaches, as where the compiler does not know warpSize.  SASS_NONE: there is none. */
size_t sass_shuffle_loop(struct sass *s, size_t i);
