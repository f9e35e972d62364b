/* Chains of loads that begin at nothing but themselves: lists, trees, networks. */
#pragma once

#include "analysis/sass/sass.h"

/* Whether load i, a load of a loop, brings its own address of a later turn, through arithmetic and other loads: no turn can begin before the one before has its
 * value.  What only decides, by a predicate, brings none. */
bool sass_chases(struct sass *s, size_t i);
/* Load i's value decides, by a comparison alone, its own address of a later turn, which is made by halving: a search by bisection. */
bool sass_searches(struct sass *s, size_t i);
/* Of a load that does so in loop `inner`: what else its address is made of, a turn of `inner` makes anew of its turn before, and each turn of loop `outer`, around
 * it, goes on from where the turn before has left it, as in a stream of codes of unlike lengths: no turn of `outer` can begin before that one's end. */
bool sass_chase_goes_on(struct sass *s, size_t load, size_t inner, size_t outer);
/* Of the lanes' bytes of all loads of global memory, as executed, those of loads that chase; 0: none, or the counts are unknown. */
double sass_chased_part(struct sass *s);
