/* What rules are asked about: a finding, with its code, its samples and its work, and what is read of them in one step.  Pure; it says nothing and promises nothing.
 *
 * Seconds, bytes, and warp instructions of the whole launch.  A counter that is absent counts as nothing where no other fallback is named.
 */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/findings.h"
#include "analysis/model/hot.h"
#include "base/warp.h"

#include <stdbool.h>
#include <stddef.h>

enum { SECTOR_BYTES = 32, LINE_SECTORS = 4, RULE_LANES = WARP_LANES };

/* Waits of a resident warp in turn that the model of time does not count, as far as it leaves the measured time unexplained. */
struct rule_waits {
  double barrier_s, local_s, turns_s; /* turns: for copies that a loop waits for in their own turn */
  bool by_turns;                      /* it has such a loop, and warps wait for what it copies */
  /* Barriers wait for one thread that follows a chain (walks_alone): they take no time of their
   * own, and its waits are all of the time. */
  bool of_a_walk;
  double atomics_s;  /* of the measured time, by the samples: warps stand at or wait for atomics of global memory */
  double operands_s; /* of that, they stand at an atomic and wait for what a load brings: not for atomics */
};

struct rule_input { /* nothing in it is owned */
  const struct findings *all;
  const struct finding *f;
  struct pool *pool; /* for words */
  const struct hot *hot;
  struct sass *sass; /* of the kernel with the most samples, else of the first; NULL: the run holds none */
  double time_s;
  double floor_s; /* least time (saving_floor_s) */
  struct rule_waits waits;
  struct workload work; /* the finding's, with these waits */
};

/* The kernel of in->sass, with its samples; NULL: none of the hot ones. */
const struct hot_kernel *rule_kernel(const struct rule_input *in);
/* It is an instruction of in->sass. */
bool rule_is_ours(const struct rule_input *in, const struct hot_inst *x);
/* How far apart neighbouring lanes of its accesses lie (sass_steps_make).  The caller frees it. */
struct sass_step *rule_steps_make(const struct rule_input *in);
/* A derived metric or counter of the finding; fallback where it is absent. */
double rule_value(const struct rule_input *in, const char *name, double fallback);

/* Part of the modelled time that a bound has: 0..1. */
double bound_share(const struct rule_input *in, enum bound_kind k);
/* Part of the measured time that a bound needs by itself. */
double bound_needs(const struct rule_input *in, enum bound_kind k);

double or_zero(struct value v);
double part_kept(double gone, double whole); /* 1 - gone / whole in 0..1; 1 where whole is 0 */

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
/* Executed loads of constants at an address that stands in the instruction: the kernel's arguments, and what else is the same wherever it is loaded. */
double argument_loads(const struct rule_input *in);

/* Cycles of the data stage for loads from shared memory: by exact counts, else the loads' part of all shared accesses. */
double shared_load_wavefronts(const struct rule_input *in);
/* Shared memory of all blocks that are resident at once, in a kernel that fills it by bulk copies: what these can have in flight at most.  Absent
 * in other kernels, and where the launch or the code is not known. */
struct value ring_bytes(const struct rule_input *in);
/* CUTLASS and cuBLAS name the elements that rows are aligned to: a kernel of fp16 or bf16 for fewer than 8, 16 bytes, was taken for want of better rows, and
 * its code is not the user's to change.  0: it is no such kernel. */
int elements_aligned(const struct rule_input *in);
/* Bytes that must move, as declared; where nothing is declared, those that DRAM read. */
double least_bytes(const struct rule_input *in);
/* A cache that nobody empties may hold what must be read from an earlier launch, as much as it has room for: then DRAM reads less.  0: emptied, or what must
 * move was declared. */
double held_by_l2(const struct rule_input *in);
/* Bytes that must be read. */
double distinct_bytes(const struct rule_input *in);
/* Of the sectors that the L1 handles, those of local memory; of those that the L2 sends, where copies past the registers bring more. */
double local_part(const struct rule_input *in);
/* Batches of loads that a resident warp waits for one after the other: what can be under way at once, or shared out.  0: unknown. */
double warp_batches(const struct rule_input *in);
double grid_blocks(const struct rule_input *in); /* 0: unknown */
