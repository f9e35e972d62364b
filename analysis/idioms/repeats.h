/* What a warp executes once, and what again and again. */
#pragma once

#include "analysis/sass/sass.h"

/* The instruction stands in a loop of which a warp makes two turns or more each time it enters, or of
 * which that is not known: there is a next turn whose work could begin ahead. */
bool sass_repeats(const struct sass *s, size_t i);
