#include "analysis/signs/waves.h"

#include "analysis/idioms/block_work.h"

#include <math.h>

static const double SAMPLED_APART = 1.02; /* SMs that are asked at different times */

double sms_of(const struct rule_input *in) {
  return in->all->device->sms;
}

double wave_blocks(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  return l ? sms_of(in) * l->blocks_per_sm : 0;
}

/* Balance of the SMs where all blocks are alike, in more than one wave: as many blocks on each SM but for the rest or, where the blocks of an
 * SM run in step, as many waves; the more even of both, so that no more is laid to the last wave than it costs.  1: one wave. */
static double even_balance(const struct rule_input *in) {
  double sms = sms_of(in), blocks = grid_blocks(in), wave = wave_blocks(in);
  if (wave <= 0 || blocks <= wave)
    return 1;
  double full = floor(blocks / wave), rest = blocks - full * wave, each = blocks / sms;
  return rest > 0 ? fmax(each / ceil(each), (full + fmin(rest / sms, 1)) / (full + 1)) : 1;
}

double tail_balance(const struct rule_input *in) {
  return fmax(even_balance(in), rule_value(in, "sm_balance", 1));
}

double tail_share(const struct rule_input *in) {
  const struct model *m = &in->f->bounds.model;
  return m->time_s.present && m->time_s.v > 0 ? m->tail_s / m->time_s.v : 0;
}

bool one_more_explains(const struct rule_input *in, double balance) {
  double blocks = grid_blocks(in), each = blocks / sms_of(in);
  return blocks <= wave_blocks(in) && each / ceil(each) <= SAMPLED_APART * balance;
}

bool imbalance_is_of_few(const struct rule_input *in) {
  return 2 * grid_blocks(in) < wave_blocks(in) && one_more_explains(in, rule_value(in, "sm_balance", 1));
}

bool ends_in_part(const struct rule_input *in) {
  double wave = wave_blocks(in), blocks = grid_blocks(in);
  return wave > 0 && blocks > wave && blocks > floor(blocks / wave) * wave && in->sass && sass_blocks_alike(in->sass);
}

static double share_of_last(double pieces) {
  return pieces / ceil(pieces);
}

bool count_explains(const struct rule_input *in, double balance) {
  double wave = wave_blocks(in), blocks = grid_blocks(in);
  return wave > 0 && blocks > wave && fmod(blocks, wave) > 0 &&
         share_of_last(blocks / sms_of(in)) <= SAMPLED_APART * balance;
}

bool blocks_work_together(const struct rule_input *in) {
  const struct sass *s = in->sass;
  for (size_t i = 0; s && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool runs = !x->never && s->blocks[s->block_of[i]].reachable && (!s->counted || s->executed[i] > 0);
    if (runs && (x->wait == WAIT_BLOCK || x->space == SPACE_SHARED || x->class == SASS_TENSOR))
      return true;
  }
  return false;
}

static double warps_of_block(const struct rule_input *in) {
  return ceil((double)launch_block_threads(in->f->launch) / RULE_LANES);
}

bool blocks_are_pieces(const struct rule_input *in) {
  return in->sass && in->f->launch && (blocks_work_together(in) || warps_of_block(in) <= 1) &&
         !sass_strides_grid(in->sass);
}

/* Pieces of a tile need the registers and the shared memory of as many places, so that they also
 * take turns of whole waves. */
double finer_balance(const struct rule_input *in) {
  enum { QUARTERS = 4 }; /* half as wide and half as high: each value is used half as often */
  bool pieces = blocks_are_pieces(in);
  double most = pieces ? QUARTERS : warps_of_block(in), best = 0;
  double each = grid_blocks(in) / sms_of(in), waves = grid_blocks(in) / wave_blocks(in);
  for (int k = 2; k <= most; k *= 2)
    best = fmax(best, fmin(share_of_last(k * each), pieces && waves > 1 ? share_of_last(k * waves) : 1));
  return best;
}
