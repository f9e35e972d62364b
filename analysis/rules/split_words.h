/* What advice says of a loop whose turns lanes or blocks could share out.  Private to the room. */
#pragma once

#include "analysis/rules/rules.h"
#include "analysis/signs/split_loop.h"

/* "each thread runs about 1031 iterations of the loop at fma.cu:642 (counted after unrolling): split
 * that loop over lanes or blocks"; the rest follows. */
const char *split_loop_words(const struct rule_input *in, const struct split_loop *t, const char *rest);
/* Of a loop that strides by the grid: "launch more blocks, up to 1056 (512 now): ..." */
const char *split_grid_words(const struct rule_input *in, const struct split_loop *t, double blocks);
/* Names the loop whose turns fill `blocks` blocks as the remedy, and its line; false where there is none, and nothing is named. */
bool split_turns(struct told *out, const struct rule_input *in, double blocks);
