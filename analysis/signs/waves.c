#include "analysis/signs/waves.h"

#include "analysis/sass/block_work.h"

#include <math.h>

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
  static const double slack = 1.02; /* SMs that are asked at different times */
  double blocks = grid_blocks(in), each = blocks / sms_of(in);
  return blocks <= wave_blocks(in) && each / ceil(each) <= slack * balance;
}

bool imbalance_is_of_few(const struct rule_input *in) {
  return 2 * grid_blocks(in) < wave_blocks(in) && one_more_explains(in, rule_value(in, "sm_balance", 1));
}

bool ends_in_part(const struct rule_input *in) {
  double wave = wave_blocks(in), blocks = grid_blocks(in);
  return wave > 0 && blocks > wave && blocks > floor(blocks / wave) * wave && in->sass && sass_blocks_alike(in->sass);
}
