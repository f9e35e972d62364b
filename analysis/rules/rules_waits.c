/* Rules on what a warp waits for besides loads: other warps, its own results, its instructions. */
#include "analysis/idioms/serial.h"
#include "analysis/rules/remedies.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/without_tree.h"
#include "analysis/signs/about.h"
#include "analysis/signs/barrier_work.h"
#include "analysis/signs/block_tree.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/code_fetch.h"
#include "analysis/signs/one_lane.h"
#include "analysis/signs/polling.h"
#include "analysis/signs/product_waits.h"
#include "analysis/signs/thread_loads.h"
#include "analysis/signs/waves.h"

#include "analysis/idioms/held.h"

#include <math.h>
#include <string.h>

/* --- other warps --- */

/* A tree is what warps wait in, and no other block. */
static bool waits_in_tree(struct block_tree *out, const struct rule_input *in) {
  return block_tree_of(out, in, NULL) && tree_waits(in, out) && !waits_for_a_lock(in->sass) &&
         polls_for_others(in) == SASS_NONE;
}

/* What lets fewer warps wait for one another, or less often. */
static const char *meets_less(const struct rule_input *in) {
  struct barrier_work x;
  barrier_work_of(&x, in);
  bool shuffles = x.exchanges && !x.shuffles;
  return pool_printf(in->pool, "%s%s%s (the estimate assumes that a quarter of the waits stays)",
                     shuffles ? "replace the barrier by warp shuffles, " : "",
                     x.uneven ? "give warps equal work between barriers, " : "",
                     shuffles ? "or use smaller blocks"
                              : "use smaller blocks, or more elements per thread between two barriers");
}

/* ", at patch.cu:12"; "" where the line is not known. */
static const char *place_words(const struct rule_input *in, const struct run_instruction *at) {
  return at && at->n_lines > 0
             ? pool_printf(in->pool, ", at %s", line_words(in, at->lines[0].source, at->lines[0].line))
             : "";
}

RULE_ROW(160, barrier, "barrier", "warps wait at barriers", RULE_CAUSE, NULL);
bool rule_barrier(const struct rule_input *in, struct told *out) {
  static const double MOST = 0.5;
  double own = barriers_part_of_products(in), share = rule_value(in, "stall_barrier_share", 0) * (1 - own);
  if (share <= 0 || own > MOST || in->waits.of_a_walk)
    return false;
  evidence_metric(out, in, "stall_barrier_share");
  evidence_metric(out, in, "stall_barrier_per_inst");
  out->at = about_place(in, about_barriers);
  evidence_metric(out, in, "issue_slot_utilisation");
  struct block_tree tree;
  size_t polls = polls_for_others(in);
  if (waits_in_tree(&tree, in)) {
    out->sentence = pool_printf(
        in->pool,
        "%.0f %% of warp cycles wait at barriers, most in a tree reduction through shared memory, which is %.0f %% of all instructions",
        100 * share, 100 * fmin(tree.has.insts / rule_value(in, "inst_executed", INFINITY), 1));
    out->remedy = TREE_REMEDY;
    out->at = tree.at;
    return true;
  }
  if (waits_for_a_lock(in->sass)) {
    out->sentence = pool_printf(
        in->pool, "%.0f %% of warp cycles wait at a barrier, while the block asks for a lock in a loop", 100 * share);
    out->remedy =
        "fewer blocks per lock (more locks, shorter sections), or write partial results and add them up in a second kernel "
        "(the estimate assumes that a quarter of the waits stays)";
    return true;
  }
  if (polls != SASS_NONE) {
    out->sentence = pool_printf(
        in->pool,
        "%.0f %% of warp cycles wait at a barrier, while a warp of the block polls for what another block writes",
        100 * share);
    out->remedy =
        "let blocks hand on less often (more work in each), look back without waiting (decoupled look-back), or do "
        "what they hand on in a second kernel";
    out->at = about_inst(in, polls);
    return true;
  }
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait at a barrier for other warps of the block", 100 * share);
  out->remedy = meets_less(in);
  struct one_lane lane;
  if (one_lane_of(&lane, in)) {
    out->at = about_inst(in, lane.at);
    out->sentence = pool_printf(
        in->pool, "%.0f %% of warp cycles wait at a barrier, behind %.0f instructions of a single lane of the block%s",
        100 * share, lane.insts, place_words(in, out->at));
    out->remedy = "let the lanes of a warp share that work (shuffles, a value each), or all warps, before the barrier "
                  "(the estimate assumes that a quarter of the waits stays)";
    return true;
  }
  struct alone alone;
  if (alone_of(&alone, in) && alone.of_barriers >= MOST && alone.hands_on) {
    out->at = about_inst(in, alone.at);
    out->sentence = pool_printf(
        in->pool, "%.0f %% of warp cycles wait at a barrier, most of them while one thread of the block works alone%s",
        100 * share, place_words(in, out->at));
    out->remedy =
        "let every thread do that itself, from shared memory (a barrier less), or the lanes of a warp share it where it is long "
        "(the estimate assumes that a quarter of the waits stays)";
  }
  return true;
}

/* The lanes of a warp share the values that one of them went through, each its part, and put their results together in five steps. */
static void work_over_lanes(const struct rule_input *in, const struct one_lane *x, struct workload *w) {
  static const double STEPS = 5; /* log2 of a warp's lanes */
  double steps = ceil(x->values / RULE_LANES) + STEPS, blocks = grid_blocks(in);
  double gone = blocks * part_kept(steps, x->values);
  work_fewer_warp_insts(in, w, 1 - part_kept(gone * x->insts, or_zero(w->inst)));
  value_scale(&w->l1_wavefronts, part_kept(gone * x->shared, or_zero(w->l1_wavefronts)));
}

void change_barrier(const struct rule_input *in, struct workload *w) {
  struct block_tree tree;
  if (waits_in_tree(&tree, in)) {
    work_without_tree(in, &tree, w);
    return;
  }
  double barriers = in->sass ? barriers_executed(in) * (1 - BARRIERS_KEPT) : 0;
  value_lessen(&w->barriers_s, in->waits.barrier_s * (1 - barriers_part_of_products(in)) * (1 - BARRIERS_KEPT));
  value_scale(&w->adu, part_kept(barriers, rule_value(in, "pipe_adu", 0)));
  struct one_lane lane;
  if (one_lane_of(&lane, in))
    work_over_lanes(in, &lane, w);
}

/* --- its own results --- */

/* Waits for results of fixed latency: no more than were counted; without the code, those beyond one cycle an instruction. */
static double fixed_s(const struct rule_input *in) {
  const struct workload *w = &in->f->bounds.work;
  double cycles = dependent_cycles(in->sass), wait = warp_seconds(in, "stall_wait");
  if (cycles < 0)
    return fmax(wait - warp_seconds(in, "stall_selected"), 0);
  return wait > 0 ? fmin(wait, cycles / (or_zero(w->clock_hz) * or_zero(w->warps))) : 0;
}

static double chained_s(const struct rule_input *in) {
  return fixed_s(in) + warp_seconds(in, "stall_short_scoreboard") *
                           part_kept(rule_value(in, "shared_wavefronts", 0),
                                     rule_value(in, "shared_wavefronts", 0) + rule_value(in, "pipe_xu", 0));
}

/* Without the code it is taken that there is a sum. */
static const char *chain_remedy(const struct rule_input *in) {
  size_t serial = serial_instruction(in), loop = in->sass ? hot_loop(in->sass) : SASS_NONE;
  if (serial != SASS_NONE)
    return pool_printf(
        in->pool, "each iteration needs the one before (%s at 0x%04x): take out of the loop what does not, or %s",
        in->sass->insts[serial].opcode, in->sass->insts[serial].offset,
        grid_blocks(in) < wave_blocks(in) ? "put more such chains into a launch" : "give a thread several such chains");
  if (in->sass && sass_sum(in->sass, loop) == SASS_NONE)
    return threads_have_several(in) && threads_store_several(in)
               ? "work on a thread's elements side by side: interleave their instructions, or more warps"
               : "more instruction-level parallelism: several elements per thread, worked on side by side, or more warps";
  struct sass_held held = {0};
  if (in->sass)
    sass_held_of(&held, in->sass, loop);
  return held.chains >= CHAINS
             ? pool_printf(in->pool, "more warps: the loop works on %d independent accumulators already", held.chains)
             : "more instruction-level parallelism: 4 independent accumulators per thread, or more warps";
}

RULE_ROW(250, dependent_chain, "dependent-chain", "dependent arithmetic, few warps", RULE_CAUSE, NULL);
bool rule_dependent_chain(const struct rule_input *in, struct told *out) {
  double wait = rule_value(in, "stall_wait_share", 0);
  struct value eligible = finding_value(in->f, "eligible");
  /* Warps that are ready and not chosen stand in line for issue: a shorter chain brings them no sooner. */
  bool queues = rule_value(in, "stall_not_selected", 0) > rule_value(in, "stall_wait", 0);
  if (chained_s(in) <= 0 || queues || begins_products(in))
    return false;
  evidence_metric(out, in, "stall_wait_share");
  evidence_metric(out, in, "eligible");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait for the previous result (wait)%s", 100 * wait,
                  eligible.present ? pool_printf(in->pool, "; %.2f eligible warps per scheduler", eligible.v) : "");
  out->remedy = chain_remedy(in);
  out->at = about_inst(in, serial_instruction(in));
  return true;
}

void change_dependent_chain(const struct rule_input *in, struct workload *w) {
  value_lessen(&w->dependencies_s, chained_s(in) * (1 - 1.0 / CHAINS));
}

/* --- its instructions --- */

static void says_of_all(struct told *out, const struct rule_input *in, const struct code_fetch *x) {
  static const double KIB = 1024;
  evidence_add(out, "size of the code that runs", "B", value_of(x->bytes));
  evidence_metric(out, in, "icache_misses");
  evidence_metric(out, in, "icache_requests");
  out->at = x->at;
  out->sentence = pool_printf(in->pool, "%.0f %% of warp cycles wait for instruction fetch: %.0f KiB of code run%s",
                              100 * rule_value(in, "stall_no_instruction_share", 0), x->bytes / KIB,
                              x->at ? pool_printf(in->pool, ", %.0f KiB of it at this line", x->of_line / KIB) : "");
  out->remedy =
      "less code: hoist what repeats, __noinline__ for what is inlined often, #pragma unroll 1 (the estimate assumes half of the waits)";
}

RULE_ROW(240, instruction_cache, "instruction-cache", "instruction-cache misses", RULE_NO_PAIR, NULL);
bool rule_instruction_cache(const struct rule_input *in, struct told *out) {
  double share = rule_value(in, "stall_no_instruction_share", 0), bytes = code_bytes(in);
  size_t call = call_of_function(in->sass);
  struct code_fetch all;
  bool by_all = bytes <= L0_CACHE_BYTES && call == SASS_NONE;
  if (share <= 0 || (by_all && !code_fetch_of(&all, in)))
    return false;
  evidence_metric(out, in, "stall_no_instruction_share");
  if (by_all) {
    says_of_all(out, in, &all);
    return true;
  }
  if (bytes <= L0_CACHE_BYTES) {
    evidence_metric(out, in, "icache_misses");
    evidence_metric(out, in, "icache_requests");
    out->sentence = pool_printf(
        in->pool, "%.0f %% of warp cycles wait for instruction fetch; the kernel calls functions (%s at 0x%04x)",
        100 * share, in->sass->insts[call].opcode, in->sass->insts[call].offset);
    out->remedy =
        "inline what is called (with -rdc: compile as one unit, or link with -dlto); loop over rounds rather than unroll them, so "
        "that the loop fits the cache";
    out->at = about_inst(in, call);
    return true;
  }
  evidence_add(out, "size of the hot loop's code", "B", value_of(bytes));
  evidence_metric(out, in, "icache_misses");
  evidence_metric(out, in, "icache_requests");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait for instruction fetch; the hot loop has %.0f KiB of code",
                  100 * share, bytes / 1024);
  out->remedy = "unroll less, or loop over a table, so that the loop fits the instruction cache";
  return true;
}

void change_instruction_cache(const struct rule_input *in, struct workload *w) {
  static const double HALF = 0.5;
  bool all = code_bytes(in) <= L0_CACHE_BYTES && call_of_function(in->sass) == SASS_NONE;
  value_lessen(&w->dependencies_s, warp_seconds(in, "stall_no_instruction") * (all ? HALF : 1));
}
