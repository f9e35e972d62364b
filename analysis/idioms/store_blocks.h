/* Loads that the compiler may not move over a store. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_store_blocks {
  size_t store;    /* instruction */
  bool same_place; /* every turn of the loop stores to one address: it could do so once, behind the loop */
};
/* Most global loads of the loop are through other pointers than a store of it, which may point to the same memory for all that the compiler knows: where a pointer
 * is const __restrict__, its loads are LDG.CONSTANT.  Where turns store to several places, no barrier of the block stands between the two.  Pointers are told apart by the kernel's arguments. */
bool sass_store_blocks(struct sass_store_blocks *out, struct sass *s, size_t loop);
/* Half of the loop's global loads or more are through the pointer of a store behind them, to places that the compiler cannot tell from the next turn's: it loads none of
 * these ahead, whatever the pointers are marked as. */
bool sass_works_in_place(struct sass *s, size_t loop);
