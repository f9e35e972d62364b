/* Which blocks fit an SM: of other sizes, with fewer registers, with as much shared memory in larger ones. */
#pragma once

#include "analysis/model/occupancy.h"
#include "analysis/signs/rule_input.h"

bool limits_of(struct occupancy *out, const struct rule_input *in);
/* Whether an SM's registers, or its shared memory, have room for so many of these blocks. */
bool has_room(const struct rule_input *in, const struct occupancy_block *b, enum occupancy_limit l, int blocks);
/* Threads of a block half as large, where so many more of them fit that an SM has warps to gain: registers are left over beside large blocks; 0: they are not.
 * What it shares is taken to halve, too.  *by: as many resident warps. */
int half_block(const struct rule_input *in, double *by);
/* As few registers a thread as let so many of these blocks into an SM; the compiler hands them out in eights.  0: no number does. */
int registers_for(const struct rule_input *in, struct occupancy_block b, int blocks);

/* Where every block has the same table in shared memory, larger ones have no more of it. */
struct larger_blocks {
  double now, warps; /* an SM holds now, and with blocks of `threads`, the best size that has the registers of now */
  int threads;
  double more; /* with blocks of `more_threads`, with as few registers as let as many of them in */
  int more_threads, registers;
};
/* False where shared memory is not the limit, or holds something else. */
bool larger_blocks_of(struct larger_blocks *out, const struct rule_input *in, const struct occupancy *o);
