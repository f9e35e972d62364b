#include "analysis/rules/split_words.h"

#include "analysis/idioms/block_work.h"
#include "analysis/idioms/handed_on.h"
#include "analysis/idioms/loop_state.h"
#include "analysis/idioms/serial.h"
#include "analysis/model/code_place.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/pipes.h"
#include "analysis/signs/waves.h"

#include <math.h>

/* NULL: it has no line. */
static const char *place_words(const struct rule_input *in, const struct run_instruction *at) {
  struct code_place place = {0};
  if (at)
    code_place_of(&place, in->all->run, at);
  return place.line ? line_words(in, place.line->source, place.line->line) : NULL;
}

const char *split_grid_words(const struct rule_input *in, const struct split_loop *t, double blocks) {
  const char *line = place_words(in, t->at);
  return pool_printf(
      in->pool,
      t->as_compiled
          ? "launch more blocks, up to %.0f (%.0f now); the loop%s%s strides by a number that the code has for that: change it, too"
          : "launch more blocks, up to %.0f (%.0f now): the loop%s%s strides by the grid, so that each runs fewer iterations",
      blocks, grid_blocks(in), line ? " at " : "", line ? line : "");
}

#define FULL "more blocks (a block holds no more threads)"

const char *split_loop_words(const struct rule_input *in, const struct split_loop *t, const char *rest) {
  const char *line = place_words(in, t->at);
  enum { BLOCK_THREADS_MOST = 1024 };
  bool full = in->f->launch && launch_block_threads(in->f->launch) >= BLOCK_THREADS_MOST; /* no more warps fit */
  const char *const over[] = {[SPLIT_ANYHOW] = full ? FULL : "lanes or blocks",
                              [SPLIT_WARPS] = full ? "blocks (its lanes' loads are coalesced already)"
                                                   : "warps or blocks (its lanes' loads are coalesced already)",
                              [SPLIT_LANES] = full ? FULL : "the lanes of a warp (their loads then lie side by side)"};
  if (runs_tensor_cores(in)) /* some warps only copy: turns counted by samples are not those of one warp */
    return pool_printf(in->pool, "split the loop%s%s over blocks (split-K, stream-K), or smaller tiles",
                       line ? " at " : " over K", line ? line : "");
  const char *sums = place_words(in, t->adds_at);
  if (sums) /* where a block's turns follow one another, those of several meet */
    rest = pool_printf(in->pool, "; sums in global memory (%s) then take atomicAdd or a second pass", sums);
  const char *loop = line ? pool_printf(in->pool, "the loop at %s", line) : "its loop";
  return pool_printf(
      in->pool, "each thread runs %s of %s%s: split that loop over %s%s%s",
      t->counted ? pool_printf(in->pool, "about %s iterations", count_words(in, t->turns)) : "many iterations", loop,
      !t->counted ? ""
      : line      ? " (counted after unrolling)"
                  : ", as compiled",
      over[t->by], t->product ? ", its running product by a scan" : "", t->by == SPLIT_ANYHOW || sums ? rest : "");
}

bool split_turns(struct told *out, const struct rule_input *in, double blocks) {
  struct split_loop t;
  if (grid_blocks(in) <= 0 || !split_loop_of(&t, in, blocks / grid_blocks(in)))
    return false;
  double most = fmax(blocks, wave_blocks(in));
  /* Where SMs have blocks, but not as many, smaller ones even that out. */
  bool chain = is_of_chain(in) && (grid_blocks(in) < sms_of(in) || rule_value(in, "sm_balance", 1) >= 0.95);
  out->remedy = t.strides && most > grid_blocks(in)
                    ? split_grid_words(in, &t, most)
                    : split_loop_words(in, &t, chain ? "; smaller blocks alone gain nothing" : "");
  out->at = t.at;
  return true;
}
