/* Which instruction advice is about: the line that its remedy changes. */
#pragma once

#include "analysis/signs/rule_input.h"

typedef bool about_kind(const struct sass_inst *x);

about_kind about_loads, about_stores, about_accesses; /* of global memory */
about_kind about_local, about_shared, about_shared_atomics, about_atomics, about_barriers, about_fp64, about_converts;

/* Of these instructions the one whose line warps wait at and for the most, by the samples, or that is executed the most where no warp was seen to wait for one.
 * NULL: there is none, or none has a line. */
const struct run_instruction *about_place(const struct rule_input *in, about_kind *kind);
/* The same of the instructions of in->sass that are marked; by whole lines: what stands on their lines counts with them. */
const struct run_instruction *about_marked(const struct rule_input *in, const bool *marked, bool whole_lines);
/* Of every instruction of in->sass, the samples that stand at it or wait for it; 0 where there are none.  The caller frees it; NULL: out of memory. */
double *about_samples(const struct rule_input *in);
/* Of the instructions of in->sass the line of the most weight; a line that was inlined from several
 * places is a line at each.  Of lines of equal weight the one with the most samples (about_samples);
 * NULL where the weights are guessed and no sample tells which.  guessed: NULL: none is. */
const struct run_instruction *about_weighted(const struct rule_input *in, const double *weight, const double *samples,
                                             const bool *guessed);
/* The same by about_samples, of weights that are not guessed. */
const struct run_instruction *about_heaviest(const struct rule_input *in, const double *weight);
bool same_line(const struct run_line *a, const struct run_line *b);
/* The line of an instruction that its reader can change; NULL: it has none, or a toolkit's. */
const struct run_line *about_line(const struct rule_input *in, const struct run_instruction *at);
/* The instruction of in->sass; NULL where it has no line. */
const struct run_instruction *about_inst(const struct rule_input *in, size_t inst);
