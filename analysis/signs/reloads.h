/* Addresses that a thread loads more than once, by the code. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of the bytes of global loads, those at an address that the same thread has loaded before, in the same block of code.  0: none, or executed counts are unknown. */
double loads_again(const struct rule_input *in);
