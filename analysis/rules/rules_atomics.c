/* The rule on atomics in global memory. */
#include "analysis/rules/atomic_words.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/atomic_blocks.h"
#include "analysis/signs/atomic_code.h"
#include "analysis/signs/atomic_waits.h"
#include "analysis/signs/merged_atomics.h"
#include "analysis/signs/polling.h"

#include <math.h>
#include <string.h>

/* Remedy: updates of a bin that a block gathers before it writes. */
static const double GATHERED = 4;
/* Lanes of a warp in one word from which on these are what is wrong. */
static const double LANES_MEET = 2;

/* Shuffles by which a warp adds up; threads of the largest block. */
enum { TREE_STEPS = 5, BLOCK_MOST = 1024 };

#define FEWER_BLOCKS                                                                                                   \
  "let fewer blocks add to one address (more work in each), or store partial sums and add them up in a second kernel"

/* --- what they are --- */

struct atomics {
  double sectors, requests; /* of the L2; of warps; requests 0: not counted */
  double sent; /* sectors that SMs sent: the L2 counts those again that one of its partitions passes to the other */
  double kept;
  double met; /* lanes of a warp that meet in a word, mean; 0: few do */
  bool scattered;
  bool apart;        /* lanes of a warp mostly have words of their own, wherever these are */
  bool side_by_side; /* a warp's lanes fill sectors: as many addresses as lanes */
  struct atomic_blocks blocks;
  bool block_counts; /* a warp counts once: what is left is that a larger block does */
  bool wide;         /* scattered over more than an SM's shared memory holds */
  struct merged_atomics merged;
  struct atomic_code code;
};

/* One slice of the L2 takes more than GATHERED times its share: the addresses are few, whichever lanes touch them. */
static bool meets_in_a_slice(const struct rule_input *in) {
  const struct rate_of_device *rate = in->all->rates.of;
  double slice = rate[RATE_ATOMIC_SLICE].value, all = rate[RATE_ATOMIC_SECTORS].value;
  double most = rule_value(in, "l2_atomic_cycles_max", 0), sectors = rule_value(in, "l2_atomic_sectors", 0);
  return slice > 0 && most * all > GATHERED * sectors * slice;
}

/* A warp's lanes that meet in a sector are few addresses: the block can add up first, and one atomic remains; those that meet in a word the warp adds up.
 * Scattered, a block can gather updates of the same address in shared memory. */
static bool atomics_of(struct atomics *out, const struct rule_input *in) {
  *out = (struct atomics){.sectors = rule_value(in, "l2_atomic_sectors", 0),
                          .requests = rule_value(in, "reduction_requests", 0) + rule_value(in, "atomic_requests", 0)};
  if (out->requests <= 0)
    out->requests = executed_of(in, "RED", NULL) + executed_of(in, "REDG", NULL) + executed_of(in, "ATOMG", NULL);
  double touched = rule_value(in, "reduction_sectors", 0) + rule_value(in, "atomic_sectors", 0);
  touched = touched > 0 ? touched : out->sectors;
  out->sent = fmin(touched, out->sectors);
  double filled = (rule_value(in, "reduction_data_bytes", 0) + rule_value(in, "atomic_data_bytes", 0)) / SECTOR_BYTES;
  bool spread = touched > fmax(4 * out->requests, filled); /* 32 neighbouring words of 8 bytes are 8 sectors */
  out->scattered = out->requests > 0 && spread && !meets_in_a_slice(in);
  out->side_by_side = out->requests > 0 && touched > 2 * out->requests && !out->scattered && !meets_in_a_slice(in);
  out->kept = out->scattered ? 1 / GATHERED : 1 - part_kept(grid_blocks(in), out->sectors);
  if (in->f->bounds.work.atomic_bursts >= LANES_MEET) {
    out->met = in->f->bounds.work.atomic_bursts;
    out->scattered = false;
    out->kept = 1 / out->met;
  }
  if (out->scattered)
    merged_atomics_of(&out->merged, in);
  out->kept = out->merged.words > 0 ? 1 - out->merged.gone : out->kept;
  out->wide =
      out->scattered && in->all->device->smem_optin > 0 && atomics_reach(in) > (double)in->all->device->smem_optin;
  atomic_blocks_of(&out->blocks, in, out->requests);
  atomic_code_of(&out->code, in);
  out->apart = out->requests > 0 && touched > 2 * out->requests;
  if (out->code.gathered) /* once per address and block already */
    out->kept = out->blocks.kept;
  out->blocks.one_each = out->blocks.one_each && !out->scattered && !out->side_by_side && out->met <= 0;
  if (out->blocks.one_each)
    out->kept = out->blocks.kept;
  double threads = in->f->launch ? launch_block_threads(in->f->launch) : BLOCK_MOST;
  out->block_counts = out->blocks.one_each && out->code.counted && threads < BLOCK_MOST;
  if (out->block_counts)
    out->kept = threads / BLOCK_MOST;
  return out->sectors > 0;
}

/* --- the rule --- */

/* As a histogram's, and not spread so far that a block has few of one. */
static bool counts_in_bins(const struct atomics *x) {
  return x->code.chosen && !x->scattered && !x->side_by_side;
}

/* What each of those that one slice works on in turn takes, where that is what the time goes into. */
static const char *each_words(const struct rule_input *in) {
  static const double SECONDS_PER_NS = 1e-9;
  double longest = rule_value(in, "l2_atomic_cycles_max", 0);
  return longest > 0 && loads_queue_for_atomics(in)
             ? pool_printf(in->pool, " (%.2g ns each)", in->time_s / longest / SECONDS_PER_NS)
             : "";
}

static const char *where_words(const struct rule_input *in, const struct atomics *x) {
  if (x->scattered || x->side_by_side)
    return x->scattered ? "scattered" : "neighbouring addresses";
  const char *few = counts_in_bins(x)     ? "few addresses, chosen by loaded values"
                    : x->blocks.one_slice ? "to one address or few"
                                          : "few addresses";
  return x->blocks.one_slice && !x->code.swaps ? pool_printf(in->pool, "%s, one after the other%s", few, each_words(in))
                                               : few;
}

static const char *merged_remedy(const struct merged_atomics *x) {
  return !x->floats
             ? "neighbouring words of one place: one 64-bit atomicAdd for two (8-byte aligned; no sum may carry out of the low word)"
         : x->words > 2
             ? "neighbouring floats of one place: one atomicAdd of a float4 for four (sm_90: red.v4; 16-byte aligned)"
             : "neighbouring floats of one place: one atomicAdd of a float2 for two (sm_90: red.v2; 8-byte aligned)";
}

/* A float add in shared memory is a loop: the hardware has no such instruction. */
static const char *sum_remedy(const struct atomics *x) {
  if (x->code.gathered)
    return FEWER_BLOCKS;
  if (x->merged.words > 0)
    return merged_remedy(&x->merged);
  if (x->scattered && x->code.beside)
    return "add up in registers what a thread's neighbouring elements add to one address; else in shared memory if it fits, or sort by address";
  if (x->scattered && x->code.placed)
    return x->code.floats
               ? "sum in the warp where lanes meet (match_any); red.v2 or v4 (sm_90) where a thread's neighbouring places are 8- or 16-byte aligned; or sort the elements"
               : "sum in the warp where lanes meet (match_any), or sort the elements that add, so that neighbours meet";
  if (x->wide)
    return "no SM's shared memory holds what is added to: hand the elements over by ranges of addresses that fit, if what makes them can";
  if (x->scattered)
    return x->code.floats
               ? "sort by address, or let each result gather what is added to it; in shared memory a float add is a loop"
               : "privatise in shared memory where what is added to fits there, else sort by address; then one atomic per address and block";
  if (x->side_by_side && x->code.anew)
    return x->code.floats
               ? "loaded values choose the place: sort by it and add up in registers; or 4 neighbouring floats per lane by one atomicAdd of a float4 (sm_90: red.v4)"
               : "loaded values choose the place: sort by it, then one warp or block per place adds up in registers and stores";
  if (x->side_by_side)
    return "sum what a thread or block adds to an address in registers or shared memory, then one atomic per address";
  return counts_in_bins(x)
             ? "add up in shared memory, then one atomic per bin and block; in a grid of one wave (grid-stride loop) each block has many elements per bin"
             : "reduce within the block first (shuffles, shared memory), then one atomic per block";
}

/* A warp whose lanes have words of their own has nothing to sum across, and its block is none more. */
static bool has_no_sum(const struct rule_input *in, const struct atomics *x) {
  return x->apart && !counts_in_bins(x) && or_zero(in->f->bounds.work.warps_per_block) <= 1;
}

static const char *swaps_remedy(const struct rule_input *in, const struct atomics *x) {
  static const char pairs[] =
      "an atomicAdd of a __half2 needs no loop: for two lanes side by side one adds (__shfl_down_sync), 4-byte aligned";
  if (x->code.extremes && !x->code.halves) /* what memory holds already mostly wins */
    return pool_printf(
        in->pool,
        "no loop for a maximum or minimum, and nothing where a plain load shows that it stays: atomicMax or atomicMin (of floats >= 0 on the bits as int, of negative ones the other on those as unsigned)%s",
        x->scattered || x->apart ? "" : "; first in registers and across the block");
  if (has_no_sum(in, x))
    return pool_printf(in->pool, "%s; more work in each block, so that fewer add to an address",
                       x->code.halves ? pairs : "int, float and double sums are atomics without a loop");
  return pool_printf(in->pool, "sum in %s first, then one atomic per %s; %s",
                     counts_in_bins(x) || x->scattered ? "shared memory" : "registers and across the block",
                     counts_in_bins(x)          ? "bin and block"
                     : x->scattered || x->apart ? "address and block"
                                                : "block",
                     x->code.halves ? "float and __half2 atomics need no loop, __half ones do"
                                    : "int, float and double sums are atomics without a loop");
}

/* Requests of a warp that follow each other in one word hold their slice for longer than the least, which requests of others between them may hide: as much may be saved. */
static void tell_time_in_turn(struct told *out, const struct rule_input *in) {
  struct value in_turn = in->f->bounds.model.seconds[RESOURCE_ATOMICS], least = in->f->bounds.seconds[BOUND_ATOMICS];
  if (resource_atomics_rate(&in->f->bounds.work, &in->all->rates) == RATE_ATOMIC_WORD && in_turn.v > least.v)
    evidence_add(out, "the same, a warp's requests one after the other", "s", in_turn);
}

RULE_ROW(80, atomics, "atomics", "global atomics at the L2", RULE_CAUSE, NULL);
bool rule_atomics(const struct rule_input *in, struct told *out) {
  struct atomics x;
  if (!atomics_of(&x, in) || x.kept >= 1)
    return false;
  if (x.sent < x.sectors)
    evidence_add(out, "atomic sectors", "sector", value_of(x.sent));
  else
    evidence_metric(out, in, "l2_atomic_sectors");
  evidence_add(out, "warp-level atomics", "inst", x.requests > 0 ? value_of(x.requests) : value_absent("not counted"));
  if (bound_needs(in, BOUND_ATOMICS) <= BOUND_MARGIN) /* a time that cannot be is no evidence */
    evidence_add(out, atomics_time_title(in), "s", in->f->bounds.seconds[BOUND_ATOMICS]);
  tell_time_in_turn(out, in);
  out->at = about_place(in, about_atomics);
  evidence_add(out, "share of samples at atomics", "ratio", value_of(in->waits.atomics_s / in->time_s));
  if (x.code.tries) {
    out->sentence = pool_printf(in->pool, "%s atomic sectors at the L2, compare-and-swaps that are no sums%s",
                                count_words(in, x.sent), atomics_cost_words(in));
    out->remedy = "fewer tries: none where a plain load of the word shows that a swap must fail, or is not needed";
    out->unpriced = true;
    out->rank_s = in->waits.atomics_s;
    return true;
  }
  if (x.met > 0) {
    out->sentence = pool_printf(
        in->pool,
        "each of %s warp-level atomics takes %.1f requests, because that many lanes of the warp add to one word",
        count_words(in, x.requests), x.met);
    out->remedy =
        "add up in the warp first (shuffles, or match_any where addresses differ), then one lane per word adds";
    return true;
  }
  if (x.blocks.one_each) {
    out->sentence = atomic_blocks_words(in, &x.blocks);
    out->remedy =
        x.block_counts
            ? pool_printf(
                  in->pool,
                  "each warp counts once already: larger blocks (%d threads, now %.0f) that count in shared memory, then one atomic for the block's places",
                  BLOCK_MOST, (double)launch_block_threads(in->f->launch))
            : atomic_blocks_remedy(&x.blocks);
    return true;
  }
  out->sentence =
      pool_printf(in->pool, "%s atomic sectors at the L2, %s%s%s", count_words(in, x.sent), where_words(in, &x),
                  x.code.swaps ? ", in compare-and-swap loops" : "", atomics_cost_words(in));
  out->remedy = x.code.swaps ? swaps_remedy(in, &x) : sum_remedy(&x);
  out->unpriced = x.wide && x.merged.words == 0 && !x.code.swaps && !x.code.beside && !x.code.placed;
  return true;
}

void change_atomics(const struct rule_input *in, struct workload *w) {
  struct atomics x;
  if (!atomics_of(&x, in) || x.code.tries)
    return;
  if (x.code.swaps) /* each turn waits for its swap; for an addition without one nothing waits */
    value_scale(&w->loads_s, 1 - waits_part_of_atomics(in));
  value_scale(&w->atomic_sectors, x.kept);
  value_scale(&w->atomic_sent, x.kept);
  value_scale(&w->atomic_cycles_max, x.kept);
  if (x.met <= 0)
    return;
  w->atomic_bursts = 1;
  double l1 = or_zero(in->work.l1_wavefronts), others = rule_value(in, "shared_wavefronts", 0);
  double gone = fmin(x.sent - x.requests * (1 + TREE_STEPS), l1 - others); /* the L1 sends a warp's requests in turn */
  value_scale(&w->l1_wavefronts, part_kept(fmax(gone, 0), l1));
}
