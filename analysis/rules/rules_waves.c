/* Rules on the last wave of blocks, and on SMs that are loaded unevenly. */
#include "analysis/idioms/block_work.h"
#include "analysis/idioms/serial.h"
#include "analysis/model/code_place.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/split_loop.h"
#include "analysis/signs/waves.h"

#include <math.h>

#define FINER "smaller blocks or tiles, split sums (split K), or a tile shape whose grid "
#define SAME  "; a grid-stride loop over the same tiles takes as many iterations"
#define LANES                                                                                                          \
  "more threads with less work in each: a thread's work split over several; a grid-stride loop over the same warps takes as many iterations"

/* What cuts pieces finer: of a single warp, whose lanes work apart, its threads' work. */
static const char *finer_words(const struct rule_input *in, const char *tiles) {
  return blocks_work_together(in) ? tiles : LANES;
}

RULE_ROW(260, tail, "tail", "partial last wave", RULE_BY_LAUNCH, NULL);
bool rule_tail(const struct rule_input *in, struct told *out) {
  double waves = rule_value(in, "waves", 0);
  if (waves <= 1 || (tail_share(in) <= 0 && tail_balance(in) >= 1))
    return false;
  out->most = out->most_high = 1 - waves / ceil(waves); /* whole waves leave the rest of the time as it is */
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "sm_balance");
  evidence_add(out, "SM balance expected from the last wave", "ratio", value_of(tail_balance(in)));
  if (tail_share(in) > 0)
    evidence_add(out, "tail, share of the modelled time", "ratio", value_of(tail_share(in)));
  out->sentence = pool_printf(in->pool, "%.2f waves: the last one fills %.0f %% of the chip", waves,
                              100 * (1 - (ceil(waves) - waves)));
  out->remedy = blocks_are_pieces(in) && sass_blocks_alike(in->sass)
                    ? finer_words(in, FINER "fills the waves" SAME)
                    : "choose a grid of whole waves, use smaller blocks, or a persistent grid with a work queue";
  return true;
}

void change_tail(const struct rule_input *in, struct workload *w) {
  double wave = wave_blocks(in);
  if (wave > 0 && or_zero(w->blocks) > wave)
    w->blocks.v = floor(w->blocks.v / wave) * wave;
  w->balance = fmin(w->balance / tail_balance(in), 1);
}

static const char *as_many_on_each(const struct rule_input *in) {
  if (blocks_are_pieces(in))
    return finer_words(in, FINER "gives each SM as many" SAME);
  return pool_printf(
      in->pool,
      "as many blocks on each SM: smaller blocks (%.0f threads in all), so that one more on some SMs is less work",
      grid_blocks(in) * (double)launch_block_threads(in->f->launch));
}

/* Blocks of equal work in a few waves. */
static void last_wave_words(struct told *out, const struct rule_input *in) {
  double wave = wave_blocks(in), blocks = grid_blocks(in);
  if (blocks_are_pieces(in)) {
    out->sentence = pool_printf(in->pool, "%s: %.0f blocks on %.0f places take %.0f turns, %.3g are needed",
                                out->sentence, blocks, wave, ceil(blocks / wave), blocks / wave);
    out->remedy = finer_words(in, FINER "fills the waves" SAME);
    return;
  }
  out->sentence = pool_printf(in->pool, "%s: blocks do equal work, but the last wave fills %.0f of %.0f slots",
                              out->sentence, blocks - floor(blocks / wave) * wave, wave);
  out->remedy =
      "smaller blocks, so that the last wave is shorter; a grid-stride loop over as many threads takes as many iterations";
}

/* The count of blocks, and not what each does, makes the SMs uneven. */
static bool uneven_by_count(const struct rule_input *in, double balance) {
  return one_more_explains(in, balance) || ends_in_part(in) || (count_explains(in, balance) && blocks_are_pieces(in));
}

/* Pieces that a queue could hand out wait for a turn: blocks of a later wave, or turns of a loop over the grid. */
static bool waits_in_queue(const struct rule_input *in) {
  return wave_blocks(in) <= 0 || grid_blocks(in) > wave_blocks(in) || grid_turns(in) > 0;
}

/* What no queue of whole blocks shortens: runs of a loop whose turns data count. */
static const char *uneven_remedy(const struct rule_input *in, size_t loop, const struct run_instruction *at) {
  struct code_place place = {0};
  bool queue = waits_in_queue(in);
  if (at)
    code_place_of(&place, in->hot->run, at);
  if (!place.line)
    return queue
               ? "give each block equal work, or let blocks take smaller pieces from a queue, the largest first"
               : "split the work of the heaviest blocks, or give it more threads: all blocks run at once, and the heaviest sets the time";
  bool serial = sass_recurrence(in->sass, loop) != SASS_NONE;
  return pool_printf(
      in->pool, "data say how many iterations the loop at %s runs: %s",
      line_words(in, place.line->source, place.line->line),
      serial && queue ? "let blocks take small pieces from a queue, the longest runs first"
      : serial        ? "smaller blocks, and neighbouring elements in different ones, so that long runs spread"
      : queue         ? "a warp or block for each long run, or cut it; pieces from a queue, the largest first"
                      : "cut long runs, a warp or block for each part, or deal neighbouring ones to different blocks");
}

/* No loop's turns are counted by data, and warps wait for atomics longer than the average SM idles: blocks that meet others at an address last longer. */
static bool atomics_explain(const struct rule_input *in, size_t loop, double balance) {
  return loop == SASS_NONE && in->waits.atomics_s - in->waits.operands_s > (1 - balance) * in->time_s;
}

/* Part of the SMs that have a block at all. */
static double part_with_blocks(const struct rule_input *in) {
  return fmin(grid_blocks(in) / sms_of(in), 1);
}

RULE_ROW(270, imbalance, "imbalance", "SMs are loaded unevenly", RULE_CAUSE, NULL);
bool rule_imbalance(const struct rule_input *in, struct told *out) {
  static const double EVEN = 0.95;     /* as even as turns of a loop, and launching, leave it */
  static const double FEW_BUSY = 0.25; /* a queue of whole blocks could spread what a quarter has */
  double balance = rule_value(in, "sm_balance", 1), working = part_with_blocks(in);
  bool alike = in->sass && sass_blocks_alike(in->sass);
  if (in->waits.of_a_walk && grid_blocks(in) <= wave_blocks(in)) /* the longest walk takes as long wherever it is */
    return false;
  if (balance >= tail_balance(in) || working < EVEN || (working < 1 && (alike || balance >= EVEN * working)))
    return false;
  out->most = out->most_high = 1 - balance; /* were all as busy, the busiest would end so much sooner */
  evidence_metric(out, in, "sm_balance");
  evidence_metric(out, in, "waves");
  evidence_metric(out, in, "achieved_occupancy");
  out->sentence = pool_printf(in->pool, "the average SM works for %.0f %% of the busiest SM's cycles", 100 * balance);
  if (imbalance_is_of_few(in)) { /* a grid that gives each SM as many of few blocks is the lesser remedy */
    out->yields_to = grid_is_few(in) ? "small-grid" : "occupancy";
    out->yields_why = pool_printf(in->pool, "more blocks even this out, too: see [%s]", out->yields_to);
  }
  if (one_more_explains(in, balance)) {
    double blocks = grid_blocks(in), sms = sms_of(in), each = floor(blocks / sms);
    out->sentence = pool_printf(in->pool, "%s: of %.0f blocks some SMs have %.0f, others %.0f", out->sentence, blocks,
                                each + 1, each);
    out->remedy = as_many_on_each(in);
    out->triton_as = "tail";
  } else if (uneven_by_count(in, balance)) {
    last_wave_words(out, in);
    out->triton_as = "tail";
  } else if (balance >= EVEN) {
    return false;
  } else if (balance < FEW_BUSY) {
    double busy = fmax(round(balance * sms_of(in)), 1);
    out->sentence =
        pool_printf(in->pool, "%s: as if %.0f of %.0f SMs had all of the work", out->sentence, busy, sms_of(in));
    out->remedy =
        "a few blocks have nearly all of the work: share their loops out over all blocks, a part of the iterations each";
  } else if (alike) { /* nothing in the code makes blocks uneven */
    return false;
  } else {
    size_t loop = uneven_loop(in);
    out->at = loop == SASS_NONE ? NULL : loop_head(in, loop);
    out->remedy = uneven_remedy(in, loop, out->at);
    if (atomics_explain(in, loop, balance)) {
      out->sentence = pool_printf(in->pool, "%s; %.0f %% of warp samples wait for atomics, longer where more meet",
                                  out->sentence, 100 * (in->waits.atomics_s - in->waits.operands_s) / in->time_s);
      out->remedy = "fewer atomics to one address; see then whether blocks are still uneven";
      out->yields_to = "atomics";
      out->yields_why = "waits for atomics may be what is uneven";
    }
  }
  return true;
}

/* The busiest SM ends when the mean of those with blocks does, but for what the last wave costs; where blocks lie
 * unevenly since each is one piece, as evenly as finer ones do. */
void change_imbalance(const struct rule_input *in, struct workload *w) {
  double even = fmin(tail_balance(in), part_with_blocks(in));
  if (in->sass && uneven_by_count(in, rule_value(in, "sm_balance", 1)))
    even = fmin(even, finer_balance(in));
  w->balance = fmax(w->balance, even);
}
