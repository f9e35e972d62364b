/* Remedies that the shape of the code names: functions of products, loads behind stores.  Private to the room. */
#pragma once

#include "analysis/rules/rules.h"
#include "analysis/signs/mix.h"

/* What a kind is, and its remedy, where these depend on the code; NULL: the kind has words of its own. */
const char *const *special_words(const struct rule_input *in, enum mix_kind k);
/* Where stores of the loop keep its loads from being issued ahead, that comes first; true: the pointers of the loads are to be marked. */
bool stores_block_loads(struct told *out, const struct rule_input *in);
