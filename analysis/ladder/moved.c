#include "analysis/ladder/moved.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What moved by less explains nothing: a fact of the code, the lanes that work (data move them too), and the logarithm of a count's ratio. */
static const double MOVED = 0.02, LANES_MOVED = 0.2, COUNT_MOVED = 0.005;
enum { LANES = 32 };

/* A count of a finding, and how it goes with the time: 1 more takes longer, -1 more takes less, 0 either. */
struct mover {
  enum step_group group;
  int sense;
  const char *before, *unit; /* words around "16 → 32" */
  double scale;
  struct value (*count)(const struct finding *f);
  enum resource resource; /* that it is work of; RESOURCES: of none, or of several */
};

static struct value product(struct value a, struct value b) {
  if (!a.present)
    return a;
  return b.present ? value_of(a.v * b.v) : b;
}

static struct value dram(const struct finding *f) {
  return f->dram_bytes;
}

static struct value l2_read(const struct finding *f) {
  return f->bounds.work.l2_read;
}

static struct value l2_write(const struct finding *f) {
  return f->bounds.work.l2_write;
}

static struct value wavefronts(const struct finding *f) {
  return f->bounds.work.l1_wavefronts;
}

static struct value atomic_sectors(const struct finding *f) {
  return f->bounds.work.atomic_sectors;
}

static struct value inst_per_element(const struct finding *f) {
  return finding_value(f, "inst_per_element");
}

static struct value inst(const struct finding *f) {
  return inst_per_element(f).present ? value_absent("it is said per element") : f->bounds.work.inst;
}

static struct value alu(const struct finding *f) {
  return f->bounds.work.alu;
}

static struct value fma_pipe(const struct finding *f) {
  return f->bounds.work.fma;
}

static struct value lsu(const struct finding *f) {
  return f->bounds.work.lsu;
}

static struct value xu(const struct finding *f) {
  return f->bounds.work.xu;
}

static struct value tensor(const struct finding *f) {
  return f->bounds.work.tensor;
}

static struct value fp64(const struct finding *f) {
  return f->bounds.work.fp64;
}

static struct value in_flight(const struct finding *f) {
  return value_ratio(f->bounds.flight.warp_bytes, value_of(LANES), "");
}

static struct value requests(const struct finding *f) {
  return f->bounds.flight.requests;
}

static struct value latency(const struct finding *f) {
  return f->bounds.flight.latency_s;
}

static struct value async_share(const struct finding *f) {
  return value_of(f->bounds.work.async_share);
}

/* Warp cycles, in all. */
static struct value dependent_cycles(const struct finding *f) {
  return product(product(f->bounds.work.dependencies_s, f->bounds.work.warps), f->bounds.work.clock_hz);
}

static struct value barriers(const struct finding *f) {
  return product(product(f->bounds.work.barriers_s, f->bounds.work.warps), f->bounds.work.clock_hz);
}

static struct value warps(const struct finding *f) {
  return f->bounds.work.warps;
}

static struct value blocks(const struct finding *f) {
  return f->bounds.work.blocks;
}

static struct value blocks_per_sm(const struct finding *f) {
  return f->bounds.work.blocks_per_sm;
}

static struct value launches(const struct finding *f) {
  return value_of(f->bounds.work.launches);
}

static struct value balance(const struct finding *f) {
  return value_of(f->bounds.work.balance);
}

static struct value clock_hz(const struct finding *f) {
  return f->bounds.work.clock_hz;
}

static const struct mover MOVERS[] = {
    {GROUP_DRAM, 1, "", " MB", 1e-6, dram, RESOURCE_DRAM},
    {GROUP_CACHE, 1, "L2 reads ", " MB", 1e-6, l2_read, RESOURCE_L2_READ},
    {GROUP_CACHE, 1, "L2 writes ", " MB", 1e-6, l2_write, RESOURCE_L2_WRITE},
    {GROUP_CACHE, 1, "", " M L1 wavefronts", 1e-6, wavefronts, RESOURCE_L1},
    {GROUP_CACHE, 1, "", " M atomic sectors", 1e-6, atomic_sectors, RESOURCE_ATOMICS},
    {GROUP_INSTRUCTIONS, 1, "", " per element", 1, inst_per_element, RESOURCE_ISSUE},
    {GROUP_INSTRUCTIONS, 1, "", " M", 1e-6, inst, RESOURCE_ISSUE},
    {GROUP_INSTRUCTIONS, 1, "ALU pipe ", " M", 1e-6, alu, RESOURCE_ALU},
    {GROUP_INSTRUCTIONS, 1, "FMA pipe ", " M", 1e-6, fma_pipe, RESOURCE_FMA},
    {GROUP_INSTRUCTIONS, 1, "LSU pipe ", " M", 1e-6, lsu, RESOURCE_LSU},
    {GROUP_INSTRUCTIONS, 1, "XU pipe ", " M", 1e-6, xu, RESOURCE_XU},
    {GROUP_INSTRUCTIONS, 1, "tensor pipe ", " M", 1e-6, tensor, RESOURCE_TENSOR},
    {GROUP_INSTRUCTIONS, 1, "fp64 pipe ", " M", 1e-6, fp64, RESOURCE_FP64},
    {GROUP_LOADS, -1, "", " B in flight per thread", 1, in_flight, RESOURCES},
    {GROUP_LOADS, 1, "", " M warp-level loads", 1e-6, requests, RESOURCES},
    {GROUP_LOADS, 1, "batch latency ", " ns", 1e9, latency, RESOURCES},
    {GROUP_LOADS, -1, "copied asynchronously ", " % of the bytes", 1e2, async_share, RESOURCES},
    {GROUP_DEPENDENCIES, 1, "", " M warp cycles of short waits", 1e-6, dependent_cycles, RESOURCE_DEPENDENCIES},
    {GROUP_DEPENDENCIES, 0, "", " M warp cycles at barriers", 1e-6, barriers, RESOURCE_BARRIERS},
    {GROUP_GEOMETRY, -1, "", " resident warps", 1, warps, RESOURCES},
    {GROUP_GEOMETRY, 0, "", " blocks", 1, blocks, RESOURCES},
    {GROUP_GEOMETRY, 0, "", " blocks per SM", 1, blocks_per_sm, RESOURCES},
    {GROUP_LAUNCH, 1, "", " launches", 1, launches, RESOURCES},
    {GROUP_LAUNCH, 0, "", " blocks", 1, blocks, RESOURCES},
    {GROUP_BALANCE, -1, "", " %", 1e2, balance, RESOURCES},
    {GROUP_CLOCK, -1, "", " GHz", 1e-9, clock_hz, RESOURCES},
};

/* How far the count went with the share: the logarithm of its ratio, below 0 where it went against it.  A count that may go
 * either way says half as much. */
static double with_share(const struct mover *m, const struct step_at *at, double share_s) {
  struct value a = m->count(at->parent), b = m->count(at->child);
  if (!a.present || !b.present || (a.v <= 0 && b.v <= 0))
    return 0;
  double least = fmax(a.v, b.v) * 1e-3; /* a count that comes from nothing moved a lot, not endlessly */
  double moved = log(fmax(b.v, least) / fmax(a.v, least));
  return m->sense ? moved * m->sense * (share_s < 0 ? -1 : 1) : fabs(moved) / 2;
}

/* What moving the count does to the time, to first order: the resource's share of it, of both ends the mean. */
static double weight(const struct mover *m, const struct step_at *at) {
  const struct model *a = &at->parent->bounds.model, *b = &at->child->bounds.model;
  return m->resource == RESOURCES ? 1 : (a->share[m->resource] + b->share[m->resource]) / 2;
}

static void number_add(char out[32], double x) {
  double size = fabs(x);
  snprintf(out, 32, "%.*f", size >= 100 || x == round(x) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3, x);
}

static void change_add(struct text *out, const char *before, double a, double b, const char *unit) {
  char from[32], to[32];
  number_add(from, a);
  number_add(to, b);
  text_printf(out, "%s%s → %s%s", before, from, to, unit);
}

static const struct mover *moved_most(const struct step_at *at, enum step_group g) {
  const struct mover *most = NULL;
  double best = 0;
  for (size_t i = 0; i < sizeof MOVERS / sizeof MOVERS[0]; i++) {
    double far = MOVERS[i].group == g ? with_share(&MOVERS[i], at, at->shares.seconds[g]) : 0;
    double effect = far > COUNT_MOVED ? far * weight(&MOVERS[i], at) : 0;
    if (effect > best)
      best = effect, most = &MOVERS[i];
  }
  return most;
}

bool moved_any(const struct step_at *at, enum step_group g) {
  return moved_most(at, g) != NULL;
}

void moved_add(struct text *out, const struct step_at *at, enum step_group g) {
  const struct mover *most = moved_most(at, g);
  if (!most)
    return;
  text_add(out, " (");
  change_add(out, most->before, most->count(at->parent).v * most->scale, most->count(at->child).v * most->scale,
             most->unit);
  text_add(out, ")");
}

/* --- code and launch --- */

static struct value threads(const struct finding *f) {
  return f->launch ? value_of(launch_block_threads(f->launch)) : value_absent("no launch was observed");
}

static struct value load_bytes(const struct finding *f) {
  return value_ratio(in_flight(f), f->bounds.flight.warp_requests, "no load");
}

static struct value smem(const struct finding *f) {
  return f->bounds.work.smem_block;
}

static struct value lanes(const struct finding *f) {
  return product(value_of(LANES), finding_value(f, "lanes_active"));
}

static const char *path_of(const struct finding *f) {
  return f->result->path ? f->result->path : "";
}

void moved_code_add(struct text *out, const struct step_at *at) {
  static const struct {
    const char *before, *unit;
    double least; /* of a change, as a part of what was */
    struct value (*count)(const struct finding *f);
  } facts[] = {
      {"", " threads per block", MOVED, threads},
      {"mean load ", " B per thread", MOVED, load_bytes},
      {"", " B of shared memory per block", MOVED, smem},
      {"", " lanes active", LANES_MOVED, lanes},
  };
  const char *separator = "; ";
  if (strcmp(path_of(at->parent), path_of(at->child)) != 0 && *path_of(at->child)) {
    text_printf(out, "%spath: %s", separator, path_of(at->child));
    separator = ", ";
  }
  if (at->registers.before.present && at->registers.after.present && at->registers.before.v != at->registers.after.v) {
    text_printf(out, "%sregisters %.0f → %.0f", separator, at->registers.before.v, at->registers.after.v);
    separator = ", ";
  }
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
    struct value a = facts[i].count(at->parent), b = facts[i].count(at->child);
    if (!a.present || !b.present || fabs(a.v - b.v) <= facts[i].least * fabs(a.v))
      continue;
    text_add(out, separator);
    change_add(out, facts[i].before, a.v, b.v, facts[i].unit);
    separator = ", ";
  }
}
