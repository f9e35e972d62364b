/* Whether matrix instructions multiply rows and columns that no matrix has. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Products that wgmma made over the most that the stored outputs can need: K of them each, where each operand is read once, of an output as square as can be.  0: it is
 * not known, or sums may be of outputs that are not stored (a softmax, a maximum over lanes, atomics). */
double padding_of_products(const struct rule_input *in);
/* Half of them or more are of padding. */
bool pads_products(const struct rule_input *in);
