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
/* Several waves, the last a part of one, and the count of blocks alone makes the SMs as uneven
 * as they are: some have one more.  Whether blocks do equal work is not asked. */
bool count_explains(const struct rule_input *in, double balance);
/* Threads of a block hand each other what they made, wait for each other, or make a matrix
 * product together. */
bool blocks_work_together(const struct rule_input *in);
/* A block's work is one piece, as a tile is: its warps work together, or it is a single warp,
 * and no loop goes over the grid.  Another grid of the same pieces takes as many turns. */
bool blocks_are_pieces(const struct rule_input *in);
/* The SMs' balance where the blocks' work is cut finer: into halves or quarters of a piece, or
 * single warps of a block whose warps do not work together. */
double finer_balance(const struct rule_input *in);
