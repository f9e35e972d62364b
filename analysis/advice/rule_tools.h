/* What rules share, and the row of each.  Private to analysis/advice. */
#pragma once

#include "analysis/advice/rules.h"

enum { SECTOR_BYTES = 32, LINE_SECTORS = 4, RULE_LANES = 32 };

typedef bool rule_judge(const struct rule_input *in, struct advice *out);
typedef void rule_change(const struct rule_input *in, struct workload *w);

/* The model errs by less in nine of ten results that it was never fitted to (docs/model.md, Errors). */
#define MODEL_ERROR 0.12
/* DRAM is what the time goes into where what its bytes and the ramp leave of it is less than the model can tell. */
#define DRAM_ALONE (1 - MODEL_ERROR)

/* Part of its bandwidth from which on DRAM has little left to give. */
#define DRAM_BUSY 0.8

/* The row of a rule stands before its two functions, rule_ID and change_ID: its name, its title, and whether it is general.  cmake/rows.cmake gathers the
 * rows of the room for rules.c.  The number orders them, which matters only between equal estimates: the more telling cause stands first. */
#define RULE_ROW(number, id, text, titled, is_general)                                                                 \
  rule_judge rule_##id;                                                                                                \
  rule_change change_##id

/* A derived metric or counter of the finding; fallback where it is absent. */
double rule_value(const struct rule_input *in, const char *name, double fallback);
/* Adds a metric as evidence, with its own title and unit; one that is absent is left out. */
void evidence_metric(struct advice *a, const struct rule_input *in, const char *name);
void evidence_add(struct advice *a, const char *title, const char *unit, struct value v);
/* Adds the part of the measured time that a bound needs by itself; left out where it is not known. */
void evidence_needs(struct advice *a, const struct rule_input *in, const char *title, enum bound_kind k);

/* Part of the modelled time that a bound has: 0..1. */
double bound_share(const struct rule_input *in, enum bound_kind k);
/* Part of the measured time that a bound needs by itself. */
double bound_needs(const struct rule_input *in, enum bound_kind k);

/* A counter of warp cycles as seconds of a resident warp; 0 where it is unknown. */
double warp_seconds(const struct rule_input *in, const char *counter);
/* Of the short waits of a resident warp, those for n warp instructions of the XU: shared memory and the XU share them by their work. */
double xu_waits(const struct rule_input *in, double n);
/* Of the short waits of a resident warp, those for shared memory and not for the XU, by their instructions. */
double shared_waits(const struct rule_input *in);
/* Warp instructions executed of these opcodes; modifier: one that it must have, whole ("HI"), NULL: any.  0 where nothing was counted. */
double executed_of(const struct rule_input *in, const char *opcode, const char *modifier);
/* Of a class of instructions and a pipe (PIPE_UNKNOWN: any). */
double executed_in(const struct rule_input *in, enum sass_class class, enum sass_pipe pipe);

/* Cycles of the data stage for loads from shared memory: by exact counts, else the loads' part of all shared accesses. */
double shared_load_wavefronts(const struct rule_input *in);

double or_zero(struct value v);
double part_kept(double gone, double whole); /* 1 - gone / whole in 0..1; 1 where whole is 0 */
void value_scale(struct value *v, double by);
void value_lessen(struct value *v, double by); /* not below 0 */
/* `gone` warp instructions fewer: of the schedulers, and of a warp's own with what they wait for. */
void work_fewer_insts(const struct rule_input *in, struct workload *w, double gone);
/* Part of all instructions, on every pipe: fuller warps need so many fewer. */
void work_fewer_warp_insts(const struct rule_input *in, struct workload *w, double gone);
/* What waits for the path of loads and stores goes with the work on it: loads beyond an idle chip's latencies, short
 * waits, and the stores at a warp's end; no more than what a remedy has taken of them already. */
void waits_follow(const struct rule_input *in, struct workload *w);
/* A thread does the work of `by`, as far as the grid has more than one wave of blocks. */
void work_fewer_blocks(const struct rule_input *in, struct workload *w, double by);
/* `by` times the warps share the same work. */
void work_more_warps(struct workload *w, double by);

/* Shared memory of all blocks that are resident at once, in a kernel that fills it by bulk copies: what these can have in flight at most.  Absent
 * in other kernels, and where the launch or the code is not known. */
struct value ring_bytes(const struct rule_input *in);
/* CUTLASS and cuBLAS name the elements that rows are aligned to: a kernel of fp16 or bf16 for fewer than 8, 16 bytes, was taken for want of better rows, and
 * its code is not the user's to change.  0: it is no such kernel. */
int elements_aligned(const struct rule_input *in);
#define NARROW_ROWS_REMEDY                                                                                             \
  "pad leading dimensions (also an odd vocabulary size) to 8 elements, 16 bytes: the library's kernels with bulk or 16-byte loads need it"
/* Bytes that must move, as declared; where nothing is declared, those that DRAM read. */
double least_bytes(const struct rule_input *in);
/* Of the sectors that the L1 handles, those of local memory; of those that the L2 sends, where copies past the registers bring more. */
double local_part(const struct rule_input *in);
/* Bytes of the sectors that global loads need at least, by exact counts; where these are absent, the L1's load bytes. */
double load_bytes(const struct rule_input *in);
/* Bytes that the L2 sends because lanes lie apart: the parts of sectors that no lane asked for, of the sectors that missed the L1. */
double l2_read_over(const struct rule_input *in);
/* Where in the text of an access its address begins, and how long the registers of it are: "[R2.64" of "[R2.64+0x8]"; 0: it has none. */
size_t access_base(const struct sass_inst *x, const char **at, long *offset);
enum { ACCESSES_NEAR = 64 }; /* instructions between accesses that are compared */
/* Of the bytes of global loads, those at an address that the same thread has loaded before, in the same block of code.  0: none, or executed counts are unknown. */
double loads_again(const struct rule_input *in);
/* A global load of the hot loop whose address another one brings; SASS_NONE: there is none. */
size_t chained_load(const struct rule_input *in);
/* An instruction by which the hot loop, or one around it, makes a value of the turn before's (sass_recurrence); SASS_NONE: there is none. */
size_t serial_instruction(const struct rule_input *in);
/* The work of a thread cannot be shared out: its turns need one another (sass_serial_nest). */
bool turns_are_serial(const struct rule_input *in);
/* Cycles that warps wait for results of fixed latency, by the instructions that stand between a result and its reader; -1: not counted. */
double dependent_cycles(const struct sass *s);
/* Batches of loads that a resident warp waits for one after the other: what can be under way at once, or shared out.  0: unknown. */
double warp_batches(const struct rule_input *in);
/* A count as a sentence has it: "97200", "6.33 million". */
const char *count_words(const struct rule_input *in, double count);
/* A share as a part of a sentence: "; 40 % long_scoreboard"; "" where it was not counted. */
const char *percent_words(const struct rule_input *in, const char *before, const char *share, const char *after);
/* "75 % of issue slots used": of the SMs' active cycles; of the whole time too, which the nearest roof has, where that is another figure. */
const char *slots_words(const struct rule_input *in);
/* SMs are loaded unevenly since there are so few blocks, less than half a wave, that some have
 * one more. */
bool imbalance_is_of_few(const struct rule_input *in);
double grid_blocks(const struct rule_input *in);                           /* 0: unknown */
const char *line_words(const struct rule_input *in, int source, int line); /* "gemv.cu:12", "12 of an unnamed file" */
/* The hottest source line, or instruction: "gemv.cu:12 (long_scoreboard, 31 % of samples)"; "" where there are no samples. */
const char *hottest_place(const struct rule_input *in);

/* Fills in->waits and in->work. */
void rule_baseline(struct rule_input *in);
