/* What rules share, and the two functions of each rule; the table in rules.c names them.  Private to analysis/advice. */
#ifndef ANALYSIS_ADVICE_RULE_TOOLS_H
#define ANALYSIS_ADVICE_RULE_TOOLS_H

#include "analysis/advice/rules.h"

enum { SECTOR_BYTES = 32, RULE_LANES = 32 };

typedef bool rule_judge(const struct rule_input *in, struct advice *out);
typedef void rule_change(const struct rule_input *in, struct workload *w);

/* rules_dram.c */
rule_judge rule_dram_saturated, rule_excess_dram_bytes, rule_write_back, rule_l2_rereads, rule_redundant_loads;
rule_change change_excess_dram_bytes, change_write_back, change_l2_rereads, change_redundant_loads;
/* rules_sectors.c */
rule_judge rule_uncoalesced, rule_partial_sectors;
rule_change change_uncoalesced, change_partial_sectors;
/* rules_scales.c */
rule_judge rule_scale_loads;
rule_change change_scale_loads;
/* rules_waits.c */
rule_judge rule_long_scoreboard, rule_dependent_loads, rule_spills, rule_barrier, rule_dependent_chain,
    rule_instruction_cache;
rule_change change_long_scoreboard, change_dependent_loads, change_spills, change_barrier, change_dependent_chain,
    change_instruction_cache;
/* rules_shared.c */
rule_judge rule_bank_conflicts, rule_shared_memory, rule_hot_atomics, rule_atomics;
rule_change change_bank_conflicts, change_shared_memory, change_hot_atomics, change_atomics;
/* rules_issue.c */
rule_judge rule_issue_slots, rule_decode_cost, rule_pipe, rule_fp64, rule_divergence;
rule_change change_issue_slots, change_decode_cost, change_pipe, change_fp64, change_divergence;
/* rules_code.c */
rule_judge rule_integer_division, rule_conversions, rule_non_fused;
rule_change change_integer_division, change_conversions, change_non_fused;
/* rules_grid.c */
rule_judge rule_small_grid, rule_small_blocks, rule_launch_bound, rule_tail, rule_imbalance, rule_occupancy,
    rule_latency;
rule_change change_small_grid, change_small_blocks, change_launch_bound, change_tail, change_imbalance,
    change_occupancy, change_latency;

/* A derived metric or counter of the finding; fallback where it is absent. */
double rule_value(const struct rule_input *in, const char *name, double fallback);
/* Adds a metric as evidence, with its own title and unit; one that is absent is left out. */
void evidence_metric(struct advice *a, const struct rule_input *in, const char *name);
void evidence_add(struct advice *a, const char *title, const char *unit, struct value v);

/* Part of the modelled time that a resource or a bound has: 0..1. */
double resource_share(const struct rule_input *in, enum resource r);
double bound_share(const struct rule_input *in, enum bound_kind k);
/* Part of the measured time that a bound needs by itself. */
double bound_needs(const struct rule_input *in, enum bound_kind k);

/* A counter of warp cycles as seconds of a resident warp; 0 where it is unknown. */
double warp_seconds(const struct rule_input *in, const char *counter);
/* Warp instructions executed of these opcodes; modifier: a part of its modifiers that it must have, NULL: any.  0 where nothing was counted. */
double executed_of(const struct rule_input *in, const char *opcode, const char *modifier);
/* Of a class of instructions and a pipe (PIPE_UNKNOWN: any). */
double executed_in(const struct rule_input *in, enum sass_class class, enum sass_pipe pipe);

double or_zero(struct value v);
double part_kept(double gone, double whole); /* 1 - gone / whole in 0..1; 1 where whole is 0 */
void value_scale(struct value *v, double by);
void value_lessen(struct value *v, double by); /* not below 0 */
/* `gone` warp instructions fewer: of the schedulers, and of a warp's own with what they wait for. */
void work_fewer_insts(const struct rule_input *in, struct workload *w, double gone);
/* `by` times the warps share the same work. */
void work_more_warps(struct workload *w, double by);

/* Shared memory of all blocks that are resident at once, in a kernel that fills it by bulk copies: what these can have in flight at most.  Absent
 * in other kernels, and where the launch or the code is not known. */
struct value ring_bytes(const struct rule_input *in);
/* Bytes that must move, as declared; where nothing is declared, those that DRAM read. */
double least_bytes(const struct rule_input *in);
/* Bytes of the sectors that global loads need at least, by exact counts; where these are absent, the L1's load bytes. */
double load_bytes(const struct rule_input *in);
/* A global load of the hot loop whose address another one brings; SASS_NONE: there is none. */
size_t chained_load(const struct rule_input *in);
double grid_blocks(const struct rule_input *in); /* 0: unknown */
/* The hottest source line, or instruction: "gemv.cu:12 (long_scoreboard, 31 % of samples)"; "" where there are no samples. */
const char *hottest_place(const struct rule_input *in);

/* Fills in->waits and in->work. */
void rule_baseline(struct rule_input *in);

#endif
