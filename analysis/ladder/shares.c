#include "analysis/ladder/shares.h"

#include "analysis/model/time_model.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

const struct step_group_row step_group_rows[STEP_GROUPS] = {
    [GROUP_DRAM] = {"dram", "DRAM bytes"},
    [GROUP_CACHE] = {"cache", "L1 and L2 traffic"},
    [GROUP_INSTRUCTIONS] = {"instructions", "instructions"},
    [GROUP_LOADS] = {"loads", "load latency"},
    [GROUP_DEPENDENCIES] = {"dependencies", "short waits and barriers"},
    [GROUP_GEOMETRY] = {"geometry", "warps and blocks"},
    [GROUP_LAUNCH] = {"launch", "launching"},
    [GROUP_BALANCE] = {"balance", "balance of busy SMs"},
    [GROUP_CLOCK] = {"clock", "SM clock"},
};

/* Fields by group; those of a warp's chain as cycles of all
 * warps together, so that warps and clock have their own. */
const struct work_row work_rows[] = {
    {WORK_FIELD(dram_read), GROUP_DRAM, PART_DRAM},
    {WORK_FIELD(dram_write), GROUP_DRAM, PART_DRAM},
    {WORK_FIELD(l2_read), GROUP_CACHE, PART_L2},
    {WORK_FIELD(l2_write), GROUP_CACHE, PART_L2},
    {WORK_FIELD(l1_wavefronts), GROUP_CACHE, PART_L1},
    {WORK_FIELD(read_fill), GROUP_CACHE, PART_L2},
    {WORK_FIELD(write_fill), GROUP_CACHE, PART_L2},
    {WORK_FIELD(partial_share), GROUP_CACHE, PART_L2},
    {WORK_FIELD(atomic_sectors), GROUP_CACHE, PART_ATOMICS},
    {WORK_FIELD(atomic_cycles_max), GROUP_CACHE, PART_ATOMICS},
    {WORK_FIELD(atomic_lanes), GROUP_CACHE, PART_ATOMICS},
    {WORK_FIELD(atomic_bursts), GROUP_CACHE, PART_ATOMICS},
    {WORK_FIELD(inst), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(alu), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(fma), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(fma_heavy), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(wide_share), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(lsu), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(xu), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(tensor), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(fp64), GROUP_INSTRUCTIONS, PART_FP64},
    {WORK_FIELD(adu), GROUP_DEPENDENCIES, PART_BARRIERS}, /* barriers, and waits for constants */
    {WORK_FIELD(tex), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(own_issue_s), GROUP_INSTRUCTIONS, PART_INSTRUCTIONS},
    {WORK_FIELD(loads_s), GROUP_LOADS, PART_LOADS},
    {WORK_FIELD(slow_loads), GROUP_LOADS, PART_LOADS},
    {WORK_FIELD(async_share), GROUP_LOADS, PART_LOADS},
    {WORK_FIELD(smem_block), GROUP_LOADS, PART_GRID}, /* what copies have room in: without them it is no work */
    {WORK_FIELD(sectors_spread), GROUP_LOADS, PART_LOADS},
    {WORK_FIELD(dependencies_s), GROUP_DEPENDENCIES, PART_DEPENDENCIES},
    {WORK_FIELD(barriers_s), GROUP_DEPENDENCIES, PART_BARRIERS},
    {WORK_FIELD(blocks), GROUP_GEOMETRY, PART_GRID},
    {WORK_FIELD(warps_per_block), GROUP_GEOMETRY, PART_GRID},
    {WORK_FIELD(blocks_per_sm), GROUP_GEOMETRY, PART_GRID},
    {WORK_FIELD(warps), GROUP_GEOMETRY, PART_GRID},
    {WORK_FIELD(launches), GROUP_LAUNCH, PART_START},
    {WORK_FIELD(empty_s), GROUP_LAUNCH, PART_START},
    {WORK_FIELD(balance), GROUP_BALANCE, PART_BALANCE},
    {WORK_FIELD(clock_hz), GROUP_CLOCK, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_DRAM]), GROUP_DRAM, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_L2]), GROUP_CACHE, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_L1]), GROUP_CACHE, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_ISSUE]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_ALU]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_FMA]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_LSU]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_XU]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_TENSOR]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_FP64]), GROUP_INSTRUCTIONS, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_ADU]), GROUP_DEPENDENCIES, WORK_PARTS},
    {WORK_FIELD(at_peak_s[BOUND_TEX]), GROUP_INSTRUCTIONS, WORK_PARTS},
};
enum { N_FIELDS = sizeof work_rows / sizeof work_rows[0] };
const size_t n_work_rows = N_FIELDS;
static_assert(N_FIELDS <= 64, "a set of fields is the bits of a uint64_t");

/* The part of the SMs that has a block: balance is of all SMs, so that a
 * grid that reaches more of them would look like better balance too. */
static double reached(const struct workload *w, const struct rates *r) {
  return w->blocks.present && w->blocks.v > 0 && r->sms > 0 ? fmin(w->blocks.v / r->sms, 1) : 1;
}

double shares_balance(const struct workload *w, const struct rates *r) {
  return fmin(w->balance / reached(w, r), 1);
}

/* A field that one of the two does not know takes no part,
 * or its coming and going would look like a cause. */
static void comparable(struct workload *a, struct workload *b, const struct rates *r) {
  for (size_t i = 0; i < N_FIELDS; i++) {
    if (!work_rows[i].field.is_value)
      continue;
    struct value *x = work_value(a, work_rows[i].field), *y = work_value(b, work_rows[i].field);
    if (!x->present || !y->present)
      *x = *y = x->present ? *y : *x;
  }
  work_chain_scale(a, work_warp_cycles(a));
  work_chain_scale(b, work_warp_cycles(b));
  a->balance = shares_balance(a, r);
  b->balance = shares_balance(b, r);
}

/* The fields whose bits are set come from b. */
static struct value mixed_time(struct workload *a, struct workload *b, uint64_t fields, const struct rates *r) {
  struct workload w = *a;
  for (size_t i = 0; i < N_FIELDS; i++)
    if (fields >> i & 1)
      *work_number(&w, work_rows[i].field) = *work_number(b, work_rows[i].field);
  work_chain_scale(&w, 1 / work_warp_cycles(&w));
  w.balance *= reached(&w, r);
  return model_time(&w, r);
}

static uint64_t fields_of(unsigned groups) {
  uint64_t fields = 0;
  for (size_t i = 0; i < N_FIELDS; i++)
    fields |= (uint64_t)(groups >> work_rows[i].group & 1) << i;
  return fields;
}

double shares_alone_s(const struct workload *before, const struct workload *after, const struct rates *r,
                      const size_t *offsets, size_t n) {
  struct workload a = *before, b = *after;
  uint64_t fields = 0;
  for (size_t i = 0; i < N_FIELDS; i++)
    for (size_t k = 0; k < n; k++)
      fields |= (uint64_t)(work_rows[i].field.offset == offsets[k]) << i;
  comparable(&a, &b, r);
  struct value ends[] = {mixed_time(&a, &b, 0, r), mixed_time(&b, &a, 0, r)};
  struct value mixed[] = {mixed_time(&a, &b, fields, r), mixed_time(&b, &a, fields, r)};
  bool known = ends[0].present && ends[1].present && mixed[0].present && mixed[1].present;
  return known ? (mixed[0].v - ends[0].v + ends[1].v - mixed[1].v) / 2 : 0;
}

void shapley(double *out, const double *by_set, size_t n) {
  double factorial[STEP_GROUPS + 1] = {1};
  for (size_t i = 1; i <= n; i++)
    factorial[i] = factorial[i - 1] * (double)i;
  memset(out, 0, n * sizeof *out);
  for (unsigned set = 0; set < 1U << n; set++) {
    size_t size = (size_t)__builtin_popcount(set);
    for (size_t i = 0; i < n; i++)
      if (!(set >> i & 1))
        out[i] += factorial[size] * factorial[n - size - 1] / factorial[n] * (by_set[set | 1U << i] - by_set[set]);
  }
}

/* The groups in which a and b differ; returns their number. */
static size_t differing(enum step_group out[STEP_GROUPS], struct workload *a, struct workload *b) {
  size_t n = 0;
  unsigned moved = 0;
  for (size_t i = 0; i < N_FIELDS; i++)
    if (*work_number(a, work_rows[i].field) != *work_number(b, work_rows[i].field))
      moved |= 1U << work_rows[i].group;
  for (int g = 0; g < STEP_GROUPS; g++)
    if (moved >> g & 1)
      out[n++] = (enum step_group)g;
  return n;
}

void shares_of(struct step_shares *out, const struct workload *before, const struct workload *after,
               const struct rates *r, double change_s) {
  struct workload a = *before, b = *after;
  enum step_group players[STEP_GROUPS];
  double by_set[1 << STEP_GROUPS], share[STEP_GROUPS];
  *out = (struct step_shares){.rest_s = change_s};
  comparable(&a, &b, r);
  size_t n = differing(players, &a, &b);
  for (unsigned set = 0; set < 1U << n; set++) {
    unsigned groups = 0;
    for (size_t i = 0; i < n; i++)
      groups |= (set >> i & 1) << players[i];
    struct value time = mixed_time(&a, &b, fields_of(groups), r);
    if (!time.present) {
      out->reason = time.reason;
      return;
    }
    by_set[set] = time.v;
  }
  shapley(share, by_set, n);
  for (size_t i = 0; i < n; i++) {
    out->seconds[players[i]] = share[i];
    out->rest_s -= share[i];
  }
  out->known = true;
}
