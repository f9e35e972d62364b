/* What of a kernel's work waits for what it has done before, by the code of its hot loop: addresses that loads bring, turns that need one another, results. */
#pragma once

#include "analysis/signs/rule_input.h"

/* The loop that most of the time goes into, SASS_NONE: there is none. */
size_t hot_loop(struct sass *s);
/* A global load of the hot loop whose address another one brings; SASS_NONE: there is none. */
size_t chained_load(const struct rule_input *in);
/* There is one, and a load of that loop brings, or decides, its own address of a later turn: its turns cannot be shared out, those of a gather can. */
bool walks(const struct rule_input *in);
/* An instruction by which the hot loop, or one around it, makes a value of the turn before's (sass_recurrence); SASS_NONE: there is none. */
size_t serial_instruction(const struct rule_input *in);
/* The hot loop, or the nearest around it, whose turns hand on by memory what they made
 * (handed_on.h); SASS_NONE: there is none. */
size_t loop_that_hands_on(const struct rule_input *in);
/* The work of a thread cannot be shared out: its turns need one another (sass_serial_nest). */
bool turns_are_serial(const struct rule_input *in);
/* Cycles that warps wait for results of fixed latency, by the instructions that stand between a result and its reader; -1: not counted. */
double dependent_cycles(const struct sass *s);
/* Warps among whom a warp's work can be shared out: one for each of its batches of loads, none along a chain of loads.  0: unknown. */
double shareable(const struct rule_input *in);
/* The same warps walk the same chain wherever they are: nothing else is shared among those of an
 * SM, or each has a scheduler to itself. */
bool is_of_chain(const struct rule_input *in);
/* Most bytes of loads are those of loads that bring their own next address: no tile holds what they read. */
bool chases_lead(const struct rule_input *in);
/* Of a load that does so: no chain waits for its turn, in a later wave of blocks or in a loop around the load's. */
bool all_chains_run(const struct rule_input *in, size_t load);
/* Warp instructions of the loop of such a load, where it does nothing but walk: it stores nothing, has no floating-point arithmetic and no other load of global memory
 * than such.  0: it does more, or is not counted. */
double chase_alone(const struct rule_input *in, size_t load);
