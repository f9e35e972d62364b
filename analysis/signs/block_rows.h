/* Blocks that each work on a row. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Lanes sum up or exchange by shuffles what they load, but make no prefix of it (SHFL.UP), and as
 * many threads store as load: a block has what belongs together, as a row, and one whose threads
 * have more elements is smaller, not one of fewer. */
bool blocks_are_rows(const struct rule_input *in);
