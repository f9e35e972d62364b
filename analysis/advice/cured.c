#include "analysis/advice/cured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A count that moved by less of the work that fell is noise, not a cure; a step that gained less tells no cause (the corpus takes out such pairs). */
static const double COUNT_MOVED = 0.05, STEP_GAINED = 0.05;

/* The work that one remedy or another relieves; every field belongs to one of them. */
enum work_part {
  PART_DRAM,
  PART_L2,
  PART_L1,
  PART_ATOMICS,
  PART_INSTRUCTIONS,
  PART_FP64,
  PART_LOADS,
  PART_DEPENDENCIES,
  PART_BARRIERS,
  PART_GRID,
  PART_START,
  PART_BALANCE,
  WORK_PARTS
};

#define VALUE(name, part)                                                                                              \
  { offsetof(struct workload, name), part, true, false }
#define CHAIN(name, part)                                                                                              \
  { offsetof(struct workload, name), part, true, true }
#define NUMBER(name, part)                                                                                             \
  { offsetof(struct workload, name), part, false, false }
static const struct part_field {
  size_t offset;
  enum work_part part;
  bool value; /* a struct value; else a double */
  bool chain; /* seconds of a resident warp: compared as cycles of all warps together */
} FIELDS[] = {
    VALUE(dram_read, PART_DRAM),
    VALUE(dram_write, PART_DRAM),
    VALUE(l2_read, PART_L2),
    VALUE(l2_write, PART_L2),
    NUMBER(read_fill, PART_L2),
    NUMBER(write_fill, PART_L2),
    NUMBER(partial_share, PART_L2),
    VALUE(l1_wavefronts, PART_L1),
    VALUE(atomic_sectors, PART_ATOMICS),
    VALUE(atomic_cycles_max, PART_ATOMICS),
    NUMBER(atomic_lanes, PART_ATOMICS),
    NUMBER(atomic_bursts, PART_ATOMICS),
    VALUE(inst, PART_INSTRUCTIONS),
    VALUE(alu, PART_INSTRUCTIONS),
    VALUE(fma, PART_INSTRUCTIONS),
    VALUE(fma_heavy, PART_INSTRUCTIONS),
    NUMBER(wide_share, PART_INSTRUCTIONS),
    VALUE(lsu, PART_INSTRUCTIONS),
    VALUE(xu, PART_INSTRUCTIONS),
    VALUE(tensor, PART_INSTRUCTIONS),
    CHAIN(own_issue_s, PART_INSTRUCTIONS),
    VALUE(fp64, PART_FP64),
    CHAIN(loads_s, PART_LOADS),
    VALUE(slow_loads, PART_LOADS),
    NUMBER(async_share, PART_LOADS),
    NUMBER(sectors_spread, PART_LOADS),
    CHAIN(dependencies_s, PART_DEPENDENCIES),
    CHAIN(barriers_s, PART_BARRIERS),
    VALUE(blocks, PART_GRID),
    VALUE(warps_per_block, PART_GRID),
    VALUE(blocks_per_sm, PART_GRID),
    VALUE(smem_block, PART_GRID),
    VALUE(warps, PART_GRID),
    NUMBER(launches, PART_START),
    VALUE(empty_s, PART_START),
    NUMBER(balance, PART_BALANCE),
};
enum { N_FIELDS = sizeof FIELDS / sizeof FIELDS[0] };

/* --- counts that tell causes of one part apart --- */

static struct value spread(const struct finding *f) {
  return value_of(f->bounds.work.sectors_spread);
}

/* Cycles of the L1 for a load request: more where its lanes lie apart, hit or miss. */
static struct value load_wavefronts(const struct finding *f) {
  struct value all = f->bounds.work.l1_wavefronts, shared = finding_value(f, "shared_wavefronts");
  if (!all.present || !shared.present)
    return all.present ? shared : all;
  return value_ratio(value_of(all.v - shared.v), finding_value(f, "l1_load_requests"), "nothing is loaded");
}

static struct value partial(const struct finding *f) {
  return value_of(f->bounds.work.partial_share);
}

static struct value in_flight(const struct finding *f) {
  return f->bounds.flight.warp_bytes;
}

static struct value decoding(const struct finding *f) {
  struct value alu = f->bounds.work.alu, xu = f->bounds.work.xu;
  bool gemv = f->result->bytes_minimal > 0 && f->result->shape.m > 0;
  return gemv && alu.present && xu.present ? value_of(alu.v + xu.v) : value_absent("nothing is decoded");
}

static struct value warps(const struct finding *f) {
  return f->bounds.work.warps;
}

static struct value blocks(const struct finding *f) {
  return f->bounds.work.blocks;
}

static struct value launches(const struct finding *f) {
  return value_of(f->bounds.work.launches);
}

static struct value balance(const struct finding *f) {
  return value_of(f->bounds.work.balance);
}

static struct value tail(const struct finding *f) {
  return value_of(f->bounds.model.tail_s);
}

enum sense { FALLS = -1, RISES = 1 };

static const struct cause_row {
  enum work_part part;
  const char *rule;
  enum sense sense;    /* of the count where the cause is cured */
  const char *counter; /* NULL: count tells */
  struct value (*count)(const struct finding *f);
  const char *whole; /* counter of which it is a part; NULL: it stands for itself */
} CAUSES[] = {
    {PART_DRAM, "spills", FALLS, "local_load_sectors", NULL, NULL},
    {PART_DRAM, "uncoalesced", FALLS, NULL, spread, NULL},
    {PART_DRAM, "write-back", FALLS, "dram_write_bytes", NULL, "dram_bytes"},
    {PART_DRAM, "excess-dram-bytes", FALLS, "dram_read_bytes", NULL, "dram_bytes"},
    {PART_L2, "spills", FALLS, "local_load_sectors", NULL, NULL},
    {PART_L2, "partial-sectors", FALLS, NULL, partial, NULL},
    {PART_L2, "uncoalesced", FALLS, NULL, spread, NULL},
    {PART_L2, "redundant-loads", FALLS, "l1_load_bytes", NULL, NULL},
    {PART_L2, "l2-rereads", FALLS, "l2_read_bytes", NULL, NULL},
    {PART_L1, "bank-conflicts", FALLS, "shared_bank_conflicts", NULL, "l1_wavefronts"},
    {PART_L1, "uncoalesced", FALLS, NULL, load_wavefronts, NULL},
    {PART_L1, "redundant-loads", FALLS, "l1_load_bytes", NULL, NULL},
    {PART_L1, "shared-memory", FALLS, "shared_wavefronts", NULL, "l1_wavefronts"},
    {PART_ATOMICS, "atomics", FALLS, "l2_atomic_sectors", NULL, NULL},
    {PART_INSTRUCTIONS, "conversions", FALLS, "pipe_xu", NULL, "inst_executed"},
    {PART_INSTRUCTIONS, "decode-cost", FALLS, NULL, decoding, "inst_executed"},
    {PART_INSTRUCTIONS, "redundant-loads", FALLS, "l1_load_requests", NULL, "inst_executed"},
    {PART_INSTRUCTIONS, "issue-slots", FALLS, "inst_executed", NULL, NULL},
    {PART_FP64, "fp64", FALLS, "pipe_fp64", NULL, NULL},
    {PART_LOADS, "uncoalesced", FALLS, NULL, spread, NULL},
    {PART_LOADS, "redundant-loads", FALLS, "l1_load_requests", NULL, NULL},
    {PART_LOADS, "long-scoreboard", RISES, NULL, in_flight, NULL},
    {PART_DEPENDENCIES, "dependent-chain", FALLS, "stall_wait", NULL, NULL},
    {PART_BARRIERS, "barrier", FALLS, "stall_barrier", NULL, NULL},
    {PART_GRID, "small-grid", RISES, NULL, blocks, NULL},
    {PART_GRID, "tail", FALLS, NULL, tail, NULL},
    {PART_GRID, "occupancy", RISES, NULL, warps, NULL},
    {PART_START, "launch-bound", FALLS, NULL, launches, NULL},
    {PART_START, "small-blocks", FALLS, NULL, blocks, NULL},
    {PART_BALANCE, "imbalance", RISES, NULL, balance, NULL},
};
enum { N_CAUSES = sizeof CAUSES / sizeof CAUSES[0] };

static bool moved(const struct cause_row *c, const struct finding *parent, const struct finding *child) {
  struct value a = c->counter ? finding_value(parent, c->counter) : c->count(parent);
  struct value b = c->counter ? finding_value(child, c->counter) : c->count(child);
  struct value whole = c->whole ? finding_value(parent, c->whole) : a;
  return a.present && b.present && whole.present && c->sense * (b.v - a.v) > COUNT_MOVED * fabs(whole.v);
}

/* --- the part that fell by the most --- */

static double warp_cycles(const struct workload *w) {
  struct value cycles = value_product(w->warps, w->clock_hz);
  return cycles.present && cycles.v > 0 ? cycles.v : 1;
}

static struct value *value_at(struct workload *w, const struct part_field *x) {
  return (struct value *)((char *)w + x->offset);
}

static double *number_at(struct workload *w, const struct part_field *x) {
  return x->value ? &value_at(w, x)->v : (double *)((char *)w + x->offset);
}

static void chain_scale(struct workload *w, double factor) {
  for (size_t i = 0; i < N_FIELDS; i++)
    if (FIELDS[i].chain)
      value_at(w, &FIELDS[i])->v *= factor;
}

/* Part of the parent's modelled time that goes where one part of its work becomes the child's. */
static double fell(enum work_part part, const struct workload *parent, const struct workload *child,
                   const struct rates *r) {
  struct workload w = *parent, b = *child;
  struct value before = model_time(parent, r);
  chain_scale(&w, warp_cycles(parent));
  chain_scale(&b, warp_cycles(child));
  for (size_t i = 0; i < N_FIELDS; i++) {
    const struct part_field *x = &FIELDS[i];
    if (x->part == part && (!x->value || (value_at(&w, x)->present && value_at(&b, x)->present)))
      *number_at(&w, x) = *number_at(&b, x);
  }
  chain_scale(&w, 1 / warp_cycles(&w));
  struct value after = model_time(&w, r);
  return before.present && after.present && before.v > 0 ? 1 - after.v / before.v : 0;
}

void cured_of(struct label *out, const struct finding *parent, const struct finding *child, const struct rates *r) {
  double most = 0;
  enum work_part part = WORK_PARTS;
  *out = (struct label){.parent = parent->variant->id, .child = child->variant->id, .at = child};
  if (!parent->timed || !child->timed || child->time.ci_high >= parent->time.ci_low ||
      child->time.middle > (1 - STEP_GAINED) * parent->time.middle)
    return;
  for (int k = 0; k < WORK_PARTS; k++) {
    double by = fell((enum work_part)k, &parent->bounds.work, &child->bounds.work, r);
    if (by >= ADVICE_LEAST_SHARE && by > most) {
      most = by;
      part = (enum work_part)k;
    }
  }
  for (size_t i = 0; i < N_CAUSES && part != WORK_PARTS; i++)
    if (CAUSES[i].part == part && out->n_causes < LABEL_CAUSES && moved(&CAUSES[i], parent, child))
      out->causes[out->n_causes++] = CAUSES[i].rule;
}

int labels_of_steps(struct label **out, size_t *n, const struct findings *f, struct err *e) {
  *n = 0;
  *out = calloc(f->n + 1, sizeof **out);
  if (!*out)
    return err_nomem(e, "labels");
  for (size_t i = 0; i < f->n; i++) {
    const struct finding *child = &f->items[i];
    const char *id = child->variant->parent;
    const struct finding *parent = id ? findings_at(f, id, child->result->shape) : NULL;
    if (!parent)
      continue;
    cured_of(&(*out)[*n], parent, child, &f->rates);
    *n += (*out)[*n].n_causes > 0;
  }
  return 0;
}
