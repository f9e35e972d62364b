/* Warps without an element, as far as the counts can tell. */
#pragma once

#include "analysis/idioms/leaving.h"
#include "analysis/signs/rule_input.h"

/* False: there are fewer of them than would be told, or what was sampled is too little to say so. */
bool leaving_warps_of(struct sass_leaving *out, const struct rule_input *in);
