/* How the blocks of a grid lie over the SMs: waves, the last of them, and what the SMs' balance is of. */
#pragma once

#include "analysis/signs/rule_input.h"

enum { SCHEDULERS = 4 }; /* of an SM */

double sms_of(const struct rule_input *in);
/* Blocks that are resident at once; 0: unknown. */
double wave_blocks(const struct rule_input *in);

/* Of the SMs' balance, what the last wave explains: 1 / this part is uneven work. */
double tail_balance(const struct rule_input *in);
/* The model's tail, for a grid of full waves and a rest, as a part of the modelled time. */
double tail_share(const struct rule_input *in);
/* Whether all blocks are resident at once, and alike blocks would be spread no more evenly than it is: some SMs have one more. */
bool one_more_explains(const struct rule_input *in, double balance);
/* SMs are loaded unevenly since there are so few blocks, less than half a wave, that some have
 * one more. */
bool imbalance_is_of_few(const struct rule_input *in);
/* Several waves of blocks that do equal work, by the code, and a part of one. */
bool ends_in_part(const struct rule_input *in);
