/* Which loads of global memory other blocks, or other rows of the block, make again. */
#pragma once

#include "analysis/signs/about.h"

/* Where there is no code, no executed counts, no launch or no memory, all say what they do of all. */
/* Of the loads of one place that other blocks or rows make again the line that warps wait for the most, where they ask for `least` of the bytes or more and others for the rest; else that of all loads. */
const struct run_instruction *repeated_place(const struct rule_input *in, double least);
/* What DRAM is busy with: the line of the side that moves most of its bytes; of loads, the one that asks for most of those which no other block or row makes again.  Where neither side
 * has most, that of all accesses. */
const struct run_instruction *dram_place(const struct rule_input *in);
/* Of the bytes that loads ask for, those whose place does not follow from one of the numbers of blocks: other blocks load them, too. */
double repeated_by_blocks(const struct rule_input *in);
/* Of what loads and copies bring, what is at a place that is computed of what was loaded, and does not move on from there by turns: which blocks share it is for the data to say. */
double chosen_by_data(const struct rule_input *in);
/* Most of it is such, and the L1 has it: a table that data look up.  The L2 sends what DRAM does, and the L1 twice as much. */
bool looked_up_in_l1(const struct rule_input *in);
/* Of the loads and copies, without those that bring a small part of what the L2 sends: what runs once for a block is not where its bytes come from, however long it
 * is waited for. */
const struct run_instruction *bringing_place(const struct rule_input *in);
