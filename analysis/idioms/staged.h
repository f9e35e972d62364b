/* Loads of global memory that go to shared memory. */
#pragma once

#include "analysis/sass/sass.h"

/* Of every instruction, whether it brings what shared memory is filled with: a copy past the registers, or a load into registers that a store to shared memory
 * stores, as it is or converted to another type.  The caller frees *out. */
bool *sass_staged_make(struct sass *s);
/* Every load of the loop (SASS_NONE: of the kernel) that is reached goes there, and there is one: what registers get comes through shared memory. */
bool sass_all_staged(struct sass *s, size_t loop);
