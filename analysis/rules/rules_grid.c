/* The rule on a grid that does not fill the chip. */
#include "analysis/idioms/handed_on.h"
#include "analysis/idioms/loop_state.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/split_words.h"
#include "analysis/signs/barrier_work.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/one_cluster.h"
#include "analysis/signs/split_loop.h"
#include "analysis/signs/waves.h"

#include <math.h>

/* Blocks of several warps are split even where a warp's work is not. */
struct split {
  double sms;   /* as many SMs have a block */
  double warps; /* as many warps share the work */
};

/* Turns that need one another inside of one that blocks share out are a chain that each block has of its own. */
static bool is_serial(const struct rule_input *in) {
  return grid_turns(in) == 0 && turns_are_serial(in);
}

static bool split_of(struct split *out, const struct rule_input *in) {
  double blocks = grid_blocks(in), sms = sms_of(in), wave = wave_blocks(in), batches;
  if (blocks <= 0 || (blocks >= sms && !grid_is_few(in)))
    return false;
  batches = is_serial(in) ? 1 : shared_out(in);
  double idle = fmax(sms / blocks, 1), most = batches > 0 ? fmax(batches, 1) : idle;
  double warps = fmax(or_zero(in->f->bounds.work.warps_per_block), 1);
  *out = (struct split){fmin(idle, most * warps), fmin(fmax(wave, sms) / blocks, most)};
  return true;
}

/* Idle lanes of a warp cost nothing to fill, and need no sum over blocks. */
static const char *split_remedy(const struct rule_input *in) {
  double threads = (double)launch_block_threads(in->f->launch);
  return threads < RULE_LANES
             ? pool_printf(
                   in->pool,
                   "more threads first: a block of %.0f fills %.0f of a warp's 32 lanes; then more blocks, with a part of the work each",
                   threads, threads)
         : is_put_together(in)
             ? "split the work over blocks, and put their parts together in a second launch (the estimate has one more)"
             : "split the work into more blocks: less work per block, or split a long sum over blocks";
}

/* Most SMs have a block, and more warps share the work than SMs are idle: what is promised rests
 * on warps that are not there.  Where nothing is shared out, what lacks is told, too. */
static bool lacks_warps(const struct rule_input *in, const struct split *x) {
  bool warps = x->warps > x->sms || (is_serial(in) && wave_blocks(in) > sms_of(in));
  return 2 * grid_blocks(in) >= sms_of(in) && warps && wave_blocks(in) > 0 &&
         in->f->bounds.work.warps_per_block.present;
}

static void says_what_is_idle(struct told *out, const struct rule_input *in, const struct split *x) {
  double blocks = grid_blocks(in), sms = sms_of(in), wave = wave_blocks(in);
  evidence_add(out, "grid", "block", value_of(blocks));
  if (!lacks_warps(in, x)) {
    evidence_add(out, "chip", "SM", value_of(sms));
    evidence_metric(out, in, "achieved_occupancy");
    evidence_metric(out, in, "sm_balance");
    out->sentence = pool_printf(in->pool, "%.0f block%s on %.0f SMs: %.0f %% of the chip is idle", blocks,
                                blocks == 1 ? "" : "s", sms, 100 * (1 - blocks / sms));
    return;
  }
  double warps = in->f->bounds.work.warps_per_block.v;
  evidence_add(out, "blocks that fit at once", "block", value_of(wave));
  evidence_metric(out, in, "achieved_occupancy");
  out->sentence = pool_printf(in->pool, "%.0f block%s of %.0f warp%s on %.0f SMs: %.0f %% of the warps that fit",
                              blocks, blocks == 1 ? "" : "s", warps, warps == 1 ? "" : "s", sms, 100 * blocks / wave);
}

static bool meets_in(const struct sass *s, size_t loop) {
  for (size_t i = 0; i < s->n && loop != SASS_NONE; i++)
    if (s->insts[i].wait == WAIT_BLOCK && sass_summed(s, i, loop))
      return true;
  return false;
}

RULE_ROW(30, small_grid, "small-grid", "too few warps to fill the chip", RULE_BY_LAUNCH, static_small_grid);
bool rule_small_grid(const struct rule_input *in, struct told *out) {
  double blocks = grid_blocks(in), sms = sms_of(in), bytes;
  struct split x;
  if (fits_one_cluster(in, &bytes)) /* launch-bound asks for fewer */
    return false;
  /* Copies fill shared memory, not warps; persistent kernels with clusters leave a few SMs without a block. */
  if (!split_of(&x, in) || (ring_bytes(in).present && 2 * blocks >= sms))
    return false;
  says_what_is_idle(out, in, &x);
  out->remedy = split_remedy(in);
  bool serial = is_serial(in);
  size_t handing = serial && launch_block_threads(in->f->launch) > RULE_LANES ? loop_that_hands_on(in) : SASS_NONE;
  bool hand_on = handing != SASS_NONE, meets = hand_on && meets_in(in->sass, handing);
  out->unpriced = serial || (x.sms <= 1 && x.warps <= 1);
  if (out->unpriced)
    out->sentence = pool_printf(in->pool, "%s, and %s", out->sentence,
                                serial ? "each iteration of a thread's loop needs the one before"
                                       : "a warp's work cannot be shared out");
  if (out->unpriced) {
    out->rank_s = in->time_s *
                  fmin(1 - blocks / sms, 0.25); /* a cause of more comes before what no change of this kernel cures */
    /* A warp that has a scheduler to itself is no faster on an SM of its own. */
    out->remedy =
        meets
            ? "more problems in a launch (a batch); shorten an iteration: load ahead what does not depend on the one before, fewer barriers (warp shuffles)"
        : or_zero(in->f->bounds.work.warps_per_block) > SCHEDULERS
            ? "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them; smaller blocks reach more SMs"
            : "put more problems into a launch (a batch), or run other kernels beside it: idle SMs take them in the same time";
  }
  if (!serial && !out->unpriced && (double)launch_block_threads(in->f->launch) >= RULE_LANES)
    split_turns(out, in, sms);
  /* What most SMs lack is warps, not blocks: see occupancy.  A loop that strides by the grid needs another number in
   * the launch and no more, which is tried before the code is changed. */
  out->general = 2 * blocks >= sms && grid_turns(in) == 0;
  return true;
}

/* Each warp has less to do, and fewer SMs are idle. */
void change_small_grid(const struct rule_input *in, struct workload *w) {
  struct split x;
  if (!split_of(&x, in))
    return;
  work_more_warps(w, x.warps);
  value_scale(&w->blocks, fmax(x.warps, x.sms));
  if (is_put_together(in))
    w->launches *= 2;
  w->balance = fmin(w->balance * x.sms, 1);
}
