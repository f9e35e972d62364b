#include "analysis/advice/triton_words.h"

#include "analysis/advice/diagnosis.h"
#include "analysis/model/makers.h"
#include "analysis/rules/rules.h"

#include <stdlib.h>
#include <string.h>

#define PRODUCTS  TRITON_PRODUCTS
#define LOOP      TRITON_LOOP
#define STRAIGHT  TRITON_STRAIGHT
#define REDUCES   TRITON_REDUCES
#define SUMS      TRITON_SUMS
#define AT_ONCE   TRITON_AT_ONCE
#define REGISTERS TRITON_REGISTERS
#define SHARED    TRITON_SHARED
#define BLOCKS    TRITON_BLOCKS
#define STAGES    TRITON_STAGES
#define STORED    TRITON_STORED
#define LARGE     TRITON_LARGE_TILE
#define LAST_AXIS TRITON_LAST_AXIS
#define STAGED    TRITON_STAGED
#define UNDER_IF  TRITON_UNDER_IF
#define GROUPED   TRITON_GROUPED
#define MORE      TRITON_MORE_WARPS
#define FEWER     TRITON_FEWER_WARPS
#define LARGER    TRITON_LARGER_TILE
#define SMALLER   TRITON_SMALLER_TILE
#define FIRM      TRITON_FIRM

#define SUM_BEHIND "add tiles up element by element in the loop (acc += tile), and take one tl.sum behind the loop"
#define SUM_IN_THREADS                                                                                                 \
  "put the reduced axis first in the tile: a warp's lanes lie along the last axis, and each thread then reduces in registers"
#define FEWER_SUMS                                                                                                     \
  "fewer reductions: several values in one (tl.reduce of a tuple, tl.max with return_indices), or tiles added up first"
#define GROUPS "programs in groups that share rows (GROUP_SIZE_M of Triton's tutorial on matrix products)"
#define OTHER_GROUP                                                                                                    \
  "another size of the groups of programs that share rows (GROUP_SIZE_M), which the kernel has already"
#define ALONG_K  "both operands contiguous along K in memory, which 8-bit ones need"
#define ONE_LOAD "load each value once: a whole row in a tile, or one pass over it (an online softmax)"

/* tl.* and triton.* are Triton 3's (triton-lang.org, triton.language and triton.Config).  A launch's num_stages pipelines loops with a tl.dot alone; that of
 * tl.range any of 4 bytes per lane or more (its AssignLatencies.cpp).  Of a rule the rows that need most come first. */
const struct triton_row triton_rows[] = {
    {"small-grid", LOOP,
     "more programs in the launcher's grid (a smaller tile each, or the loop split over programs and a second kernel), or more num_warps in each",
     MORE | SMALLER, "more programs in the launcher's grid (the loop split over programs and a second kernel)"},
    {"small-grid", 0, "more programs in the launcher's grid (a smaller tile each), or more num_warps in each",
     MORE | SMALLER, "more programs in the launcher's grid"},
    {"small-blocks", 0,
     "more work per program, so that fewer start: a larger BLOCK, or several rows in a 2D tile where it holds a whole row already; num_warps to match"},
    {"spills", 0, "more num_warps, or smaller tiles: what a thread holds goes to local memory", MORE | SMALLER | FIRM,
     NULL},
    {"instruction-cache", 0,
     "more num_warps, or smaller tiles: each thread's part of a tile is written out in the code", MORE | SMALLER | FIRM,
     NULL},
    {"hot-atomics", 0, "add up within the program first (tl.sum, tl.histogram), then one tl.atomic_add per result"},
    {"atomics", 0,
     "add up within the program first (tl.sum, tl.histogram), then one tl.atomic_add per result, with sem=\"relaxed\" where order does not matter"},
    {"integer-division", 0,
     "divide by tl.constexpr numbers, or let another axis of the grid (tl.program_id) take the place of // and %"},
    {"partial-sectors", 0, "let the tile's last axis run along memory, 32 bytes or more of it"},
    {"uncoalesced", 0,
     "let the tile's last axis be the one of stride 1 in memory, 32 bytes or more of it: several short rows in a 2D tile, and tl.trans it afterwards"},
    {"bank-conflicts", PRODUCTS | LARGE, ALONG_K},
    {"bank-conflicts", PRODUCTS,
     "larger tiles (BLOCK_N of 64 to 128, BLOCK_M too where the matrix has the rows); " ALONG_K, LARGER, ALONG_K},
    {"bank-conflicts", SUMS, SUM_BEHIND},
    {"bank-conflicts", REDUCES | LAST_AXIS | TRITON_ONE_WARP, SUM_IN_THREADS},
    {"bank-conflicts", REDUCES | LAST_AXIS, SUM_IN_THREADS "; or fewer num_warps", FEWER, SUM_IN_THREADS},
    {"bank-conflicts", REDUCES | TRITON_ONE_WARP, FEWER_SUMS},
    {"bank-conflicts", REDUCES, FEWER_SUMS "; or fewer num_warps", FEWER, FEWER_SUMS},
    {"bank-conflicts", 0,
     "fewer changes of layout (tl.trans, tl.reshape, tl.join): Triton does them through shared memory"},
    {"barrier", PRODUCTS,
     "fewer num_warps, so that fewer wait for each other; or a larger BLOCK_K, so that fewer iterations do", FEWER,
     "a larger BLOCK_K, so that fewer iterations meet at barriers"},
    {"barrier", SUMS, SUM_BEHIND},
    {"barrier", 0,
     "fewer num_warps, so that fewer wait for each other: a program of one warp reduces by shuffles alone", FEWER,
     FEWER_SUMS},
    {"dependent-loads", 0, "load the next tile's indices an iteration ahead, or compute addresses from them"},
    {"long-scoreboard", PRODUCTS | LOOP | STAGED | TRITON_STAGE_FITS,
     "more loads under way: num_stages one higher than now, a larger tile in the loop, or more num_warps",
     MORE | LARGER, "more loads under way: num_stages one higher than now"},
    {"long-scoreboard", PRODUCTS | LOOP | STAGED,
     "a larger tile in the loop, or more num_warps: num_stages is 3 or more already", MORE | LARGER,
     "more programs per SM: num_stages is 3 or more already"},
    {"long-scoreboard", PRODUCTS | LOOP,
     "more loads under way: num_stages of 3 or more, a larger tile in the loop, or more num_warps", MORE | LARGER,
     "more loads under way: num_stages of 3 or more"},
    {"long-scoreboard", LOOP | STAGES,
     "more loads under way: tl.range(..., num_stages=3) in this loop (the launch's num_stages needs a tl.dot), or load the next tile an iteration ahead"},
    {"long-scoreboard", LOOP | UNDER_IF,
     "make the if around the load a mask (tl.load(..., mask=)): then tl.range(..., num_stages=3) in this loop loads ahead"},
    {"long-scoreboard", LOOP | STORED,
     "load the next iteration's values before using this one's, without tl.range's num_stages; what an iteration stores and the next one loads, keep in registers"},
    {"long-scoreboard", LOOP | TRITON_NARROW,
     "a larger BLOCK first, or several rows in a 2D tile, 4 to 16 bytes per lane; then load the next iteration's values into registers before using this one's",
     LARGER,
     "load the next iteration's values into registers before using this one's: tl.range's num_stages does not load ahead here"},
    {"long-scoreboard", LOOP,
     "load the next iteration's values into registers before using this one's: tl.range's num_stages does not load ahead here"},
    {"long-scoreboard", STRAIGHT,
     "more loads under way: a larger tile at the same num_warps, so that a thread has several, or more programs per SM",
     LARGER, "more loads under way: more programs per SM"},
    {"long-scoreboard", 0, "more loads under way: a larger tile, or more num_warps", MORE | LARGER,
     "more loads under way: more programs per SM"},
    {"redundant-loads", PRODUCTS | LARGE | GROUPED, OTHER_GROUP},
    {"redundant-loads", PRODUCTS | GROUPED,
     "larger tiles (BLOCK_M and BLOCK_N of 128), so that fewer programs load the same rows and columns", LARGER,
     OTHER_GROUP},
    {"redundant-loads", PRODUCTS | LARGE, GROUPS},
    {"redundant-loads", PRODUCTS,
     "larger tiles (BLOCK_M and BLOCK_N of 128), so that fewer programs load the same rows and columns", LARGER,
     GROUPS},
    {"redundant-loads", LOOP | TRITON_TWO_PASSES, ONE_LOAD ", and larger tiles where programs share rows", LARGER,
     ONE_LOAD},
    {"redundant-loads", 0,
     "load each value once: larger tiles where programs share rows; load a vector as such, and broadcast it in registers (x[:, None])",
     LARGER, "load each value once: a vector as such, broadcast in registers (x[:, None])"},
    {"l2-rereads", PRODUCTS | LARGE | GROUPED, OTHER_GROUP},
    {"l2-rereads", PRODUCTS | GROUPED,
     "larger tiles (BLOCK_M and BLOCK_N of 128), so that fewer programs load the same rows and columns", LARGER,
     OTHER_GROUP},
    {"l2-rereads", PRODUCTS | LARGE, GROUPS},
    {"l2-rereads", PRODUCTS, "larger tiles (BLOCK_M and BLOCK_N of 128), or " GROUPS, LARGER, GROUPS},
    {"l2-rereads", LOOP | TRITON_TWO_PASSES, ONE_LOAD},
    {"l2-rereads", 0,
     "larger tiles, so that fewer programs load the same rows; neighbouring program_ids for those that share them",
     LARGER, "neighbouring program_ids for programs that load the same rows"},
    {"tail", AT_ONCE,
     "more programs with less work in each (smaller tiles, or a long loop split over programs), so that one more on some SMs costs less"},
    {"tail", 0,
     "smaller tiles, so that the last wave is shorter; a persistent kernel over the same tiles takes as many rounds of them"},
    {"imbalance", 0,
     "split the longest items over several programs (a second axis of the grid), then tl.atomic_add or a second kernel; smaller tiles alone gain nothing"},
    {"occupancy", AT_ONCE,
     "more programs in the launcher's grid, or more num_warps for the same tile: all programs run at once already",
     MORE, "more programs in the launcher's grid: all of them run at once already"},
    {"occupancy", REGISTERS,
     "fewer values per thread, so that more programs fit: more num_warps for the same tile, or a smaller tile",
     MORE | SMALLER, "fewer values per thread, so that more programs fit"},
    {"occupancy", SHARED, "less shared memory per program, so that more fit: fewer num_stages, or smaller tiles",
     SMALLER, "less shared memory per program, so that more fit: fewer num_stages"},
    {"occupancy", BLOCKS, "more num_warps, with several rows or items per program: the SM is at its limit of programs",
     MORE, "several rows or items per program: the SM is at its limit of programs"},
    {"occupancy", 0, "smaller tiles or fewer num_stages, so that more programs fit", SMALLER,
     "fewer num_stages, so that more programs fit"},
    {"dependent-chain", AT_ONCE, "more programs in the launcher's grid: others issue while one waits"},
    {"dependent-chain", REGISTERS, "more num_warps for the same tile: others issue while one waits", MORE,
     "independent elements side by side in a thread, or fewer registers per program: others issue while one waits"},
    {"dependent-chain", 0,
     "independent elements side by side in a thread: several rows in a tile, at the same num_warps", LARGER,
     "more programs per SM: others issue while one waits"},
    {"denormals", TRITON_DIVIDES,
     "one reciprocal for all that is divided by the same (r = 1 / s, then x * r), or div.approx.ftz.f32 by tl.inline_asm_elementwise"},
    {"denormals", 0,
     "fast_expf of libdevice, or ex2.approx.ftz.f32 by tl.inline_asm_elementwise: denormals count as zero"},
    {"fences", 0,
     "sem=\"relaxed\" in tl.atomic_add and its like, which are acq_rel by default and bring a fence each; keep acq_rel where other programs read what was stored before"},
    {"partial-warps", 0, "a BLOCK of 32 x num_warps elements or more, or fewer num_warps"},
    {"shared-memory", PRODUCTS,
     "larger tiles use each value more often: BLOCK_N of 64 or more, BLOCK_M too where the matrix has the rows", LARGER,
     "fewer num_warps, so that fewer of them read the same rows of a tile"},
    {"shared-memory", SUMS, SUM_BEHIND},
    {"shared-memory", REDUCES | LAST_AXIS | TRITON_ONE_WARP, SUM_IN_THREADS},
    {"shared-memory", REDUCES | LAST_AXIS, SUM_IN_THREADS "; or fewer num_warps", FEWER, SUM_IN_THREADS},
    {"shared-memory", REDUCES | TRITON_ONE_WARP, FEWER_SUMS},
    {"shared-memory", REDUCES, FEWER_SUMS "; or fewer num_warps", FEWER, FEWER_SUMS},
    {"shared-memory", 0,
     "fewer changes of layout (tl.trans, tl.reshape, tl.join): Triton does them through shared memory"},
    {"conversions", 0,
     "convert each value, and take functions of it, once: before it is broadcast or used in several places"},
    {"uniform-work", 0, "compute it before it is broadcast, or on the host where it follows from the arguments alone"},
    {"non-fused-fp", 0, "write tl.fma(a, b, c), or launch with enable_fp_fusion=True"},
    {"fp64", 0, "compute in fp32: .to(tl.float32) of what is loaded from float64 tensors, before it is used"},
    {"latency", PRODUCTS | LOOP | TRITON_AT_PRODUCTS | TRITON_LARGE_TILE,
     "smaller tiles with fewer num_warps, so that an SM has two programs: one computes while the other waits for its products",
     SMALLER | FEWER, "two programs per SM: one computes while the other waits for its products"},
    {"latency", PRODUCTS | LOOP | STAGED, "more programs or num_warps: num_stages is 3 or more already", MORE,
     "more programs: num_stages is 3 or more already"},
    {"latency", PRODUCTS | LOOP, "more programs or num_warps, or num_stages of 3 or more", MORE,
     "more programs, or num_stages of 3 or more"},
    {"latency", LOOP | STAGES,
     "more programs or num_warps; several rows in a tile; tl.range(..., num_stages=3) in its loop", MORE | LARGER,
     "more programs; tl.range(..., num_stages=3) in its loop"},
    {"latency", LOOP | UNDER_IF,
     "more programs or num_warps; several rows in a tile; a mask in place of the if around the load, then tl.range(..., num_stages=3)",
     MORE | LARGER, "more programs; a mask in place of the if around the load, then tl.range(..., num_stages=3)"},
    {"latency", LOOP,
     "more programs or num_warps; several rows in a tile; the next iteration's values loaded before this one's are used",
     MORE | LARGER, "more programs; the next iteration's values loaded before this one's are used"},
    {"latency", 0, "more programs or num_warps; several rows in a tile", MORE | LARGER, "more programs per SM"},
    {NULL, 0, NULL, 0, NULL},
};

static const struct triton_row *row_of(const char *rule, unsigned signs) {
  for (const struct triton_row *x = triton_rows; x->rule; x++)
    if (strcmp(x->rule, rule) == 0 && (x->needs & signs) == x->needs)
      return x;
  return NULL;
}

const char *triton_remedy(const char *rule, unsigned signs) {
  const struct triton_row *x = row_of(rule, signs);
  return x ? x->remedy : NULL;
}

/* --- all advice on a kernel --- */

/* What other advice pulls against: of warps fewer, as more programs do what more warps would, and of tiles what comes first; what is firm before both. */
static unsigned refused_by(const struct triton_row *const *rows, size_t n) {
  unsigned firm = 0, all = 0, tile = 0;
  for (size_t i = 0; i < n; i++) {
    unsigned pulls = rows[i] ? rows[i]->pulls : 0;
    firm |= pulls & FIRM ? pulls : 0;
    all |= pulls;
    tile = tile ? tile : pulls & (LARGER | SMALLER);
  }
  if (firm)
    return FEWER | LARGER;
  return (all & FEWER ? MORE : 0) | (tile == LARGER ? SMALLER : tile == SMALLER ? LARGER : 0);
}

/* Triton has a reduction's instructions on the lines of what it reduces: there is nothing to change.  Then that of the only line that reduces, or none. */
static void place_reduction(struct advice *a, const struct rule_input *in, unsigned signs) {
  static const char *const of_trees[] = {"bank-conflicts", "shared-memory", "barrier", "pipe", NULL};
  const char *const *rule = of_trees;
  while (*rule && strcmp(*rule, a->rule->name) != 0)
    rule++;
  if (*rule && (signs & REDUCES) && !(signs & PRODUCTS) && triton_at_operands(in, a->told.at))
    a->told.at = triton_reduction(in);
}

/* Who writes Triton has no threads to name. */
void triton_tell(struct diagnosis *d, const struct rule_input *in) {
  if (d->n == 0 || maker_of(in->f->variant->id) || !triton_made(in))
    return;
  const struct triton_row **rows = calloc(d->n, sizeof *rows);
  unsigned signs = triton_signs(in);
  for (size_t i = 0; i < d->n; i++) {
    const struct told *t = &d->items[i].told;
    rows[i] = t->stop ? NULL : row_of(t->triton_as ? t->triton_as : d->items[i].rule->name, signs);
  }
  unsigned refused = refused_by(rows, d->n);
  for (size_t i = 0; i < d->n; i++)
    place_reduction(&d->items[i], in, signs);
  for (size_t i = 0; i < d->n; i++)
    if (rows[i])
      d->items[i].told.remedy = (rows[i]->pulls & refused) && rows[i]->instead ? rows[i]->instead : rows[i]->remedy;
  free(rows);
}
