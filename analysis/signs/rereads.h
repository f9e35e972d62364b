/* Bytes that are asked for again, by the counts: more of them than there are. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Half of the samples or more wait for loads of lines that ask for twice as many bytes as must be read, at places that no data choose, so that they ask for some again: fewer such loads are fewer waits, however idle the
 * memories are.  False where the loads were not counted. */
bool rereads_are_waited_for(const struct rule_input *in);
