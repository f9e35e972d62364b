/* Bytes that are asked for again, by the counts: more of them than there are. */
#pragma once

#include "analysis/signs/rule_input.h"

/* A cache that nobody empties may hold what must be read from an earlier launch, as much as it has room for: then DRAM reads less.  0: emptied, or what must
 * move was declared. */
double held_by_l2(const struct rule_input *in);
/* Bytes that must be read. */
double distinct_bytes(const struct rule_input *in);
/* Half of the samples or more wait for loads of lines that ask for twice as many bytes as must be read, at places that no data choose, so that they ask for some again: fewer such loads are fewer waits, however idle the
 * memories are.  False where the loads were not counted. */
bool rereads_are_waited_for(const struct rule_input *in);
