/* What rules share, and the row of each.  Private to analysis/rules and analysis/advice. */
#pragma once

#include "analysis/rules/rules.h"
#include "analysis/signs/rule_input.h"

typedef bool rule_judge(const struct rule_input *in, struct told *out);
typedef void rule_change(const struct rule_input *in, struct workload *w);
typedef bool static_judge(struct static_code *c, struct told *out);

/* The model errs by less in nine of ten results that it was never fitted to (docs/model.md, Errors). */
#define MODEL_ERROR 0.10
/* DRAM is what the time goes into where what its bytes and the ramp leave of it is less than the model can tell. */
#define DRAM_ALONE (1 - MODEL_ERROR)

/* Part of its bandwidth from which on DRAM has little left to give. */
#define DRAM_BUSY 0.8

/* Of the work that it is about: a cause that takes less is not told, since the model and the counts err by more. */
#define NAMED_LEAST 0.03

enum { CHAINS = 4 }; /* that a remedy walks side by side */

/* The row of a rule stands before its two functions, rule_ID (its judge) and change_ID: name ("tail"), title ("partial last wave"), flags (enum rule_flag), and
 * what tells the same cause by code that was not run: static_ID of static_*.c, or NULL.
 * cmake/rows.cmake gathers the rows of the room for rule_table.c.  The number orders them, which matters only between equal estimates: the more telling cause
 * stands first. */
#define RULE_ROW(number, id, name, title, flags, judge_static)                                                         \
  rule_judge rule_##id;                                                                                                \
  rule_change change_##id

static_judge static_bank_conflicts, static_decode_cost, static_dependent_loads, static_fp64, static_integer_division,
    static_issue_slots, static_long_scoreboard, static_narrow_loads, static_occupancy, static_pipe,
    static_shared_memory, static_small_grid, static_spills, static_uncoalesced;

/* Adds a metric as evidence, with its own title and unit; one that is absent is left out. */
void evidence_metric(struct told *a, const struct rule_input *in, const char *name);
void evidence_add(struct told *a, const char *title, const char *unit, struct value v);
/* Adds the part of the measured time that a bound needs by itself; left out where it is not known. */
void evidence_needs(struct told *a, const struct rule_input *in, const char *title, enum bound_kind k);

/* For `change`; CONTRIBUTING has which of them a remedy asks for. */
void value_scale(struct value *v, double by);
void value_lessen(struct value *v, double by); /* not below 0 */
/* `gone` warp instructions fewer: of the schedulers, and of a warp's own with what they wait for. */
void work_fewer_insts(const struct rule_input *in, struct workload *w, double gone);
/* Part of all instructions, on every pipe: fuller warps need so many fewer. */
void work_fewer_warp_insts(const struct rule_input *in, struct workload *w, double gone);
/* What waits for the path of loads and stores goes with the work on it: loads beyond an idle chip's latencies, short
 * waits, and the stores at a warp's end; no more than what a remedy has taken of them already. */
void waits_follow(const struct rule_input *in, struct workload *w);
/* What local memory moves through the L1, the L2 and DRAM goes. */
void work_without_local(const struct rule_input *in, struct workload *w);
/* A thread does the work of `by`, as far as the grid has more than one wave of blocks. */
void work_fewer_blocks(const struct rule_input *in, struct workload *w, double by);
/* `by` times the warps share the same work. */
void work_more_warps(struct workload *w, double by);

/* A count as a sentence has it: "97200", "6.33 million". */
const char *count_words(const struct rule_input *in, double count);
double two_digits(double count); /* rounded: executed counts may be estimates, of samples or of a launch's counters */
/* A share as a part of a sentence: "; 40 % long_scoreboard"; "" where it was not counted. */
const char *percent_words(const struct rule_input *in, const char *before, const char *share, const char *after);
/* "75 % of issue slots used": of the SMs' active cycles; of the whole time too, which the nearest roof has, where that is another figure. */
const char *slots_words(const struct rule_input *in);
const char *line_words(const struct rule_input *in, int source, int line); /* "gemv.cu:12", "12 of an unnamed file" */
/* The hottest source line, or instruction: "gemv.cu:12 (long_scoreboard, 31 % of samples)"; "" where there are no samples. */
const char *hottest_place(const struct rule_input *in);
