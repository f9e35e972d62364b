/* Under which conditions the runs were made, where they differ; private to the room. */
#pragma once

#include "analysis/compare/diff.h"

/* Fills conditions, n_conditions and same_conditions of a diff whose pairs are there (the SM clock is taken from them). */
void diff_conditions_set(struct diff *d, struct diff_side a, struct diff_side b);
/* No run names another device than the first: kernels do not move together from one chip to another. */
bool diff_one_chip(struct diff_side a, struct diff_side b);
/* Both sides are one and the same run: nothing lies between them but what was put there. */
bool diff_same_run(struct diff_side a, struct diff_side b);
