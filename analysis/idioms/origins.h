/* What an operand was made of: places that data choose, and atomics that are loops of compare and swap. */
#pragma once

#include "analysis/sass/sass.h"

typedef bool sass_origin(const struct sass *s, size_t at, size_t of);

/* Whether an instruction that is wanted has made the operand of instruction i, or what that was made of, guards included; of: is handed on. */
bool sass_comes_from(struct sass *s, size_t i, const struct sass_range *operand, sass_origin *wanted, size_t of);
/* Wanted: instruction `of` itself. */
sass_origin sass_is_at;

/* The register in the last brackets: "REDG.E.ADD desc[UR4][R10.64+0x4], R8"; NULL: there is none. */
const struct sass_range *sass_place(const struct sass_inst *x);
/* The place of an access was computed of what was loaded, by instructions of whatever latency (sass_place_is_loaded follows fixed latencies alone): an index, and no
 * pointer that was loaded as it is. */
bool sass_place_is_chosen(struct sass *s, size_t i);

/* The loop writes what the place of this access is read from. */
bool sass_place_moves(const struct sass *s, size_t access, size_t loop);

/* Instruction i compares and swaps in a loop, and what it would store in the same word is computed of what an earlier turn has brought: an addition, a product or a
 * maximum of a type that has no atomic.  No lock, no entry of a table, and no link from one to the next. */
bool sass_swaps_in_loop(struct sass *s, size_t i);
/* Of such a one: its loop computes with 16-bit floats. */
bool sass_swaps_halves(const struct sass *s, size_t i);
/* Of such a one: what it would store is the larger or the smaller of two, and nothing is added on the way. */
bool sass_swaps_extremes(struct sass *s, size_t i);
/* It adds what the block has added up in shared memory by atomics: "LDS R7, [R2]", "REDG.E.ADD [R4.64], R7". */
bool sass_adds_gathered(struct sass *s, size_t i);
/* A lane that a vote has elected adds for its warp, and is told where the warp's places begin. */
bool sass_counts_places(const struct sass *s, size_t i);

/* The thread stores where this load was, a few instructions later: a place that it alone works on. */
bool sass_updates_place(const struct sass *s, size_t load);
