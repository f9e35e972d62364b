/* Rules on shared memory and on atomics in it. */
#include "analysis/idioms/held.h"
#include "analysis/idioms/stored_over.h"
#include "analysis/rules/product_words.h"
#include "analysis/rules/remedies.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/without_tree.h"
#include "analysis/signs/about.h"
#include "analysis/signs/bank_cycles.h"
#include "analysis/signs/bank_places.h"
#include "analysis/signs/block_tree.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/one_lane.h"
#include "analysis/signs/shared_use.h"
#include "analysis/signs/swap_retries.h"

#include <math.h>
#include <stdlib.h>

/* Remedy: shared accesses twice as wide, or half of the values in registers. */
static const double SHARED_KEPT = 0.5;

/* --- bank conflicts --- */

/* Most accesses of shared memory are ldmatrix, of rows of 16 bytes: eight of them fill the banks where their pitch is an odd number of these. */
static bool reads_matrices(const struct rule_input *in) {
  double all = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN);
  return 2 * executed_of(in, "LDSM", NULL) > all;
}

/* Each access takes as many turns, a power of two as strides give: places that come from data give a mean between such numbers, as 3.5 of random words. */
static int same_turns(double turns) {
  static const double COUNTED = 0.01; /* what launches counted at several times differ by */
  int n = (int)fmin(round(turns), RULE_LANES);
  return n >= 2 && (n & (n - 1)) == 0 && fabs(turns - n) <= COUNTED * n ? n : 0;
}

/* Rows of the block that a warp spans; 1: it lies in one, or not known. */
static int rows_of_warp(const struct rule_input *in) {
  int wide = in->f->launch ? (int)in->f->launch->block[0] : 0;
  double threads = in->f->launch ? launch_block_threads(in->f->launch) : 0;
  return wide > 0 && RULE_LANES % wide == 0 && threads >= RULE_LANES ? RULE_LANES / wide : 1;
}

static const char *lanes_apart(const struct rule_input *in, const struct bank_places *x) {
  bool by_rows = bank_meets_by_rows(&x->lanes);
  int pad = bank_pad(&x->lanes);
  const char *which = by_rows ? "rows of the block (threadIdx.y) lie" : "lanes lie";
  const char *how = pad == 0 ? "swizzle the array"
                    : pad == x->lanes.bytes && !by_rows
                        ? "pad each row by one element, or swizzle"
                        : pool_printf(in->pool, "pad each row by %d bytes, or swizzle", pad);
  return pool_printf(in->pool, "%s %ld bytes apart, %d in a bank: %s", which, labs(by_rows ? x->lanes.y : x->lanes.x),
                     x->turns, how);
}

static const char *bank_remedy(const struct rule_input *in, const struct bank_places *x, double turns) {
  int rows = rows_of_warp(in);
  if (x->turns > 1)
    return lanes_apart(in, x);
  if (reads_matrices(in))
    return "ldmatrix reads rows of 16 bytes: a pitch that is an odd multiple of 16 bytes (144, not 128 or 160) keeps them apart";
  if (x->by_data && same_turns(turns))
    return pool_printf(
        in->pool,
        "every access takes %d turns whatever the data, so the layout is why: give each lane a bank of its own, or swizzle",
        same_turns(turns));
  if (bank_turns_by_layout(x, turns))
    return pool_printf(
        in->pool,
        "%.1f turns per access, where random places take 3.5: the places have powers of two in common, so pad the array (word i at i + i / 32)",
        turns);
  if (x->by_data)
    return lanes_hold_shared(in)
               ? "places come from data, which padding does not spread: keep it in registers (shuffles), or fewer accesses"
               : "places come from data, which padding does not spread: fewer accesses, or place what is read together in different banks";
  if (rows > 1 && same_turns(turns) > 1 && same_turns(turns) <= rows)
    return pool_printf(
        in->pool,
        "a warp spans %d rows of the block, which meet in banks: make the block 32 wide, or find a pitch that keeps them apart",
        rows);
  return "pad or swizzle the shared array so that the lanes of a warp hit different banks";
}

RULE_ROW(150, bank_conflicts, "bank-conflicts", "shared-memory bank conflicts", RULE_SHORT_WAITS,
         static_bank_conflicts);
bool rule_bank_conflicts(const struct rule_input *in, struct told *out) {
  double all, conflicts = bank_conflict_cycles(in, &all);
  double atomics = rule_value(in, "shared_atomic_conflicts", 0);
  if (conflicts - atomics <= 0 || shares_nothing(in))
    return false;
  evidence_metric(out, in, "shared_bank_conflicts");
  evidence_metric(out, in, "shared_wavefronts");
  evidence_metric(out, in, "stall_short_scoreboard_share");
  evidence_metric(out, in, "stall_mio_throttle_share");
  out->sentence = pool_printf(in->pool, "%.0f %% of shared-memory cycles repeat an access: lanes collide in a bank",
                              100 * conflicts / all);
  struct bank_places x;
  bank_places_of(&x, in);
  out->remedy = bank_remedy(in, &x, conflicts < all ? all / (all - conflicts) : 0);
  out->at = x.at ? x.at : about_place(in, about_shared);
  return true;
}

void change_bank_conflicts(const struct rule_input *in, struct workload *w) {
  double all, gone = bank_conflict_cycles(in, &all) - rule_value(in, "shared_atomic_conflicts", 0);
  gone -= bank_cycles_of_random(in);
  value_scale(&w->l1_wavefronts, part_kept(gone, or_zero(in->work.l1_wavefronts)));
  value_lessen(&w->dependencies_s, all > 0 ? shared_waits(in) * gone / all : 0);
}

/* --- shared memory --- */

static const char *fewer_shuffles(const struct rule_input *in, const struct shuffle_use *x) {
  static const char *const first[] = {
      [SHUFFLED_SUMS] = "combine several elements per lane in registers first",
      [SHUFFLED_SCANS] = "scan several elements per lane in registers first",
      [SHUFFLED_VALUES] = "several elements per lane, so that fewer values change lanes",
  };
  bool rows = x->kind == SHUFFLED_SUMS && x->accesses > 0 && rule_value(in, "l2_atomic_sectors", 0) <= 0;
  return pool_printf(in->pool, "fewer shuffles: %s%s (the estimate assumes half)", first[x->kind],
                     rows ? ", and one warp per row" : "");
}

/* What takes the path, and how busy it is, or the waits for it where they are more of the time: then it is not its cycles that cost. */
static const char *shared_sentence(const struct rule_input *in, const char *what, const char *takes, double part) {
  double busy = bound_needs(in, BOUND_L1), waits = sampled_shared_waits(in) / in->time_s;
  return waits > busy
             ? pool_printf(
                   in->pool,
                   "warps wait for %s %.0f %% of the time (short_scoreboard); the L1's data stage is busy %.0f %%",
                   what, 100 * fmin(waits, 1), 100 * busy)
             : pool_printf(in->pool,
                           "%s %.0f %% of the cycles of the L1's data stage, which is busy %.0f %% of the time", takes,
                           100 * part, 100 * busy);
}

static void says_of_shuffles(struct told *out, const struct rule_input *in, const struct shuffle_use *x, double part) {
  bool both = x->accesses > 0;
  const char *takes = both ? pool_printf(in->pool, "%s warp shuffles and %s accesses of shared memory take",
                                         count_words(in, x->shuffles), count_words(in, x->accesses))
                           : pool_printf(in->pool, "%s warp shuffles take", count_words(in, x->shuffles));
  out->sentence = shared_sentence(in, both ? "warp shuffles and shared memory" : "warp shuffles", takes, part);
  out->remedy = fewer_shuffles(in, x);
  out->at = about_place(in, about_shuffles);
}

/* The path that shuffles and shared memory take is what binds.  Where it does not, fewer shuffles save waits alone: elements that a lane combines are what
 * [long-scoreboard] and [issue-slots] tell of. */
static bool path_binds(const struct rule_input *in) {
  return in->f->bounds.binding == BOUND_L1 || in->f->bounds.binding == BOUND_LSU;
}

/* Of the hot loop; or of all, where no instruction reads any: true. */
static bool stored_over_of(struct sass_stored_over *out, const struct rule_input *in) {
  *out = (struct sass_stored_over){.at = SASS_NONE};
  if (in->sass && in->sass->counted)
    sass_never_read(out, in->sass);
  bool never = out->stores > 0;
  if (in->sass && in->sass->counted && !never)
    sass_stored_over(out, in->sass, hot_loop(in->sass));
  return never;
}

RULE_ROW(330, shared_memory, "shared-memory", "shared memory and warp shuffles", RULE_GENERAL | RULE_SHORT_WAITS,
         static_shared_memory);
bool rule_shared_memory(const struct rule_input *in, struct told *out) {
  struct shuffle_use shuffled;
  shuffle_use_of(&shuffled, in);
  double all, conflicts = bank_conflict_cycles(in, &all), l1 = or_zero(in->work.l1_wavefronts);
  if (shares_nothing(in) &&
      !(path_binds(in) && 2 * shuffled.shuffles > all)) /* else shuffles fill the row that binds */
    return false;
  struct block_tree tree;
  bool is_tree = block_tree_of(&tree, in, NULL) && tree_has_shared(in, &tree);
  struct one_lane alone;
  double of_one = one_lane_of(&alone, in) ? alone.shared * grid_blocks(in) : 0;
  if (2 * fmax(rule_value(in, "shared_atomic_wavefronts", 0), of_one) > all) /* [hot-atomics] or [barrier] says it */
    return false;
  if (all - conflicts <= 0 || l1 <= 0 || feeds_matrices(in) || (is_tree && tree_waits(in, &tree)))
    return false;
  out->most = is_tree ? 0 : SHARED_KEPT;
  evidence_metric(out, in, "shared_wavefronts");
  evidence_metric(out, in, "stall_mio_throttle_share");
  evidence_metric(out, in, "stall_short_scoreboard_share");
  if (shuffled.lead && !is_tree) {
    says_of_shuffles(out, in, &shuffled, fmin(all / l1, 1));
    return true;
  }
  out->sentence = shared_sentence(in, "shared memory", "shared memory takes", fmin(all / l1, 1));
  if (is_tree) {
    out->remedy = TREE_REMEDY;
    out->at = tree.at;
    return true;
  }
  struct sass_stored_over over;
  bool never_read = stored_over_of(&over, in);
  if (over.stores > 0) {
    out->general = false;
    out->most = 0;
    out->sentence = pool_printf(in->pool,
                                never_read ? "%s; no instruction reads what is stored there"
                                           : "%s; the loop stores there in each iteration, and loads nothing",
                                out->sentence);
    out->remedy =
        never_read
            ? "delete the copy to shared memory, and the loads that only feed it: nothing reads it"
            : "add up in a local variable, and store it once behind the loop: the next iteration stores over what this one did";
    out->at = about_inst(in, over.at);
    return true;
  }
  struct product_roof roof;
  double looked_up = looked_up_shared(in);
  const char *best = product_words(in, out, &roof);
  out->remedy =
      looked_up > 0
          ? pool_printf(
                in->pool,
                "%.0f %% are look-ups by data: two values at once (a larger table); use the others more often (estimate: half of these)",
                100 * looked_up)
      : best
          ? pool_printf(in->pool,
                        "use each value more often once it is read: more outputs per thread (estimate: half; %s)", best)
      : narrow_shared(in)
          ? "use each value more often once it is read (more outputs per thread), or wider shared accesses (the estimate assumes half)"
          : "use each value more often once it is read: more outputs per thread (the estimate assumes half)";
  out->at = about_place(in, about_shared);
  return true;
}

void change_shared_memory(const struct rule_input *in, struct workload *w) {
  struct block_tree tree;
  struct shuffle_use x;
  if (block_tree_of(&tree, in, NULL) && tree_has_shared(in, &tree)) {
    work_without_tree(in, &tree, w);
    return;
  }
  struct sass_stored_over over;
  (void)stored_over_of(&over, in);
  if (over.stores > 0) {
    double shared = rule_value(in, "shared_wavefronts", 0), requests = rule_value(in, "l1_load_requests", 0);
    double l1 = or_zero(in->work.l1_wavefronts);
    double loads = requests > 0 ? fmin(over.loads / requests, 1) * fmax(l1 - shared, 0) : 0;
    value_scale(&w->l1_wavefronts, part_kept(over.part * shared + loads, l1));
    value_scale(&w->lsu, part_kept(over.executed, rule_value(in, "pipe_lsu", 0)));
    work_fewer_insts(in, w, over.executed);
    return;
  }
  shuffle_use_of(&x, in);
  const double gone = (1 - SHARED_KEPT) * (1 - looked_up_shared(in)); /* of a look-up nothing */
  double all, plain = -bank_conflict_cycles(in, &all);
  double shuffles = x.lead && path_binds(in) ? x.shuffles : 0;
  plain += all;
  value_scale(&w->l1_wavefronts, part_kept(plain * gone, or_zero(in->work.l1_wavefronts)));
  value_lessen(&w->dependencies_s, all > 0 ? sampled_shared_waits(in) * gone * plain / all : 0);
  double insts = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN);
  value_scale(&w->lsu, part_kept((insts + shuffles) * gone, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, insts * gone);
}

/* --- atomics in shared memory --- */

/* Copies of all that a block has in shared memory, lanes apart, that leave as many blocks on an SM: up to one a lane; 0: not known.  *bytes: of a block with these. */
static int bin_copies(const struct rule_input *in, double *bytes) {
  const struct run_launch *l = in->f->launch;
  double now = l ? (double)(l->smem_static + l->smem_dynamic) : 0;
  int copies = RULE_LANES;
  if (!(now > 0) || l->blocks_per_sm <= 0)
    return 0;
  double room = fmin((double)in->all->device->smem_per_sm / l->blocks_per_sm, (double)in->all->device->smem_optin);
  while (copies > 1 && copies * now > room)
    copies /= 2;
  *bytes = copies * now;
  return copies;
}

/* A copy for each warp leaves the lanes of a warp where they met. */
static const char *copies_words(const struct rule_input *in) {
  double bytes;
  int copies = bin_copies(in, &bytes);
  if (copies == 0)
    return "one copy of the bins per lane where they fit, or combine equal addresses in the warp first (match_any)";
  return copies < 2 ? "combine equal addresses in the warp first (match_any); copies of the bins do not fit"
                    : pool_printf(in->pool,
                                  "%s (%.3g KiB per block), or combine equal addresses in the warp first (match_any)",
                                  copies < RULE_LANES ? pool_printf(in->pool, "%d copies of the bins, by lane", copies)
                                                      : "one copy of the bins per lane: bin * 32 + lane",
                                  bytes / 1024);
}

RULE_ROW(70, hot_atomics, "hot-atomics", "shared-memory atomics collide", RULE_CAUSE, NULL);
bool rule_hot_atomics(const struct rule_input *in, struct told *out) {
  double conflicts = rule_value(in, "shared_atomic_conflicts", 0),
         cycles = rule_value(in, "shared_atomic_wavefronts", 0);
  double insts = rule_value(in, "inst_shared_atomic", 0);
  struct swap_retries again = swap_retries_of(in);
  if ((conflicts <= 0 && again.turns <= 0 && !again.only_seen) || cycles <= 0)
    return false;
  evidence_metric(out, in, "shared_atomic_wavefronts");
  evidence_metric(out, in, "shared_atomic_conflicts");
  evidence_metric(out, in, "inst_shared_atomic");
  bool mio = rule_value(in, "stall_mio_throttle", 0) > rule_value(in, "stall_short_scoreboard", 0);
  evidence_metric(out, in, mio ? "stall_mio_throttle_share" : "stall_short_scoreboard_share");
  if (again.turns > 0)
    out->sentence = pool_printf(
        in->pool,
        "shared-memory atomics of this type are a compare-and-swap loop: %.1f iterations each, because lanes hit one address",
        again.turns);
  else if (again.only_seen) {
    out->unpriced = true; /* how often it turns was not counted */
    out->rank_s = again.waits * in->time_s;
    out->sentence = pool_printf(
        in->pool,
        "shared-memory atomics of this type are a compare-and-swap loop, with %.0f %% of the samples: lanes of one address retry",
        100 * again.waits);
  } else
    out->sentence = insts > 0
                        ? pool_printf(in->pool, "%.1f cycles per shared-memory atomic: lanes of a warp hit one address",
                                      cycles / insts)
                        : pool_printf(in->pool, "%.0f %% of the shared atomics' cycles serialize lanes on one address",
                                      100 * conflicts / cycles);
  out->remedy = copies_words(in);
  out->at = about_place(in, about_shared_atomics);
  return true;
}

void change_hot_atomics(const struct rule_input *in, struct workload *w) {
  struct swap_retries again = swap_retries_of(in);
  double shared = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN) +
                  executed_of(in, "ATOMS", NULL);
  double gone = rule_value(in, "shared_atomic_conflicts", 0), all;
  (void)bank_conflict_cycles(in, &all);
  gone += shared > 0 ? (all - gone) * again.shared / shared : 0;
  value_scale(&w->l1_wavefronts, part_kept(gone, or_zero(in->work.l1_wavefronts)));
  value_lessen(&w->dependencies_s, all > 0 ? shared_waits(in) * fmin(gone / all, 1) : 0);
  value_scale(&w->lsu, part_kept(again.shared, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, again.insts);
}
