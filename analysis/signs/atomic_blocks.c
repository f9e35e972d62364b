#include "analysis/signs/atomic_blocks.h"

/* Of the cycles of all slices, those of the busiest. */
static double slice_part(const struct rule_input *in) {
  double all = rule_value(in, "l2_atomic_cycles", 0), most = rule_value(in, "l2_atomic_cycles_max", -1);
  return all > 0 ? most / all : -1;
}

void atomic_blocks_of(struct atomic_blocks *out, const struct rule_input *in, double requests) {
  static const double MORE = 2;   /* so many a block are more than one */
  static const double MOST = 0.5; /* of a slice: the others are the fewer */
  const struct run_launch *l = in->f->launch;
  double blocks = grid_blocks(in), wave = l ? in->all->device->sms * l->blocks_per_sm : 0, part = slice_part(in);
  *out = (struct atomic_blocks){.one_each = requests > 0 && requests<MORE * blocks, .one_slice = part> MOST,
                                .known = part >= 0,
                                .kept = wave > 0 && blocks > wave ? wave / blocks : 1};
}
