#include "analysis/model/occupancy.h"

#include "analysis/metrics/formulas.h"
#include "base/warp.h"

#include <limits.h>

enum {
  PARTITIONS = 4,
  REGISTER_UNIT = 256,
  REGISTERS_MAX = 255, /* a thread */
  SMEM_UNIT = 128,
  SMEM_RESERVED = 1024, /* a block, by the driver */
  THREADS_MAX = 1024,
};

static const char *const LIMIT_NAMES[OCCUPANCY_LIMITS] = {
    [LIMIT_WARPS] = "warps per SM", [LIMIT_BLOCKS] = "blocks per SM", [LIMIT_REGISTERS] = "registers",
    [LIMIT_SMEM] = "shared memory", [LIMIT_BARRIERS] = "barriers",
};

const char *occupancy_limit_name(enum occupancy_limit l) {
  return l < OCCUPANCY_LIMITS ? LIMIT_NAMES[l] : "unknown";
}

bool occupancy_chip(struct device *d, int sm) {
  enum { REGISTERS = 65536, KIBI = 1024 };
  static const struct {
    int sm, warps;
    long smem_kib; /* of an SM; a block may have all but 1 KiB of it */
  } chips[] = {{80, 64, 164},  {86, 48, 100},  {87, 48, 164},  {89, 48, 100}, {90, 64, 228},
               {100, 64, 228}, {103, 64, 228}, {120, 48, 100}, {121, 48, 100}};
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
    if (chips[i].sm != sm)
      continue;
    d->sm = sm;
    d->regs_per_sm = d->regs_per_sm > 0 ? d->regs_per_sm : REGISTERS;
    d->warps_per_sm = d->warps_per_sm > 0 ? d->warps_per_sm : chips[i].warps;
    d->smem_per_sm = d->smem_per_sm > 0 ? d->smem_per_sm : chips[i].smem_kib * KIBI;
    d->smem_optin = d->smem_optin > 0 ? d->smem_optin : (chips[i].smem_kib - 1) * KIBI;
    return true;
  }
  return false;
}

struct occupancy_block occupancy_block_of(const struct run_launch *l) {
  return (struct occupancy_block){.registers = l->registers,
                                  .threads = (int)launch_block_threads(l),
                                  .smem_static = l->smem_static,
                                  .smem_dynamic = l->smem_dynamic};
}

static long round_up(long n, long unit) {
  return (n + unit - 1) / unit * unit;
}

static int blocks_max(int sm) {
  switch (sm) {
  case 86:
  case 87:
  case 88:
    return 16;
  case 89:
  case 101:
  case 110:
    return 24;
  default:
    return sm >= 120 ? 24 : 32;
  }
}

static int barriers_per_block(int sm) {
  return sm == 80 || (sm >= 90 && sm < 120 && sm != 101 && sm != 110) ? 2 : 1;
}

static int by_registers(const struct device *d, const struct occupancy_block *b, int warps) {
  long a_warp = round_up((long)b->registers * WARP_LANES, REGISTER_UNIT);
  if (a_warp == 0)
    return INT_MAX;
  if (b->registers > REGISTERS_MAX || a_warp * round_up(warps, PARTITIONS) > d->regs_per_sm)
    return 0; /* the hardware checks a block as if it stood in all partitions alike */
  return (int)(d->regs_per_sm / PARTITIONS / a_warp * PARTITIONS / warps);
}

static int by_smem(const struct device *d, const struct occupancy_block *b) {
  long asked = b->smem_static + b->smem_dynamic;
  if (d->smem_optin > 0 && asked > d->smem_optin)
    return 0;
  return (int)(d->smem_per_sm / round_up(asked + SMEM_RESERVED, SMEM_UNIT));
}

int occupancy_of(struct occupancy *out, const struct device *d, const struct occupancy_block *b, struct err *e) {
  *out = (struct occupancy){0};
  if (d->sm < 80)
    return err_set(e, ERR_DATA, "sm_%d: occupancy is known for sm_80 and later", d->sm);
  if (d->regs_per_sm <= 0 || d->smem_per_sm <= 0 || d->warps_per_sm <= 0)
    return err_set(e, ERR_DATA, "the registers, shared memory or warps of an SM are not known");
  if (b->threads <= 0 || b->threads > THREADS_MAX || b->registers < 0 || b->smem_static < 0 || b->smem_dynamic < 0)
    return err_set(e, ERR_DATA, "a block of %d threads: 1 to %d can be launched", b->threads, THREADS_MAX);
  int warps = (b->threads + WARP_LANES - 1) / WARP_LANES, most = blocks_max(d->sm);
  out->warps_per_block = warps;
  out->blocks[LIMIT_WARPS] = d->warps_per_sm / warps;
  out->blocks[LIMIT_BLOCKS] = most;
  out->blocks[LIMIT_REGISTERS] = by_registers(d, b, warps);
  out->blocks[LIMIT_SMEM] = by_smem(d, b);
  out->blocks[LIMIT_BARRIERS] = b->barriers > 0 ? most * barriers_per_block(d->sm) / b->barriers : INT_MAX;
  out->blocks_per_sm = INT_MAX;
  for (int l = 0; l < OCCUPANCY_LIMITS; l++)
    if (out->blocks[l] < out->blocks_per_sm) {
      out->blocks_per_sm = out->blocks[l];
      out->limit = (enum occupancy_limit)l;
    }
  out->share = (double)out->blocks_per_sm * warps / d->warps_per_sm;
  return 0;
}
