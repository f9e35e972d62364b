#include "analysis/ladder/cured.h"

#include "analysis/ladder/shares.h"
#include "analysis/rules/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A count that moved by less of the work that fell is noise, not a cure; a
 * step that gained less tells no cause (the corpus takes out such pairs). */
static const double COUNT_MOVED = 0.05, STEP_GAINED = 0.05;

/* --- counts that tell causes of one part apart --- */

/* Cycles of the L1 for a load request: more where its lanes lie apart, hit or miss. */
static struct value load_wavefronts(const struct finding *f) {
  struct value all = f->bounds.work.l1_wavefronts, shared = finding_value(f, "shared_wavefronts");
  if (!all.present || !shared.present)
    return all.present ? shared : all;
  return value_ratio(value_of(all.v - shared.v), finding_value(f, "l1_load_requests"), "nothing is loaded");
}

static struct value decoding(const struct finding *f) {
  struct value alu = f->bounds.work.alu, xu = f->bounds.work.xu;
  bool gemv = f->result->bytes_minimal > 0 && f->result->shape.m > 0;
  return gemv && alu.present && xu.present ? value_of(alu.v + xu.v) : value_absent("nothing is decoded");
}

enum sense { FALLS = -1, RISES = 1 };

static const struct cause_row {
  enum work_part part;
  const char *rule;
  enum sense sense; /* of the count where the cause is cured */
  /* The count, one of these: */
  const char *counter;
  struct value_field field;
  struct value (*count)(const struct finding *f);
  const char *whole; /* counter of which it is a part; NULL: it stands for itself */
} CAUSES[] = {
    {PART_DRAM, "spills", FALLS, .counter = "local_load_sectors"},
    {PART_DRAM, "uncoalesced", FALLS, .field = VALUE_FIELD(finding, bounds.work.sectors_spread)},
    {PART_DRAM, "write-back", FALLS, .counter = "dram_write_bytes", .whole = "dram_bytes"},
    {PART_DRAM, "excess-dram-bytes", FALLS, .counter = "dram_read_bytes", .whole = "dram_bytes"},
    {PART_L2, "spills", FALLS, .counter = "local_load_sectors"},
    {PART_L2, "partial-sectors", FALLS, .field = VALUE_FIELD(finding, bounds.work.partial_share)},
    {PART_L2, "uncoalesced", FALLS, .field = VALUE_FIELD(finding, bounds.work.sectors_spread)},
    {PART_L2, "redundant-loads", FALLS, .counter = "l1_load_bytes"},
    {PART_L2, "l2-rereads", FALLS, .counter = "l2_read_bytes"},
    {PART_L1, "bank-conflicts", FALLS, .counter = "shared_bank_conflicts", .whole = "l1_wavefronts"},
    {PART_L1, "uncoalesced", FALLS, .count = load_wavefronts},
    {PART_L1, "redundant-loads", FALLS, .counter = "l1_load_bytes"},
    {PART_L1, "shared-memory", FALLS, .counter = "shared_wavefronts", .whole = "l1_wavefronts"},
    {PART_ATOMICS, "atomics", FALLS, .counter = "l2_atomic_sectors"},
    {PART_INSTRUCTIONS, "conversions", FALLS, .counter = "pipe_xu", .whole = "inst_executed"},
    {PART_INSTRUCTIONS, "decode-cost", FALLS, .count = decoding, .whole = "inst_executed"},
    {PART_INSTRUCTIONS, "redundant-loads", FALLS, .counter = "l1_load_requests", .whole = "inst_executed"},
    {PART_INSTRUCTIONS, "issue-slots", FALLS, .counter = "inst_executed"},
    {PART_FP64, "fp64", FALLS, .counter = "pipe_fp64"},
    {PART_LOADS, "uncoalesced", FALLS, .field = VALUE_FIELD(finding, bounds.work.sectors_spread)},
    {PART_LOADS, "redundant-loads", FALLS, .counter = "l1_load_requests"},
    {PART_LOADS, "long-scoreboard", RISES, .field = VALUE_FIELD(finding, bounds.flight.warp_bytes)},
    {PART_DEPENDENCIES, "dependent-chain", FALLS, .counter = "stall_wait"},
    {PART_BARRIERS, "barrier", FALLS, .counter = "stall_barrier"},
    {PART_GRID, "small-grid", RISES, .field = VALUE_FIELD(finding, bounds.work.blocks)},
    {PART_GRID, "tail", FALLS, .field = VALUE_FIELD(finding, bounds.model.tail_s)},
    {PART_GRID, "occupancy", RISES, .field = VALUE_FIELD(finding, bounds.work.warps)},
    {PART_START, "launch-bound", FALLS, .field = VALUE_FIELD(finding, bounds.work.launches)},
    {PART_START, "small-blocks", FALLS, .field = VALUE_FIELD(finding, bounds.work.blocks)},
    {PART_BALANCE, "imbalance", RISES, .field = VALUE_FIELD(finding, bounds.work.balance)},
};
enum { N_CAUSES = sizeof CAUSES / sizeof CAUSES[0] };

const char *cured_rule(size_t row) {
  return row < N_CAUSES ? CAUSES[row].rule : NULL;
}

static struct value count_of(const struct cause_row *c, const struct finding *f) {
  return c->counter ? finding_value(f, c->counter) : c->count ? c->count(f) : finding_field(f, c->field);
}

static bool moved(const struct cause_row *c, const struct finding *parent, const struct finding *child) {
  struct value a = count_of(c, parent), b = count_of(c, child);
  struct value whole = c->whole ? finding_value(parent, c->whole) : a;
  return a.present && b.present && whole.present && c->sense * (b.v - a.v) > COUNT_MOVED * fabs(whole.v);
}

/* --- the part that fell by the most --- */

/* Part of the parent's modelled time that goes where one part of its work becomes the child's. */
static double fell(enum work_part part, const struct workload *parent, const struct workload *child,
                   const struct rates *r) {
  struct workload w = *parent, b = *child;
  work_chain_scale(&w, work_warp_cycles(parent));
  work_chain_scale(&b, work_warp_cycles(child));
  for (size_t i = 0; i < n_work_rows; i++) {
    struct value_field x = work_rows[i].field;
    if (work_rows[i].part == part && (!x.is_value || (work_value(&w, x)->present && work_value(&b, x)->present)))
      *work_number(&w, x) = *work_number(&b, x);
  }
  work_chain_scale(&w, 1 / work_warp_cycles(&w));
  struct value kept = value_ratio(model_time(&w, r), model_time(parent, r), "no time is modelled");
  return kept.present ? 1 - kept.v : 0;
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

void labels_of_steps(struct label **out, size_t *n, const struct findings *f) {
  *n = 0;
  *out = calloc(f->n + 1, sizeof **out);
  for (size_t i = 0; i < f->n; i++) {
    const struct finding *child = &f->items[i];
    const char *id = child->variant->parent;
    const struct finding *parent = id ? findings_at(f, id, child->result->shape) : NULL;
    if (!parent)
      continue;
    cured_of(&(*out)[*n], parent, child, &f->rates);
    *n += (*out)[*n].n_causes > 0;
  }
}
