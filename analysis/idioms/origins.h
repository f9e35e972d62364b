/* What an operand was made of: places that data choose, and atomics that are loops of compare and swap. */
#pragma once

#include "analysis/sass/sass.h"

typedef bool sass_origin(const struct sass *s, size_t at, size_t of);

/* Whether an instruction that is wanted has made the operand of instruction i, or what that was made of, guards included; of: is handed on. */
bool sass_comes_from(struct sass *s, size_t i, const struct sass_range *operand, sass_origin *wanted, size_t of);

/* The register in the last brackets: "REDG.E.ADD desc[UR4][R10.64+0x4], R8"; NULL: there is none. */
const struct sass_range *sass_place(const struct sass_inst *x);
/* The place of an access was computed of what was loaded, by instructions of whatever latency (sass_place_is_loaded follows fixed latencies alone): an index, and no
 * pointer that was loaded as it is. */
bool sass_place_is_chosen(struct sass *s, size_t i);

/* Instruction i compares and swaps in a loop, and what it would store is computed of what an earlier turn has brought: an addition, a product or a maximum of a type that
 * has no atomic.  No lock, and no entry of a table. */
bool sass_swaps_in_loop(struct sass *s, size_t i);
