/* What lanes ask of global memory by loads: those into registers, and copies past them to shared memory (cp.async, LDGSTS), which the L1 counts as loads too. */
#pragma once

#include "analysis/signs/rule_input.h"

/* The L1's counters of this class have the instruction: copies count with the loads. */
bool counts_as(const struct sass_inst *x, enum sass_class class);
/* Bytes that lanes ask for, of the whole launch.  The counter of them (load_data_bytes) leaves copies out: of these it is the width of every lane, as often as
 * they run.  0: nothing was counted, or there are copies and how often they run is unknown. */
double asked_bytes(const struct rule_input *in);
/* Bytes of a lane's mean load, by the code and how often it ran; else what lanes ask for, over lanes and requests.  0: nothing was counted. */
double lane_load_bytes(const struct rule_input *in);
