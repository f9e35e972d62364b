/* The rules, one function each; the table in rules.c names them.  Private to analysis/rules*.c. */
#ifndef ANALYSIS_ADVICE_RULE_TOOLS_H
#define ANALYSIS_ADVICE_RULE_TOOLS_H

#include "analysis/advice/rules.h"

enum { SECTOR_BYTES = 32 };

/* rules_memory.c */
bool rule_dram_saturated(const struct rule_input *in, struct advice *out);
bool rule_long_scoreboard(const struct rule_input *in, struct advice *out);
bool rule_dependent_loads(const struct rule_input *in, struct advice *out);
bool rule_uncoalesced(const struct rule_input *in, struct advice *out);
bool rule_redundant_loads(const struct rule_input *in, struct advice *out);
bool rule_excess_dram_bytes(const struct rule_input *in, struct advice *out);
bool rule_write_back(const struct rule_input *in, struct advice *out);
bool rule_spills(const struct rule_input *in, struct advice *out);
bool rule_bank_conflicts(const struct rule_input *in, struct advice *out);
bool rule_shared_memory(const struct rule_input *in, struct advice *out);
bool rule_atomics(const struct rule_input *in, struct advice *out);
/* rules_scales.c */
bool rule_scale_loads(const struct rule_input *in, struct advice *out);
/* rules_issue.c */
bool rule_issue_slots(const struct rule_input *in, struct advice *out);
bool rule_decode_cost(const struct rule_input *in, struct advice *out);
bool rule_pipe(const struct rule_input *in, struct advice *out);
bool rule_fp64(const struct rule_input *in, struct advice *out);
bool rule_divergence(const struct rule_input *in, struct advice *out);
bool rule_non_fused(const struct rule_input *in, struct advice *out);
/* rules_grid.c */
bool rule_small_grid(const struct rule_input *in, struct advice *out);
bool rule_tail(const struct rule_input *in, struct advice *out);
bool rule_imbalance(const struct rule_input *in, struct advice *out);
bool rule_occupancy(const struct rule_input *in, struct advice *out);
bool rule_barrier(const struct rule_input *in, struct advice *out);
bool rule_latency(const struct rule_input *in, struct advice *out);

/* A part of the measured time that bounds of a kind need: 0..1, 0 where it is unknown. */
double bound_share(const struct rule_input *in, enum bound_kind k);
/* Shared memory of all blocks that are resident at once, in a kernel that fills it by bulk copies: what these can have in flight at most.  Absent
 * in other kernels, and where the launch or the code is not known. */
struct value ring_bytes(const struct rule_input *in);
/* DRAM's bytes and an empty kernel explain so much of the time that only fewer bytes help. */
bool dram_is_full(const struct rule_input *in);

#endif
