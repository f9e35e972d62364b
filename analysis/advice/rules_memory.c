/* Rules on bytes and on waits for them. */
#include "analysis/advice/rule_tools.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/bounds.h"

#include <math.h>

/* A stall reason is worth a word above this part of the warps' cycles (users of Nsight Compute know 30 % of the issue interval). */
static const double STALL_ABOVE = 0.3;
static const double KIBI = 1024;

/* Part of the time in which no scheduler issues though warps are there: what a stall can cost at most. */
static double idle_share(const struct rule_input *in) {
  return 1 - rule_value(in, "issue_slot_utilisation", 0);
}

bool rule_dram_saturated(const struct rule_input *in, struct advice *out) {
  if (!dram_is_full(in))
    return false;
  out->stop = true;
  evidence_metric(out, in, "dram_bw");
  const struct ceiling *c = in->f->bounds.ceiling[BOUND_DRAM];
  if (c)
    evidence_add(out, "DRAM bandwidth that the bound assumes", "B/s", value_of(c->value));
  evidence_add(out, "time that the bytes need", "s", in->f->bounds.seconds[BOUND_DRAM]);
  evidence_add(out, "an empty kernel of this launch", "s", in->f->bounds.fixed);
  evidence_add(out, "DRAM bytes over the least", "ratio", in->f->dram_over_minimal);
  out->sentence = pool_printf(
      in->pool, "DRAM is full: its bytes and the launch account for %.0f %% of the time; waits for loads are its queue",
      100 * (in->f->bounds.seconds[BOUND_DRAM].v + (in->f->bounds.fixed.present ? in->f->bounds.fixed.v : 0)) /
          in->time_s);
  out->remedy = "stop: more bytes in flight cannot help, only fewer bytes can";
  return true;
}

/* Bulk copies wait for nobody: a ring of slots that is large enough leaves only the times when it is empty, or cannot be filled. */
static bool ring_is_enough(const struct rule_input *in) {
  struct value ring = ring_bytes(in), needed = in->f->bounds.flight.needed_bytes;
  return ring.present && needed.present && ring.v > needed.v;
}

/* What the SASS lets be in flight would keep DRAM busy: then it is not the number of loads that is short, but that they come in bursts. */
static bool enough_in_flight(const struct flight *fl) {
  return fl->bytes.present && fl->needed_bytes.present && fl->bytes.v > fl->needed_bytes.v;
}

/* Which of the ways to more bytes in flight is open. */
static const char *flight_remedy(const struct rule_input *in) {
  const struct flight *fl = &in->f->bounds.flight;
  double occupancy = rule_value(in, "theoretical_occupancy", 1);
  if (ring_is_enough(in))
    return "ask for the first slot before anything else, free slots as soon as they have been read, and give the last rows to the blocks "
           "that are done first";
  if (enough_in_flight(fl))
    return "load the next tile before this one is computed (two buffers, in registers or by cp.async), so that loads are under way while "
           "the warp computes; or more, smaller tiles in turn";
  if (fl->warp_bytes.present && fl->warp_requests.present && fl->warp_bytes.v < fl->warp_requests.v * 32 * 8)
    return "wider loads (16 bytes a lane), then more of them before the first use";
  return occupancy < 0.5 ? "more loads before the first use: unroll or load the next tile ahead; or fewer registers a "
                           "thread, for more warps"
                         : "more loads before the first use: unroll, or load the next tile ahead";
}

/* Atomic operations wait at the same scoreboard: where they are the more, they are what the warps wait for. */
static bool waits_are_for_loads(const struct rule_input *in) {
  double loads = rule_value(in, "l1_load_sectors", 1), atomics = rule_value(in, "l2_atomic_sectors", 0);
  return loads > atomics;
}

bool rule_long_scoreboard(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "stall_long_scoreboard_share", 0);
  if (share < STALL_ABOVE || dram_is_full(in) || !waits_are_for_loads(in))
    return false;
  const struct flight *fl = &in->f->bounds.flight;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_LATENCY] = 0;
  double by_stall = in->time_s * share * idle_share(in);
  double fixed = in->f->bounds.fixed.present ? in->f->bounds.fixed.v : 0, others = 0;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && in->f->bounds.seconds[k].present)
      others = fmax(others, in->f->bounds.seconds[k].v);
  out->saves_s = fmin(by_stall, in->time_s - fixed - others);
  evidence_metric(out, in, "stall_long_scoreboard_share");
  evidence_metric(out, in, "dram_bw");
  evidence_add(out, "bytes in flight at most, by the SASS", "B", fl->bytes);
  evidence_add(out, "shared memory that bulk copies fill", "B", ring_bytes(in));
  evidence_add(out, "bytes in flight that keep DRAM busy", "B", fl->needed_bytes);
  evidence_metric(out, in, "issue_slot_utilisation");
  const char *waits =
      pool_printf(in->pool, "%.0f %% of the warps' cycles wait for loads while DRAM has room", 100 * share);
  if (ring_is_enough(in))
    out->sentence = pool_printf(
        in->pool,
        "%s: bulk copies have %.0f KiB of shared memory to fill and %.0f KiB keep it busy, so it is not slots that are short, but "
        "there are times without copies: before the first bytes, after the last, or between a slot's release and the next copy",
        waits, ring_bytes(in).v / KIBI, fl->needed_bytes.v / KIBI);
  else if (enough_in_flight(fl))
    out->sentence = pool_printf(
        in->pool,
        "%s: %.0f KiB could be in flight and %.0f KiB keep it busy, so loads come in bursts: a warp issues its tile's, waits "
        "for them, and computes with none under way",
        waits, fl->bytes.v / KIBI, fl->needed_bytes.v / KIBI);
  else if (fl->bytes.present && fl->needed_bytes.present)
    out->sentence =
        pool_printf(in->pool, "%s: too few bytes are in flight, %.0f KiB at most where %.0f KiB keep it busy", waits,
                    fl->bytes.v / KIBI, fl->needed_bytes.v / KIBI);
  else
    out->sentence = waits;
  out->remedy = flight_remedy(in);
  return true;
}

/* Sectors that global accesses asked for, over the least for their bytes; absent where it was not counted. */
static struct value sectors_over_ideal(const struct rule_input *in, double *asked) {
  const struct run_result *r = in->f->result;
  double got = 0, ideal = 0;
  for (size_t i = 0; i < r->n_counts; i++)
    if (r->counts[i].global_sectors >= 0 && r->counts[i].global_sectors_ideal >= 0) {
      got += r->counts[i].global_sectors;
      ideal += r->counts[i].global_sectors_ideal;
    }
  *asked = got;
  return ideal > 0 ? value_of(got / ideal) : value_absent("sectors of each instruction were not counted");
}

bool rule_uncoalesced(const struct rule_input *in, struct advice *out) {
  double asked;
  struct value over = sectors_over_ideal(in, &asked);
  if (!over.present || over.v < 1.3)
    return false;
  /* Of what is waited for, no more than these sectors bring: bulk copies bring the rest. */
  double bytes = rule_value(in, "dram_read_bytes", 0);
  double part = bytes > 0 ? fmin(asked * SECTOR_BYTES / bytes, 1) : 1;
  double excess = (1 - 1 / over.v) * part, scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_L1] = scale[BOUND_L2] = 1 - excess;
  double by_model = in->time_s - rule_remodel(in, scale);
  double waits = rule_value(in, "stall_long_scoreboard_share", 0) + rule_value(in, "stall_lg_throttle_share", 0);
  double by_stall = in->time_s * waits * idle_share(in) * excess;
  out->saves_s = fmax(by_model, by_stall);
  evidence_add(out, "sectors over the least for these bytes", "ratio", over);
  evidence_metric(out, in, "sectors_per_request");
  evidence_metric(out, in, "l1_load_sectors");
  evidence_metric(out, in, "stall_lg_throttle_share");
  out->sentence = pool_printf(in->pool, "global accesses touch %.1f times the sectors that their bytes need", over.v);
  out->remedy = "let neighbouring lanes read neighbouring bytes: lanes along K, or a tile staged through shared memory";
  return true;
}

bool rule_redundant_loads(const struct rule_input *in, struct advice *out) {
  double least = in->f->result->bytes_minimal, l1 = rule_value(in, "l1_load_bytes", 0),
         l2 = rule_value(in, "l2_read_bytes", 0);
  if (least <= 0 || (l1 < 1.5 * least && l2 < 1.3 * least))
    return false;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_L1] = scale[BOUND_LSU] = l1 > least ? least / l1 : 1;
  scale[BOUND_L2] = l2 > least ? least / l2 : 1;
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_add(out, "L1 load bytes over the least", "ratio", value_of(l1 / least));
  evidence_add(out, "L2 read bytes over the least", "ratio", value_of(l2 / least));
  evidence_metric(out, in, "lsu_share");
  out->sentence = pool_printf(
      in->pool,
      "the L1 delivers %.1f times, the L2 %.1f times the bytes of the problem: B and its scales come again for every row",
      l1 / least, l2 / least);
  out->remedy = "share B between rows: several rows a thread or a warp, or B once in shared memory";
  return true;
}

bool rule_excess_dram_bytes(const struct rule_input *in, struct advice *out) {
  struct value over = in->f->dram_over_minimal;
  if (!over.present || over.v < 1.05)
    return false;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_DRAM] = 1 / over.v;
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_add(out, "DRAM bytes over the least", "ratio", over);
  evidence_metric(out, in, "dram_write_share");
  evidence_metric(out, in, "l2_hit_rate");
  out->sentence = pool_printf(in->pool, "DRAM moves %.2f times the bytes that must move", over.v);
  out->remedy = "read every byte once: order the blocks so that what they share is still in the L2, and drop padding";
  return true;
}

bool rule_write_back(const struct rule_input *in, struct advice *out) {
  double written = rule_value(in, "dram_write_bytes", 0), all = rule_value(in, "dram_bytes", 0);
  if (all <= 0 || written < 0.1 * all || rule_value(in, "l2_write_bytes", 0) > 0.5 * written)
    return false;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_DRAM] = 1 - written / all;
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_metric(out, in, "dram_write_share");
  evidence_metric(out, in, "dram_write_bytes");
  evidence_metric(out, in, "l2_write_bytes");
  out->sentence = pool_printf(
      in->pool,
      "%.0f %% of the DRAM bytes are writes that the kernel did not make: lines left dirty by what ran before",
      100 * written / all);
  out->remedy =
      "measure with --l2 cold, which evicts by reading; in the program, expect this cost after a kernel that writes much";
  return true;
}

bool rule_spills(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "local_share", 0);
  if (share < 0.02)
    return false;
  double waits = rule_value(in, "stall_long_scoreboard_share", 0) + rule_value(in, "stall_lg_throttle_share", 0);
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_L1] = scale[BOUND_LSU] = scale[BOUND_L2] = 1 - share;
  out->saves_s = fmax(in->time_s - rule_remodel(in, scale), in->time_s * waits * share);
  evidence_metric(out, in, "local_share");
  evidence_metric(out, in, "local_load_sectors");
  evidence_metric(out, in, "local_store_sectors");
  out->sentence = pool_printf(
      in->pool,
      "%.0f %% of the sectors that loads and stores touch are local memory: registers spill, or an array is indexed at run time",
      100 * share);
  out->remedy =
      "allow more registers (a larger launch bound or -maxrregcount), hold fewer values at a time, index arrays by constants only";
  return true;
}

/* Two limits: the data stage cannot give back more cycles than the conflicts took, and stalls on it no more than their share. */
bool rule_bank_conflicts(const struct rule_input *in, struct advice *out) {
  double conflicts = rule_value(in, "shared_bank_conflicts", 0), part = rule_value(in, "shared_conflict_share", 0);
  struct value l1 = in->f->bounds.seconds[BOUND_L1];
  double wavefronts = rule_value(in, "l1_wavefronts", 0);
  if (part < 0.1 || wavefronts <= 0 || !l1.present)
    return false;
  double cycles_s = l1.v * conflicts / wavefronts;
  double waits = rule_value(in, "stall_short_scoreboard_share", 0) + rule_value(in, "stall_mio_throttle_share", 0);
  double by_stall = in->time_s * waits * idle_share(in) * part;
  out->saves_s = fmin(cycles_s, fmax(by_stall, in->f->bounds.binding == BOUND_L1 ? cycles_s : 0));
  evidence_metric(out, in, "shared_conflict_share");
  evidence_metric(out, in, "shared_bank_conflicts");
  evidence_add(out, "time of the conflicts' cycles", "s", value_of(cycles_s));
  evidence_metric(out, in, "stall_short_scoreboard_share");
  evidence_metric(out, in, "stall_mio_throttle_share");
  out->sentence = pool_printf(
      in->pool, "%.0f %% of the shared-memory cycles repeat an access because lanes met in a bank", 100 * part);
  out->remedy = "pad or swizzle the shared array so that the lanes of a warp lie in different banks";
  return true;
}

bool rule_shared_memory(const struct rule_input *in, struct advice *out) {
  double waits = rule_value(in, "stall_mio_throttle_share", 0) + rule_value(in, "stall_short_scoreboard_share", 0);
  if (waits < STALL_ABOVE || dram_is_full(in))
    return false;
  out->saves_s = in->time_s * waits * idle_share(in);
  evidence_metric(out, in, "stall_mio_throttle_share");
  evidence_metric(out, in, "stall_short_scoreboard_share");
  evidence_metric(out, in, "shared_wavefronts");
  out->sentence = pool_printf(
      in->pool, "%.0f %% of the warps' cycles wait for shared memory, shuffles or special functions", 100 * waits);
  out->remedy = "fewer and wider shared accesses; values kept in registers; shuffles only at the end";
  return true;
}

/* At one address an L2 slice does one sector's operations a cycle, and the next waits. */
bool rule_atomics(const struct rule_input *in, struct advice *out) {
  double sectors = rule_value(in, "l2_atomic_sectors", 0),
         clock = in->f->bounds.clock_hz.present ? in->f->bounds.clock_hz.v : 0;
  if (sectors <= 0 || clock <= 0)
    return false;
  double alone_s = sectors / clock;
  double waits = rule_value(in, "stall_lg_throttle_share", 0) + rule_value(in, "stall_drain_share", 0) +
                 rule_value(in, "stall_long_scoreboard_share", 0) + rule_value(in, "stall_membar_share", 0);
  if (alone_s < 0.3 * in->time_s || waits < STALL_ABOVE)
    return false;
  out->saves_s = fmin(in->time_s * waits, alone_s);
  evidence_metric(out, in, "l2_atomic_sectors");
  evidence_add(out, "time of these at one address, one a cycle", "s", value_of(alone_s));
  evidence_metric(out, in, "stall_lg_throttle_share");
  evidence_metric(out, in, "stall_long_scoreboard_share");
  out->sentence = pool_printf(
      in->pool,
      "%.3g atomic operations reach the L2; at one address they would take %.0f %% of the time one after the other",
      sectors, 100 * alone_s / in->time_s);
  out->remedy =
      "add up within the block first (shuffles, shared memory), then one atomic a block; or spread the addresses";
  return true;
}
