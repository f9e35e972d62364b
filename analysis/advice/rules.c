#include "analysis/advice/rules.h"

#include "analysis/advice/rule_tools.h"
#include "analysis/model/bounds.h"

#include <stdlib.h>
#include <string.h>

/* One row a rule.  Order matters only between equal estimates: the more telling cause stands first. */
const struct rule rules[] = {
    {"dram-saturated", "DRAM is full", rule_dram_saturated, false},
    {"small-grid", "the grid leaves SMs without work", rule_small_grid, false},
    {"spills", "registers spill to local memory", rule_spills, false},
    {"atomics", "atomic operations queue at the L2", rule_atomics, false},
    {"fp64", "double precision binds", rule_fp64, false},
    {"scale-loads", "the block scales are read in pieces", rule_scale_loads, false},
    {"uncoalesced", "loads are not coalesced", rule_uncoalesced, false},
    {"bank-conflicts", "shared-memory bank conflicts", rule_bank_conflicts, false},
    {"barrier", "warps wait at barriers", rule_barrier, false},
    {"dependent-loads", "each load waits for the one before", rule_dependent_loads, false},
    {"long-scoreboard", "warps wait for loads while DRAM has room", rule_long_scoreboard, false},
    {"decode-cost", "decoding takes too many instructions", rule_decode_cost, false},
    {"issue-slots", "instructions bind", rule_issue_slots, true},
    {"pipe", "one arithmetic pipe binds", rule_pipe, true},
    {"redundant-b-loads", "the same bytes are loaded again and again", rule_redundant_loads, false},
    {"excess-dram-bytes", "DRAM moves more bytes than it must", rule_excess_dram_bytes, false},
    {"write-back", "DRAM writes lines that others left dirty", rule_write_back, false},
    {"tail", "the last wave leaves SMs idle", rule_tail, false},
    {"imbalance", "some SMs work longer than others", rule_imbalance, false},
    {"occupancy", "too few warps resident", rule_occupancy, false},
    {"divergence", "lanes are off", rule_divergence, false},
    {"non-fused-fp", "multiplications and additions are not fused", rule_non_fused, false},
    {"shared-memory", "the shared-memory queue is full", rule_shared_memory, true},
    {"latency", "neither instructions nor memory are busy", rule_latency, true},
};
const size_t n_rules = sizeof rules / sizeof rules[0];

const struct rule *rule_find(const char *name) {
  for (size_t i = 0; i < n_rules; i++)
    if (strcmp(rules[i].name, name) == 0)
      return &rules[i];
  return NULL;
}

/* --- asking all of them --- */

static double floor_of(const struct finding *f, const struct device *d) {
  double floor_s = f->sol_minimal.seconds;
  double bytes = f->result->bytes_declared > 0 ? f->result->bytes_declared : f->result->bytes_minimal;
  const struct ceiling *best = device_best(d, "dram_bw");
  double fixed_s = f->bounds.fixed.present ? f->bounds.fixed.v : 0;
  double reached_s = best && best->value > 0 ? fixed_s + bytes / best->value : fixed_s;
  return reached_s > floor_s ? reached_s : floor_s;
}

/* 0 what says stop, 1 what tells why and saves much, 2 the rest. */
static int advice_rank(const struct advice *a, double time_s) {
  if (a->stop)
    return 0;
  return !a->rule->general && a->saves_s >= ADVICE_TELLING_SHARE * time_s ? 1 : 2;
}

static int by_savings(const void *a, const void *b, void *time_s) {
  const struct advice *x = a, *y = b;
  int rank = advice_rank(x, *(double *)time_s) - advice_rank(y, *(double *)time_s);
  if (rank)
    return rank;
  if (x->saves_s != y->saves_s)
    return x->saves_s > y->saves_s ? -1 : 1;
  return x->rule < y->rule ? -1 : x->rule > y->rule; /* rows of one table */
}

static void advice_cap(struct advice *a, const struct rule_input *in) {
  double most = in->time_s > in->floor_s ? in->time_s - in->floor_s : 0;
  a->capped = a->saves_s > most;
  if (a->capped)
    a->saves_s = most;
  if (a->saves_s < 0)
    a->saves_s = 0;
}

static struct sass *hot_sass(struct hot *h) {
  struct hot_kernel *most = h->n_kernels ? &h->kernels[0] : NULL;
  for (size_t i = 1; i < h->n_kernels; i++)
    if (h->kernels[i].samples > most->samples)
      most = &h->kernels[i];
  return most ? &most->sass : NULL;
}

int diagnosis_make(struct diagnosis *out, const struct findings *all, const struct finding *f, struct err *e) {
  *out = (struct diagnosis){.finding = f};
  out->items = calloc(n_rules, sizeof *out->items);
  if (!out->items)
    return err_nomem(e, "a diagnosis");
  int rc = hot_make(&out->hot, all->run, f->result, e);
  if (rc)
    return rc;
  if (!f->timed) {
    out->reason = f->time_reason;
    return 0;
  }
  if (f->bounds.binding == BOUND_KINDS) {
    out->reason = "no counters were collected, so no bound is known";
    return 0;
  }
  struct rule_input in = {.all = all,
                          .f = f,
                          .pool = &out->pool,
                          .sass = hot_sass(&out->hot),
                          .time_s = f->time.middle,
                          .floor_s = floor_of(f, all->device)};
  for (size_t i = 0; i < n_rules; i++) {
    struct advice a = {.rule = &rules[i]};
    if (!rules[i].judge(&in, &a))
      continue;
    advice_cap(&a, &in);
    if (a.stop || a.saves_s >= ADVICE_LEAST_SHARE * in.time_s)
      out->items[out->n++] = a;
  }
  qsort_r(out->items, out->n, sizeof *out->items, by_savings, &in.time_s);
  return out->pool.failed ? err_nomem(e, "a diagnosis") : 0;
}

void diagnosis_release(struct diagnosis *d) {
  free(d->items);
  hot_release(&d->hot);
  pool_release(&d->pool);
  *d = (struct diagnosis){0};
}

const struct advice *diagnosis_find(const struct diagnosis *d, const char *rule) {
  for (size_t i = 0; i < d->n; i++)
    if (strcmp(d->items[i].rule->name, rule) == 0)
      return &d->items[i];
  return NULL;
}
