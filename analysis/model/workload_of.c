#include "analysis/model/finding_parts.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/time_model.h"
#include "base/warp.h"

#include <math.h>

enum { ATOMIC_BYTES = 4, SECTOR_BYTES = 32, LINE_SECTORS = 4 };
static const double SECONDS_PER_NS = 1e-9;

/* A counter, by the field of struct workload that it fills. */
static const struct counted {
  const char *counter;
  size_t field;
} COUNTED[] = {
    {"inst_executed", offsetof(struct workload, inst)},
    {"pipe_alu", offsetof(struct workload, alu)},
    {"pipe_fma", offsetof(struct workload, fma)},
    {"pipe_fmaheavy", offsetof(struct workload, fma_heavy)},
    {"pipe_lsu", offsetof(struct workload, lsu)},
    {"pipe_xu", offsetof(struct workload, xu)},
    {"pipe_tensor_mma", offsetof(struct workload, tensor)},
    {"pipe_fp64", offsetof(struct workload, fp64)},
    {"pipe_adu", offsetof(struct workload, adu)},
    {"pipe_tex", offsetof(struct workload, tex)},
    {"l1_wavefronts", offsetof(struct workload, l1_wavefronts)},
    {"dram_read_bytes", offsetof(struct workload, dram_read)},
    {"dram_write_bytes", offsetof(struct workload, dram_write)},
    {"l2_read_bytes", offsetof(struct workload, l2_read)},
    {"l2_write_bytes", offsetof(struct workload, l2_write)},
    {"l2_atomic_sectors", offsetof(struct workload, atomic_sectors)},
    {"l2_atomic_cycles_max", offsetof(struct workload, atomic_cycles_max)},
    {"fixed_ns", offsetof(struct workload, empty_s)},
};

static double or_zero(struct value v) {
  return v.present ? v.v : 0;
}

/* The part of the bytes read that copies bring past the registers: with bulk copies what is not a
 * load's miss, else by the instructions. */
static double async_share(const struct finding *f, const struct flight_code *code, const struct workload *w) {
  double missed = or_zero(finding_value(f, "l1_load_sectors")) - or_zero(finding_value(f, "l1_load_sectors_hit"));
  double read = or_zero(w->l2_read), copies = code->async_copies, loads = code->global_loads;
  if (code->bulk_copies > 0)
    return read > 0 ? fmin(fmax(1 - missed * SECTOR_BYTES / read, 0), 1) : 0;
  return copies > 0 ? copies / (copies + loads) : 0;
}

/* Of what the L2 writes, the sectors that global stores touch: local memory's lie side by side in a warp, and are whole. */
static double global_share(const struct finding *f, struct value l2_write) {
  double stored = or_zero(finding_value(f, "l1_store_sectors")) * SECTOR_BYTES;
  bool local = or_zero(finding_value(f, "local_store_sectors")) > 0;
  return local && l2_write.present && l2_write.v > stored ? stored / l2_write.v : 1;
}

/* Of sectors that stores touch, what their bytes leave unfilled. */
static double partial_share(const struct finding *f, struct value l2_write) {
  struct value filled =
      value_ratio(finding_value(f, "store_data_bytes"), finding_value(f, "l1_store_sectors"), "nothing is stored");
  return filled.present ? fmin(fmax(1 - filled.v / SECTOR_BYTES, 0), 1) * global_share(f, l2_write) : 0;
}

/* Sectors of a line that a request to the L2 is for. */
static double fill_of(struct value bytes, struct value requests) {
  struct value fill = value_ratio(bytes, requests, "the L2 is not asked");
  return fill.present && fill.v > 0 ? fmin(fmax(fill.v / SECTOR_BYTES, 1), LINE_SECTORS) : 0;
}

/* The L2 counts a sector that one of its partitions passes to the other twice: in kernels on an
 * H100 and an H200 1.50 times those that the L1s sent, since half of the addresses lie on the far
 * side (2026-11-26). */
static struct value atomic_sent(const struct finding *f, struct value worked_on) {
  double sent = or_zero(finding_value(f, "reduction_sectors")) + or_zero(finding_value(f, "atomic_sectors"));
  return worked_on.present && sent > 0 && sent < worked_on.v ? value_of(sent) : worked_on;
}

/* Of those that were sent: where the two counts are of unlike launches, nothing. */
static double atomic_fill(const struct finding *f) {
  double sent = or_zero(finding_value(f, "reduction_sectors")) + or_zero(finding_value(f, "atomic_sectors"));
  double requests =
      or_zero(finding_value(f, "l2_reduction_requests")) + or_zero(finding_value(f, "l2_atomic_requests"));
  return sent >= requests && requests > 0 ? fmin(sent / requests, LINE_SECTORS) : 0;
}

/* 32-bit operations in a sector of atomic operations and reductions. */
static double atomic_lanes(const struct finding *f) {
  double lanes = (or_zero(finding_value(f, "reduction_data_bytes")) + or_zero(finding_value(f, "atomic_data_bytes"))) /
                 ATOMIC_BYTES;
  double sectors = or_zero(finding_value(f, "reduction_sectors")) + or_zero(finding_value(f, "atomic_sectors"));
  return lanes > sectors && sectors > 0 ? lanes / sectors : 1;
}

/* A request takes one lane per word of a sector: lanes that meet in a word are more requests. */
static double atomic_bursts(const struct finding *f) {
  double words = or_zero(finding_value(f, "reduction_data_bytes")) / ATOMIC_BYTES;
  double sectors = or_zero(finding_value(f, "reduction_sectors"));
  return words > 0 && sectors > words ? sectors / words : 1;
}

/* A grid of fewer blocks than SMs has idle ones, which is balance too. */
static double balance_of(const struct finding *f) {
  struct value balance = finding_value(f, "sm_balance");
  return balance.present && balance.v > 0 ? balance.v : 1;
}

/* Of one unit alone nothing follows for what is left. */
enum { PEAKS_LEAST = 2 };

static void launch_fill(struct workload *w, const struct run_launch *l) {
  static const char unknown[] = "no launch was observed", no_geometry[] = "the launch's geometry is not known";
  w->blocks = w->warps_per_block = w->smem_block = w->blocks_per_sm = value_absent(unknown);
  if (!l)
    return;
  double blocks = launch_blocks(l), threads = launch_block_threads(l); /* 0: an import does not know them */
  w->blocks = blocks > 0 ? value_of(blocks) : value_absent(no_geometry);
  w->warps_per_block = threads > 0 ? value_of(ceil(threads / WARP_LANES)) : value_absent(no_geometry);
  w->smem_block = value_of((double)(l->smem_static + l->smem_dynamic));
  if (l->blocks_per_sm > 0)
    w->blocks_per_sm = value_of(l->blocks_per_sm);
}

/* Cycles that all warps together wait, spread over those that are resident: seconds. */
static struct value own_cycles(struct value cycles, const struct workload *w) {
  if (!cycles.present || !w->warps.present || !w->clock_hz.present)
    return cycles.present ? (w->warps.present ? w->clock_hz : w->warps) : cycles;
  return value_ratio(cycles, value_of(w->warps.v * w->clock_hz.v), "no warp is resident");
}

/* A wait for an asynchronous matrix instruction is a dependency, of all warps together: spread over
 * those that are resident. */
static struct value dependencies(const struct finding *f, const struct workload *w) {
  struct value own = f->bounds.flight.waits_s, gmma = finding_value(f, "stall_gmma");
  if (own.present && gmma.present && w->warps.present && w->warps.v > 0 && w->clock_hz.present && w->clock_hz.v > 0)
    own.v += gmma.v / (w->warps.v * w->clock_hz.v);
  return own;
}

/* Of all fetches those that go through the filter, by the code's instructions: how fast others are is not known. */
static struct value filtered(struct value fetches, const struct flight_code *code) {
  if (!fetches.present || fetches.v <= 0 || code->fetches <= 0)
    return fetches;
  if (code->fetches_raw >= code->fetches)
    return value_absent("its fetches are not filtered (TLD), and their rate is not known");
  return value_of(fetches.v * (1 - code->fetches_raw / code->fetches));
}

/* Where shares of peaks are all that is known, what the busiest leaves of the time is waiting. */
static void peaks_fill(struct workload *w, const struct finding *f, struct pool *pool) {
  struct value time = finding_time(f);
  double busiest = 0;
  int n = 0;
  for (int k = 0; k < BOUND_KINDS; k++) {
    struct value share = value_counter(f->result, pool_printf(pool, "peak_%s", bound_name((enum bound_kind)k)), pool);
    bool known = time.present && share.present && share.v >= 0;
    w->at_peak_s[k] = known ? value_of(share.v * time.v) : value_absent("no share of its peak is known");
    busiest = known ? fmax(busiest, share.v) : busiest;
    n += known;
  }
  if (n >= PEAKS_LEAST && busiest < 1)
    w->at_peak_s[BOUND_LATENCY] = value_of((1 - busiest) * time.v);
}

/* Part of the time that loads' path is busy, by the cycles of a resident warp. */
static double path_busy(const struct workload *w, const struct flight *fl, const struct rates *r) {
  double chain = fl->counted_s.v + or_zero(w->own_issue_s) + or_zero(w->dependencies_s) + or_zero(w->barriers_s);
  return model_load_path_s(w, r) / (fl->resident_s.present ? fl->resident_s.v : chain);
}

/* What warps were counted waiting for loads beyond an idle chip's latencies, over these: scattered
 * lanes, far slices, TLB misses. */
static struct value slow_loads(const struct workload *w, const struct flight *fl, const struct rates *r) {
  if (!fl->counted_s.present || !w->loads_s.present || !(w->loads_s.v > 0))
    return fl->counted_s.present ? value_absent("no load is waited for") : fl->counted_s;
  return value_of(flight_without_queue(fl->counted_s.v - w->loads_s.v, path_busy(w, fl, r)) / w->loads_s.v);
}

/* A warp that has ended waits for its reductions, which queue at the L2 while that works on atomics: the queue is atomics' time, and no warp's own. */
static void ends_without_queue(struct workload *w, const struct flight *fl, const struct rates *r) {
  struct value atomics = resource_atomics_least_s(w, r);
  double whole = or_zero(fl->resident_s), ends = or_zero(fl->ends_s);
  if (!w->dependencies_s.present || !atomics.present || whole <= 0)
    return;
  w->dependencies_s.v = fmax(w->dependencies_s.v - ends + flight_without_queue(ends, atomics.v / whole), 0);
}

/* Without the code how many batches of loads a warp waits for is not known: what it was counted waiting stands in, without what it queued, and no more
 * than if it waited for each load by itself. */
void workload_loads(struct workload *w, const struct flight *fl, const struct rates *r) {
  w->loads_s = fl->loads_s;
  w->loads_s.v *= fl->plain ? 1 : 1 - w->async_share;
  if (w->loads_s.present && fl->counted_s.present)
    w->loads_s.v = fmin(w->loads_s.v, fl->counted_s.v);
  if (!w->loads_s.present && fl->alone_s.present && fl->counted_s.present)
    w->loads_s = value_of(fmin(flight_without_queue(fl->counted_s.v, path_busy(w, fl, r)), fl->alone_s.v));
  w->slow_loads = slow_loads(w, fl, r);
  ends_without_queue(w, fl, r);
}

void workload_of(struct workload *out, const struct finding *f, const struct flight_code *code, struct value clock_hz,
                 struct pool *pool) {
  *out = (struct workload){.clock_hz = clock_hz};
  for (size_t i = 0; i < sizeof COUNTED / sizeof COUNTED[0]; i++)
    *(struct value *)((char *)out + COUNTED[i].field) = value_counter(f->result, COUNTED[i].counter, pool);
  if (out->empty_s.present)
    out->empty_s.v *= SECONDS_PER_NS;
  /* Only exact counts of instructions include the bank conflicts of LDGSTS's writes. */
  double counted = or_zero(finding_value(f, "shared_wavefronts"));
  if (out->l1_wavefronts.present && code->shared_wavefronts > counted)
    out->l1_wavefronts.v += code->shared_wavefronts - counted;
  out->tex = filtered(out->tex, code);
  launch_fill(out, f->launch);
  const struct flight *fl = &f->bounds.flight;
  out->launches = f->result->n_launches ? (double)f->result->n_launches : 1;
  out->l2_kept = f->l2_kept;
  out->warps = fl->warps;
  out->own_issue_s = fl->issues_s;
  out->barriers_s = own_cycles(finding_value(f, "stall_barrier"), out);
  out->dependencies_s = dependencies(f, out);
  struct value hit = finding_value(f, "l1_hit_rate");
  out->sectors_spread = fmax(code->sectors_spread * (1 - or_zero(hit)), 1);
  out->async_share = async_share(f, code, out);
  double heavy = or_zero(out->fma_heavy);
  out->wide_share = heavy > 0 ? fmin(code->wide_products / heavy, 1) : 0;
  out->atomic_sent = atomic_sent(f, out->atomic_sectors);
  out->atomic_fill = atomic_fill(f);
  out->atomic_lanes = atomic_lanes(f);
  out->atomic_bursts = atomic_bursts(f);
  out->partial_share = partial_share(f, out->l2_write);
  out->read_fill = fill_of(out->l2_read, finding_value(f, "l2_read_requests"));
  out->write_fill = fill_of(out->l2_write, finding_value(f, "l2_write_requests"));
  out->balance = balance_of(f);
  peaks_fill(out, f, pool);
}
