#include "analysis/signs/block_fit.h"

#include "analysis/idioms/block_tables.h"

#include <math.h>

enum { BLOCK_THREADS_MOST = 1024 }; /* CUDA C++ Programming Guide, technical specifications per compute capability */

bool limits_of(struct occupancy *out, const struct rule_input *in) {
  struct occupancy_block b = occupancy_block_of(in->f->launch);
  return b.registers > 0 && !occupancy_of(out, in->all->device, &b, NULL);
}

bool has_room(const struct rule_input *in, const struct occupancy_block *b, enum occupancy_limit l, int blocks) {
  struct occupancy o;
  return !occupancy_of(&o, in->all->device, b, NULL) && o.blocks[l] >= blocks;
}

int half_block(const struct rule_input *in, double *by) {
  static const double WORTH = 1.25;
  struct occupancy_block b = occupancy_block_of(in->f->launch);
  struct occupancy now, half;
  *by = 1;
  if (b.threads % (2 * RULE_LANES) != 0 || occupancy_of(&now, in->all->device, &b, NULL))
    return 0;
  b.threads /= 2;
  b.smem_static /= 2;
  b.smem_dynamic /= 2;
  if (occupancy_of(&half, in->all->device, &b, NULL) || half.share < WORTH * now.share)
    return 0;
  *by = half.share / now.share;
  return b.threads;
}

int registers_for(const struct rule_input *in, struct occupancy_block b, int blocks) {
  enum { STEP = 8 };
  for (b.registers -= (b.registers - 1) % STEP + 1; b.registers > 0; b.registers -= STEP)
    if (has_room(in, &b, LIMIT_REGISTERS, blocks))
      return b.registers;
  return 0;
}

/* Keeps the block that brings more warps into an SM than the best so far. */
static void larger_of(const struct rule_input *in, const struct occupancy_block *b, struct occupancy_block *best,
                      double *most) {
  struct occupancy o;
  if (b->registers <= 0 || occupancy_of(&o, in->all->device, b, NULL) || o.blocks_per_sm * o.warps_per_block <= *most)
    return;
  *most = o.blocks_per_sm * o.warps_per_block;
  *best = *b;
}

bool larger_blocks_of(struct larger_blocks *out, const struct rule_input *in, const struct occupancy *o) {
  struct occupancy_block b = occupancy_block_of(in->f->launch), best = b, more = b;
  double now = o->blocks_per_sm * o->warps_per_block;
  *out = (struct larger_blocks){.now = now, .warps = now, .more = now};
  if (o->limit != LIMIT_SMEM || !in->sass || !sass_blocks_share_table(in->sass))
    return false;
  for (b.threads *= 2; b.threads <= BLOCK_THREADS_MOST; b.threads *= 2) {
    struct occupancy_block fewer = b;
    fewer.registers = registers_for(in, b, o->blocks_per_sm);
    larger_of(in, &b, &best, &out->warps);
    larger_of(in, &fewer, &more, &out->more);
  }
  out->threads = best.threads;
  out->more_threads = more.threads;
  out->registers = more.registers;
  return out->warps > now;
}
