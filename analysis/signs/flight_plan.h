/* Loads under way at once: how many there are, how many Little's law needs, and how many more a thread could have. */
#pragma once

#include "analysis/signs/rule_input.h"

struct flight_plan {
  double under_way;              /* bytes of the chip that loads ask for, in the mean; 0: unknown */
  double in_flight, needed;      /* of these from DRAM, and those that keep it busy; 0: unknown */
  double thread_bytes, requests; /* of a thread, in the loop whose loads are waited for; its loads under way */
  double kept;                   /* of the time that a warp's batches of loads take in turn */
};
/* More loads of each thread, as far as registers hold them and there are batches to join; a second tile under way at least halves the batches that a
 * warp waits out. */
void flight_plan_of(struct flight_plan *out, const struct rule_input *in);
/* Bytes of loads that the registers of a thread hold at most, where it has `now` under way: those that its block leaves free at its occupancy too. */
double thread_flight_most(const struct rule_input *in, double now);
/* Rows that a thread loads ahead: as many as Little's law needs of its loads, and its registers hold. */
double rows_ahead(const struct rule_input *in, const struct flight_plan *x);

/* Most of what warps wait for comes from the L2: how much must be in flight for a busy DRAM is not the question. */
bool l2_serves(const struct rule_input *in);
/* DRAM is not busy for the most part with what is written: loads that keep it busy are what lacks. */
bool mostly_reads(const struct rule_input *in);
/* Loads that hit the L1 wait longer, all together, than those that the L2 serves, by the measured latencies.  False where these are not known. */
bool l1_serves(const struct rule_input *in);
/* The loop that data come from fills shared memory, turn by turn; without the code that is not known, and assumed. */
bool loads_tiles(const struct rule_input *in);
/* The load that warps wait for, `at`, stands in no loop that turns twice, as most that are executed: a thread loads its elements once, and has no turn to begin ahead. */
bool loads_once(const struct rule_input *in, const struct run_instruction *at);
