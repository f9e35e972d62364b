/* What guards and branches ask. */
#pragma once

#include "analysis/sass/sass.h"

/* The instruction's guard rests on the thread's number, and otherwise on the launch, numbers and the kernel's arguments alone. */
bool sass_asks_place(struct sass *s, size_t i);
/* It rests on what was loaded, or computed of data; or that cannot be told. */
bool sass_asks_data(struct sass *s, size_t i);
/* It rests on the block's number, among others; or that cannot be told. */
bool sass_asks_block(struct sass *s, size_t i);

typedef bool sass_asker(struct sass *s, size_t i, size_t loop);
/* Its guard, or where it has none a branch of the loop that leads to it or past it, is one that asks; of what every turn comes to, none is. */
bool sass_is_let(struct sass *s, size_t i, size_t loop, sass_asker *asks);
