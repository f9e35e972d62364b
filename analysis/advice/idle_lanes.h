/* Lanes that have nothing to do because of where they stand.  Private to the room. */
#pragma once

#include "analysis/advice/rule_tools.h"

/* Divergence tells of lanes that guards on indices leave without an element. */
bool lanes_without_element(const struct rule_input *in);
