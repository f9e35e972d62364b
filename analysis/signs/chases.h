/* Chains of loads that begin at nothing but themselves: lists, trees, networks. */
#pragma once

#include "analysis/sass/sass.h"

/* Whether load i, a load of a loop, brings its own address of a later turn, through arithmetic and other loads: no turn can begin before the one before has its
 * value.  What only decides, by a predicate, brings none. */
bool sass_chases(struct sass *s, size_t i);
/* Of the lanes' bytes of all loads of global memory, as executed, those of loads that chase; 0: none, or the counts are unknown. */
double sass_chased_part(struct sass *s);
