/* The arrays that a kernel stores to, told apart by the base of their addresses. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Whether the stores to one of several arrays bring `bytes`, within a twentieth. */
bool stores_one_array_of(const struct rule_input *in, double bytes);
