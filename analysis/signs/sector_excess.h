/* Which accesses of global memory touch the sectors that their bytes do not need. */
#pragma once

#include "analysis/signs/about.h"

/* Loads or stores, as counted of the whole launch; 0: not counted. */
struct sector_counts {
  about_kind *kind;
  double excess;   /* sectors beyond the least */
  double requests; /* of warps */
};

/* The line with the most sectors beyond those that its bytes need: as each instruction was counted, else by how far apart the code says that its lanes lie.
 * What is left of the counted excess is of accesses that the code says nothing of, by the samples that wait for them, else by how often they run.  Where
 * that explains less than half of it, the line that about_place tells of `otherwise`.  NULL: it cannot be told, or no line is known. */
const struct run_instruction *sector_excess_place(const struct rule_input *in, const struct sector_counts *of, size_t n,
                                                  about_kind *otherwise);
