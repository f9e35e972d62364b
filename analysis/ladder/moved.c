#include "analysis/ladder/moved.h"

#include "base/warp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Smaller changes explain nothing: of a fact of the code, of the active lanes (which data change,
 * too), of the logarithm of a count's ratio. */
static const double MOVED = 0.02, LANES_MOVED = 0.2, COUNT_MOVED = 0.005;
/* What makes less of a group's share by itself does not tell of it. */
static const double MADE = 0.1;

enum { MOVER_FIELDS = 2 };

/* How a count tells of a share. */
enum mover_kind {
  MOVER_WORK,    /* it is work: its fields by themselves make the share */
  MOVER_TIMES,   /* the loads' waits grow with it, */
  MOVER_OVER,    /* or shrink with it */
  MOVER_SYMPTOM, /* it is a time itself, and told where no count of work makes a quarter of its share */
};

struct mover {
  enum step_group group;
  enum mover_kind kind;
  const char *before, *unit; /* words around "16 → 32" */
  double scale;
  /* The count: a number of the finding, or a function of it; neither: the SMs' balance. */
  struct value_field counted;
  struct value (*count)(const struct finding *f);
  size_t fields[MOVER_FIELDS]; /* offsets into struct workload */
};

static struct value inst_per_element(const struct finding *f) {
  return finding_value(f, "inst_per_element");
}

static struct value inst(const struct finding *f) {
  return inst_per_element(f).present ? value_absent("it is said per element") : f->bounds.work.inst;
}

static struct value in_flight(const struct finding *f) {
  return value_ratio(f->bounds.flight.warp_bytes, value_of(WARP_LANES), "");
}

static struct value plain_share(const struct finding *f) {
  return value_of(1 - f->bounds.work.async_share);
}

/* Cycles of all warps, of what one spends. */
static struct value all_warps(const struct workload *w, struct value seconds) {
  return value_product(value_product(seconds, w->warps), w->clock_hz);
}

static struct value load_cycles(const struct finding *f) {
  const struct workload *w = &f->bounds.work;
  struct value slow = w->slow_loads;
  return all_warps(w, value_product(w->loads_s, value_of(1 + (slow.present ? slow.v : 0))));
}

/* Of shared memory, that all resident blocks hold for copies. */
static struct value copy_room(const struct finding *f) {
  const struct workload *w = &f->bounds.work;
  return w->async_share > 0 ? value_product(w->smem_block, w->blocks_per_sm) : value_absent("nothing is copied");
}

static struct value dependent_cycles(const struct finding *f) {
  return all_warps(&f->bounds.work, f->bounds.work.dependencies_s);
}

static struct value barriers(const struct finding *f) {
  return all_warps(&f->bounds.work, f->bounds.work.barriers_s);
}

#define W(field) offsetof(struct workload, field)
#define F(field) .counted = VALUE_FIELD(finding, field)
/* One field stands twice where there is no other. */
static const struct mover MOVERS[] = {
    {GROUP_DRAM, MOVER_WORK, "", " MB", 1e-6, F(dram_bytes), .fields = {W(dram_read), W(dram_write)}},
    {GROUP_CACHE, MOVER_WORK, "L2 reads ", " MB", 1e-6, F(bounds.work.l2_read), .fields = {W(l2_read), W(l2_read)}},
    {GROUP_CACHE, MOVER_WORK, "", " sectors per L2 read", 1, F(bounds.work.read_fill),
     .fields = {W(read_fill), W(read_fill)}},
    {GROUP_CACHE, MOVER_WORK, "L2 writes ", " MB", 1e-6, F(bounds.work.l2_write), .fields = {W(l2_write), W(l2_write)}},
    {GROUP_CACHE, MOVER_WORK, "partly written sectors ", " % of the L2 writes", 1e2, F(bounds.work.partial_share),
     .fields = {W(partial_share), W(write_fill)}},
    {GROUP_CACHE, MOVER_WORK, "", " M L1 wavefronts", 1e-6, F(bounds.work.l1_wavefronts),
     .fields = {W(l1_wavefronts), W(l1_wavefronts)}},
    {GROUP_CACHE, MOVER_WORK, "", " M atomic sectors", 1e-6, F(bounds.work.atomic_sectors),
     .fields = {W(atomic_sectors), W(atomic_cycles_max)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "", " per element", 1, .count = inst_per_element,
     .fields = {W(inst), W(own_issue_s)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "", " M", 1e-6, .count = inst, .fields = {W(inst), W(own_issue_s)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "ALU pipe ", " M", 1e-6, F(bounds.work.alu), .fields = {W(alu), W(alu)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "FMA pipe ", " M", 1e-6, F(bounds.work.fma), .fields = {W(fma), W(fma_heavy)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "LSU pipe ", " M", 1e-6, F(bounds.work.lsu), .fields = {W(lsu), W(lsu)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "XU pipe ", " M", 1e-6, F(bounds.work.xu), .fields = {W(xu), W(xu)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "tensor pipe ", " M", 1e-6, F(bounds.work.tensor),
     .fields = {W(tensor), W(tensor)}},
    {GROUP_INSTRUCTIONS, MOVER_WORK, "fp64 pipe ", " M", 1e-6, F(bounds.work.fp64), .fields = {W(fp64), W(fp64)}},
    {GROUP_LOADS, MOVER_OVER, "", " B in flight per thread", 1, .count = in_flight,
     .fields = {W(loads_s), W(slow_loads)}},
    {GROUP_LOADS, MOVER_TIMES, "", " M warp-level loads", 1e-6, F(bounds.flight.requests),
     .fields = {W(loads_s), W(slow_loads)}},
    {GROUP_LOADS, MOVER_TIMES, "unloaded load latency ", " ns", 1e9, F(bounds.flight.latency_s),
     .fields = {W(loads_s), W(slow_loads)}},
    {GROUP_LOADS, MOVER_TIMES, "plain loads ", " % of the bytes", 1e2, .count = plain_share,
     .fields = {W(loads_s), W(slow_loads)}},
    {GROUP_LOADS, MOVER_WORK, "", " KB per SM for copies in flight", 1e-3, .count = copy_room,
     .fields = {W(async_share), W(smem_block)}},
    {GROUP_LOADS, MOVER_SYMPTOM, "", " M warp cycles of waits for loads", 1e-6, .count = load_cycles,
     .fields = {W(loads_s), W(slow_loads)}},
    {GROUP_DEPENDENCIES, MOVER_WORK, "", " M warp cycles of short waits", 1e-6, .count = dependent_cycles,
     .fields = {W(dependencies_s), W(dependencies_s)}},
    {GROUP_DEPENDENCIES, MOVER_WORK, "", " M warp cycles at barriers", 1e-6, .count = barriers,
     .fields = {W(barriers_s), W(barriers_s)}},
    {GROUP_GEOMETRY, MOVER_WORK, "", " resident warps", 1, F(bounds.work.warps), .fields = {W(warps), W(warps)}},
    {GROUP_GEOMETRY, MOVER_WORK, "", " blocks", 1, F(bounds.work.blocks), .fields = {W(blocks), W(blocks)}},
    {GROUP_GEOMETRY, MOVER_WORK, "", " blocks per SM", 1, F(bounds.work.blocks_per_sm),
     .fields = {W(blocks_per_sm), W(blocks_per_sm)}},
    {GROUP_LAUNCH, MOVER_WORK, "", " launches", 1, F(bounds.work.launches), .fields = {W(launches), W(empty_s)}},
    {GROUP_LAUNCH, MOVER_WORK, "", " blocks", 1, F(bounds.work.blocks), .fields = {W(empty_s), W(empty_s)}},
    {GROUP_LAUNCH, MOVER_SYMPTOM, "an empty kernel ", " µs", 1e6, F(bounds.work.empty_s),
     .fields = {W(empty_s), W(empty_s)}},
    {GROUP_BALANCE, MOVER_WORK, "", " %", 1e2, .fields = {W(balance), W(balance)}},
    {GROUP_CLOCK, MOVER_WORK, "", " GHz", 1e-9, F(bounds.work.clock_hz), .fields = {W(clock_hz), W(clock_hz)}},
};
#undef W
#undef F

static struct value count_of(const struct mover *m, const struct step_at *at, const struct finding *f) {
  if (m->counted.offset)
    return finding_field(f, m->counted);
  return m->count ? m->count(f) : value_of(shares_balance(&f->bounds.work, at->rates));
}

/* The logarithm of a count's ratio; 0 where it is not known. */
static double moved_by(struct value a, struct value b) {
  if (!a.present || !b.present || (a.v <= 0 && b.v <= 0))
    return 0;
  double least = fmax(a.v, b.v) * 1e-3; /* a count that comes from nothing moved a lot, not endlessly */
  return log(fmax(b.v, least) / fmax(a.v, least));
}

/* The part of the loads' waits that a count is a factor of: all of it at most. */
static double part_of_waits(const struct mover *m, const struct step_at *at, double moved) {
  double waits = moved_by(load_cycles(at->parent), load_cycles(at->child));
  double factor = m->kind == MOVER_OVER ? -moved : moved;
  return waits != 0 ? fmin(fmax(factor / waits, 0), 1) : 0;
}

/* Seconds of its group's share that the count makes, the other counts standing still. */
static double made_s(const struct mover *m, const struct step_at *at) {
  static const double SYMPTOM = 0.25;
  double moved = moved_by(count_of(m, at, at->parent), count_of(m, at, at->child));
  if (fabs(moved) <= COUNT_MOVED)
    return 0;
  double alone = shares_alone_s(&at->parent->bounds.work, &at->child->bounds.work, at->rates, m->fields, MOVER_FIELDS);
  switch (m->kind) {
  case MOVER_WORK:
    return alone;
  case MOVER_SYMPTOM:
    return alone * SYMPTOM;
  case MOVER_TIMES:
  case MOVER_OVER:
    return alone * part_of_waits(m, at, moved);
  }
  return 0;
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
  double share = at->shares.seconds[g], best = MADE * fabs(share);
  for (size_t i = 0; i < sizeof MOVERS / sizeof MOVERS[0]; i++) {
    double made = MOVERS[i].group == g ? made_s(&MOVERS[i], at) * (share < 0 ? -1 : 1) : 0;
    if (made > best)
      best = made, most = &MOVERS[i];
  }
  return most;
}

bool moved_any(const struct step_at *at, enum step_group g) {
  return moved_most(at, g) != NULL;
}

static void mover_add(struct text *out, const struct step_at *at, const struct mover *most) {
  text_add(out, " (");
  change_add(out, most->before, count_of(most, at, at->parent).v * most->scale,
             count_of(most, at, at->child).v * most->scale, most->unit);
  text_add(out, ")");
}

void moved_add(struct text *out, const struct step_at *at, enum step_group g) {
  const struct mover *most = moved_most(at, g);
  if (most)
    mover_add(out, at, most);
}

void moved_furthest_add(struct text *out, const struct step_at *at) {
  const struct mover *most = NULL;
  double change = at->time.after.v - at->time.before.v, best = MADE * fabs(change);
  for (size_t i = 0; i < sizeof MOVERS / sizeof MOVERS[0]; i++) {
    double made = MOVERS[i].kind == MOVER_SYMPTOM ? 0 : made_s(&MOVERS[i], at) * (change < 0 ? -1 : 1);
    if (made > best)
      best = made, most = &MOVERS[i];
  }
  if (!most)
    return;
  text_add(out, step_group_rows[most->group].title);
  mover_add(out, at, most);
}

/* --- code and launch --- */

static struct value threads(const struct finding *f) {
  return f->launch ? value_of(launch_block_threads(f->launch)) : value_absent("no launch was observed");
}

static struct value smem(const struct finding *f) {
  return f->bounds.work.smem_block;
}

static struct value lanes(const struct finding *f) {
  return value_product(value_of(WARP_LANES), finding_value(f, "lanes_active"));
}

/* More instructions whose lanes are idle for half of it or more
 * are the same work in more warps: then their lanes say why. */
static double least_of_lanes(const struct step_at *at) {
  double insts = moved_by(at->parent->bounds.work.inst, at->child->bounds.work.inst),
         active = moved_by(lanes(at->parent), lanes(at->child));
  return insts * active < 0 && fabs(active) >= fabs(insts) / 2 ? MOVED : LANES_MOVED;
}

static const char *path_of(const struct finding *f) {
  return f->result->path ? f->result->path : "";
}

void moved_code_add(struct text *out, const struct step_at *at) {
  const struct {
    const char *before, *unit;
    double least; /* of a change, as a part of what was */
    struct value (*count)(const struct finding *f);
  } facts[] = {
      {"", " threads per block", MOVED, threads},
      {"", " B of shared memory per block", MOVED, smem},
      {"", " lanes active", least_of_lanes(at), lanes},
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
