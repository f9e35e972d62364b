/* Waits for loads in kernels that wait for atomics, or for fences. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of the samples that wait for what comes from memory (long_scoreboard), the part that waits neither for the result of an atomic, nor for local memory alone, nor in a fence; 1 where no sample tells. */
double waits_part_of_loads(const struct rule_input *in);
/* Of the same samples the part that waits for the result of an atomic; 0 where no sample tells. */
double waits_part_of_atomics(const struct rule_input *in);
/* Of the same samples the part in fences; 0 where no sample tells. */
double waits_part_of_fences(const struct rule_input *in);
/* Of the same samples the part that waits for loads that bring their own next address (sass_chases); 0 where no sample tells. */
double waits_part_of_chases(const struct rule_input *in);
/* Loads wait in the queue of atomics: these nearly fill what works on them at the L2, or half of the warps wait for them. */
bool loads_queue_for_atomics(const struct rule_input *in);
