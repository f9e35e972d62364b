/* Waits for loads in kernels that wait for atomics. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of the samples that wait for what comes from memory (long_scoreboard), the part that does not wait for the result of an atomic; 1 where no sample tells. */
double waits_part_of_loads(const struct rule_input *in);
/* Loads wait in the queue of atomics: these nearly fill what works on them at the L2, or half of the warps wait for them. */
bool loads_queue_for_atomics(const struct rule_input *in);
