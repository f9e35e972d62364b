/* How far an access moves on from one turn of its loop to the next. */
#pragma once

#include "analysis/sass/sass.h"

enum sass_advance {
  ADVANCE_NONE,   /* it is in no loop that moves it, or what moves it is not found */
  ADVANCE_OWN,    /* by its own bytes: a lane's next element lies beside this one */
  ADVANCE_LAUNCH, /* by what the launch's sizes give, as over a grid, or by a warp's or a block's lanes */
  ADVANCE_OTHER   /* by anything else, as a row */
};
/* Of a global access, in the innermost loop that moves it.  threads: of a block; 0: unknown. */
enum sass_advance sass_advance_of(struct sass *s, size_t i, long threads);
/* Bytes that its innermost loop moves it on by in a turn, where that is a number in the code; 0: it is none. */
long sass_moved_bytes(struct sass *s, size_t i);
