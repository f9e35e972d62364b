#include "analysis/idioms/shuffle_loops.h"
#include "analysis/idioms/tree.h"

#include <string.h>

enum { LANE = 1 }; /* of what a shuffle reads, behind the value; it is a number where the loop was unrolled */

size_t sass_shuffle_loop(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  size_t loop = s->blocks[s->block_of[i]].loop;
  if (strcmp(x->opcode, "SHFL") != 0 || loop == SASS_NONE || !s->loops[loop].innermost || x->n_reads <= LANE)
    return SASS_NONE;
  struct sass_producer from[SASS_READS_MAX];
  size_t n = sass_producers(s, i, from, SASS_READS_MAX);
  for (size_t k = 0; k < n && k < SASS_READS_MAX; k++)
    if (from[k].range.file == x->reads[LANE].file && from[k].range.first == x->reads[LANE].first &&
        sass_in_loop(s, from[k].inst, loop) && sass_halves(s, from[k].inst, loop))
      return loop;
  return SASS_NONE;
}
