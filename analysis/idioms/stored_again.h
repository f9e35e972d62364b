/* Loops that load from the array that they store to, or that another loop loads from. */
#pragma once

#include "analysis/sass/sass.h"

/* A load and a store of global memory in the loop rest on one pointer among the kernel's arguments, or one of them on none that is found: a turn may load what a turn
 * before it has stored.  An argument that is added to an address and not scaled counts as a pointer. */
bool sass_may_load_its_stores(struct sass *s, size_t loop);
/* Two accesses of global memory rest on one such pointer. */
bool sass_same_array(struct sass *s, size_t a, size_t b);
/* Two loops, neither in the other, load by one such pointer. */
bool sass_loops_load_alike(struct sass *s, size_t a, size_t b);
