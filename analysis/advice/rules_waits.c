/* Rules on what a warp waits for by itself: loads, other warps, its own results, its instructions. */
#include "analysis/advice/better_code.h"
#include "analysis/advice/local_words.h"
#include "analysis/advice/remedies.h"
#include "analysis/advice/rule_tools.h"
#include "analysis/advice/saving.h"
#include "analysis/advice/without_tree.h"
#include "analysis/signs/about.h"
#include "analysis/signs/block_tree.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/local.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <string.h>

enum {
  THREAD_FLIGHT_MOST = 128, /* bytes: eight loads of 16, in 32 registers */
  WIDE_LOAD = 16,           /* bytes per lane */
  THREAD_REGISTERS = 255,   /* that an instruction can name */
  CHAINS = 4,               /* that a remedy walks side by side */
  L0_CACHE_BYTES = 12288,   /* instructions of a partition: Jia et al., Dissecting Volta, 2018 */
  INSTRUCTION_BYTES = 16
};
static const double MEBI = 1048576;

/* --- loads --- */

/* Bytes on their way from DRAM when every resident warp has its loads outstanding: what caches serve is none of it, and an SM without work has none. */
static struct value dram_flight(const struct rule_input *in) {
  const struct flight *fl = &in->f->bounds.flight;
  double asked = rule_value(in, "l1_load_bytes", 0), read = rule_value(in, "dram_read_bytes", 0);
  return value_product(fl->bytes, value_of(part_kept(asked - read, asked) * fmin(rule_value(in, "sm_balance", 1), 1)));
}

struct flight_plan {
  double in_flight, needed; /* bytes of the chip; 0: unknown */
  double thread_bytes;
  double kept; /* of the time that a warp's batches of loads take in turn */
};

/* Bytes of loads that the registers of a thread hold at most: those that its block leaves free at its occupancy too. */
static double thread_most(const struct rule_input *in, double now) {
  const struct run_launch *l = in->f->launch;
  double warps = or_zero(in->f->bounds.work.warps) / in->all->device->sms, regs = in->all->device->regs_per_sm;
  if (!l || l->registers <= 0 || regs <= 0)
    return THREAD_FLIGHT_MOST;
  double free_regs = fmin(regs / (warps * RULE_LANES), THREAD_REGISTERS) - l->registers;
  return fmin(now + REGISTER_BYTES * fmax(free_regs, 0), THREAD_FLIGHT_MOST);
}

/* Batches that can be one: those of a loop each time it is entered, else all of a warp.  0: unknown. */
static double joinable(const struct rule_input *in) {
  struct sass_summary summary;
  if (in->sass)
    sass_summarise(in->sass, &summary);
  size_t loop = in->sass ? summary.stream : SASS_NONE;
  struct value trips = loop == SASS_NONE ? value_absent("no loop") : in->sass->loops[loop].trips;
  return trips.present && trips.v > 0 ? fmin(trips.v, warp_batches(in)) : warp_batches(in);
}

/* More loads of each thread, as far as registers hold them and there are batches to join; a second tile under way at least halves the batches that a
 * warp waits out. */
static void flight_plan_of(struct flight_plan *out, const struct rule_input *in) {
  const struct flight *fl = &in->f->bounds.flight;
  double batches = joinable(in);
  *out = (struct flight_plan){.in_flight = or_zero(dram_flight(in)),
                              .needed = or_zero(fl->needed_bytes),
                              .thread_bytes = or_zero(fl->warp_bytes) / RULE_LANES,
                              .kept = 0.5};
  if (out->thread_bytes > 0)
    out->kept = fmin(out->kept, out->thread_bytes / thread_most(in, out->thread_bytes));
  if (batches > 0)
    out->kept = fmax(out->kept, fmin(1 / batches, 1));
}

/* Most of what warps wait for comes from the L2: how much must be in flight for a busy DRAM is not the question. */
static bool l2_serves(const struct rule_input *in) {
  return rule_value(in, "dram_read_bytes", INFINITY) < rule_value(in, "l2_read_bytes", 0) / 2;
}

/* The loop that data come from fills shared memory; without the code that is not known, and assumed. */
static bool loads_tiles(const struct rule_input *in) {
  struct sass_summary summary;
  if (!in->sass)
    return true;
  sass_summarise(in->sass, &summary);
  for (size_t i = 0; i < in->sass->n; i++) {
    enum sass_class class = in->sass->insts[i].class;
    if ((class == SASS_STORE_SHARED || class == SASS_ASYNC_COPY) && summary.stream != SASS_NONE &&
        sass_in_loop(in->sass, i, summary.stream))
      return true;
  }
  return false;
}

static const char *bytes_words(const struct rule_input *in, double bytes) {
  static const double TENTH = 0.095, KIBI = 1024; /* MiB, from which on two digits say enough */
  return bytes < TENTH * MEBI ? pool_printf(in->pool, "%.3g KiB", bytes / KIBI)
                              : pool_printf(in->pool, "%.2f MiB", bytes / MEBI);
}

static const char *percent_of(const struct rule_input *in, double part) {
  static const double rounded = 0.005;
  return part < rounded ? "under 1" : pool_printf(in->pool, "%.0f", 100 * part);
}

static const char *flight_sentence(const struct rule_input *in, const struct flight_plan *x, double share) {
  struct value ring = ring_bytes(in);
  if (ring.present && x->needed > 0)
    return pool_printf(
        in->pool,
        ring.v < x->needed
            ? "%.0f %% long_scoreboard; bulk copies can fill %.1f MiB, Little's law needs %.1f MiB"
            : "%.0f %% long_scoreboard, though bulk copies can fill %.1f MiB and Little's law needs %.1f MiB: they start late",
        100 * share, ring.v / MEBI, x->needed / MEBI);
  if (l2_serves(in) && x->thread_bytes > 0)
    return pool_printf(in->pool,
                       "%.0f %% long_scoreboard: warps wait for the L2 with at most %.0f B in flight per thread",
                       100 * share, x->thread_bytes);
  if (x->in_flight > 0 && x->needed > 0 && x->in_flight < x->needed)
    return pool_printf(
        in->pool,
        "%.0f B in flight per thread (%s from DRAM on the chip) = %s %% of the %.2f MiB that Little's law needs",
        x->thread_bytes, bytes_words(in, x->in_flight), percent_of(in, x->in_flight / x->needed), x->needed / MEBI);
  if (x->in_flight > 0 && x->needed > 0)
    return pool_printf(
        in->pool,
        "%.0f %% long_scoreboard; %.1f MiB can be in flight, Little's law needs %.1f MiB: loads come in bursts",
        100 * share, x->in_flight / MEBI, x->needed / MEBI);
  return pool_printf(in->pool, "%.0f %% of warp cycles wait for loads (long_scoreboard)", 100 * share);
}

/* Where a thread has as many loads in flight as Little's law needs, or where that is not known.  What fewer bytes save the model does not know. */
static void remedy_of_enough(struct advice *out, const struct rule_input *in, const struct flight_plan *x) {
  if (loads_tiles(in)) {
    out->remedy = "load the next tile before computing this one: two buffers, in registers or by cp.async";
  } else if (l2_serves(in) || x->in_flight <= 0) {
    out->remedy = "issue more independent loads before the first use: unroll, or several elements per thread";
  } else if (bound_needs(in, BOUND_DRAM) < DRAM_BUSY) {
    out->remedy =
        "spread the loads: begin the next elements' before these are used, so that they do not come in bursts";
  } else {
    out->remedy = "move fewer bytes (a narrower type, fusion): enough loads can be in flight, and DRAM is nearly busy";
    out->unpriced = true;
  }
}

/* The load that warps wait for stands in no loop, as most that are executed: a thread loads its elements once, and has no turn to begin ahead. */
static bool loads_once(const struct rule_input *in, const struct run_instruction *at) {
  const struct sass *s = in->sass;
  double inside = 0, outside = 0;
  for (size_t i = 0; s && i < s->n; i++) {
    if (!about_loads(&s->insts[i]) || s->insts[i].never)
      continue;
    bool loops = s->blocks[s->block_of[i]].loop != SASS_NONE;
    if (loops && at == &s->kernel->sass[i])
      return false;
    *(loops ? &inside : &outside) += s->counted ? fmax(s->executed[i], 0) : 1;
  }
  return outside > inside;
}

/* Fewer blocks, each with more work, are what [small-blocks] asks for, too. */
static bool blocks_start_slowly(const struct rule_input *in) {
  struct workload changed = in->work;
  work_fewer_blocks(in, &changed, INFINITY);
  return saving_of(in, &changed) >= ADVICE_LEAST_SHARE * in->time_s;
}

/* Where all blocks are resident at once, threads with more elements would be fewer, and as many loads under way. */
static void once_remedy(struct advice *out, const struct rule_input *in, const struct flight_plan *x) {
  double wave = or_zero(in->work.blocks_per_sm) * in->all->device->sms;
  if (grid_blocks(in) > 0 && grid_blocks(in) <= wave) {
    out->remedy = "issue all loads of a thread before the first use: move them ahead of branches and arithmetic";
    return;
  }
  bool known;
  enum wider how = wider_loads(in, &known);
  bool narrow = x->thread_bytes < or_zero(in->f->bounds.flight.warp_requests) * WIDE_LOAD;
  bool beside = narrow && known && how != WIDER_ROWS && how != WIDER_NOT;
  out->remedy =
      pool_printf(in->pool, "give each thread several elements (2 to 4)%s, with all their loads before the first use%s",
                  beside ? ", 16 bytes per lane where aligned" : "",
                  blocks_start_slowly(in) ? ": the same change as [small-blocks]" : "");
}

#define MORE_LOADS "issue more loads before the first use: unroll, or load the next tile ahead"

/* Rows that a thread loads ahead: as many as Little's law needs of its loads, and its registers hold. */
static double rows_ahead(const struct rule_input *in, const struct flight_plan *x) {
  double n = 0, bytes = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    double executed = in->sass->insts[i].class == SASS_LOAD_GLOBAL ? fmax(in->sass->executed[i], 0) : 0;
    n += executed;
    bytes += executed * in->sass->insts[i].bytes;
  }
  double wanted = fmin(x->thread_bytes * x->needed / x->in_flight, thread_most(in, x->thread_bytes));
  return bytes > 0 ? ceil(wanted * n / bytes) : 0;
}

/* Whether rows begin at multiples of 16 bytes nobody knows: what needs no such rows comes first. */
static const char *unaligned_remedy(const struct rule_input *in, const struct flight_plan *x) {
  double width = x->thread_bytes / or_zero(in->f->bounds.flight.warp_requests);
  return in->sass && loads_tiles(in)
             ? "copy tiles by cp.async (memcpy_async), several of them under way; 16 bytes per lane where rows are multiples of 16 bytes"
         : width <= 1
             ? "load aligned words and shift the bytes into place (__funnelshift_r), several words before the first use"
             : "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes";
}

/* 16 bytes where a lane has its next elements, or its neighbours', beside it; without the code that is assumed.  A problem that is declared has rows of such multiples. */
static void narrow_remedy(struct advice *out, const struct rule_input *in, const struct flight_plan *x) {
  bool known, aligned = in->f->result->shape.m > 0;
  enum wider how = wider_loads(in, &known);
  if (known && how == WIDER_ROWS && rows_ahead(in, x) > 1)
    out->remedy =
        pool_printf(in->pool, "load rows ahead: %.0f independent loads before the first use", rows_ahead(in, x));
  else if (known && (how == WIDER_ROWS || how == WIDER_NOT))
    out->remedy = MORE_LOADS;
  else if (aligned)
    out->remedy = "load 16 bytes per lane, then issue more loads before the first use";
  else
    out->remedy = unaligned_remedy(in, x);
}

RULE_ROW(180, long_scoreboard, "long-scoreboard", "exposed load latency", false);
bool rule_long_scoreboard(const struct rule_input *in, struct advice *out) {
  struct flight_plan x;
  double share = rule_value(in, "stall_long_scoreboard_share", 0);
  flight_plan_of(&x, in);
  if (share <= 0 || !in->work.loads_s.present || chained_load(in) != SASS_NONE)
    return false;
  struct value ring = ring_bytes(in);
  evidence_metric(out, in, "stall_long_scoreboard_share");
  evidence_metric(out, in, "dram_bw");
  if (!l2_serves(in) || ring.present) {
    evidence_add(out, "bytes in flight at most", "B",
                 x.in_flight > 0 ? value_of(x.in_flight) : value_absent("unknown"));
    evidence_add(out, "shared memory that bulk copies can fill", "B", ring);
    evidence_add(out, "bytes that Little's law needs", "B", in->f->bounds.flight.needed_bytes);
  }
  out->most = out->most_high = fmin(share, 1); /* whatever it does, what else warps wait for stays */
  out->sentence = flight_sentence(in, &x, share);
  out->at = about_place(in, about_loads);
  if (ring.present)
    out->remedy =
        "issue the first copy before anything else, free slots as soon as they are read, balance the last rows";
  else if (loads_once(in, out->at) && !(x.in_flight >= x.needed && bound_needs(in, BOUND_DRAM) >= DRAM_BUSY))
    once_remedy(out, in, &x);
  else if (x.in_flight >= x.needed)
    remedy_of_enough(out, in, &x);
  else if (in->f->bounds.flight.warp_requests.present &&
           x.thread_bytes < in->f->bounds.flight.warp_requests.v * WIDE_LOAD)
    narrow_remedy(out, in, &x);
  else
    out->remedy = MORE_LOADS;
  stores_block_loads(out, in);
  return true;
}

void change_long_scoreboard(const struct rule_input *in, struct workload *w) {
  struct flight_plan x;
  flight_plan_of(&x, in);
  value_scale(&w->loads_s, x.kept);
}

RULE_ROW(170, dependent_loads, "dependent-loads", "dependent loads", false);
bool rule_dependent_loads(const struct rule_input *in, struct advice *out) {
  size_t load = chained_load(in);
  if (load == SASS_NONE)
    return false;
  evidence_metric(out, in, "stall_long_scoreboard_share");
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "achieved_occupancy");
  struct sass_summary summary;
  bool guard = sass_chain_is_guard(in->sass, hot_loop(in->sass, &summary), load);
  out->sentence = pool_printf(
      in->pool, "%s%s at 0x%04x %s", percent_words(in, "", "stall_long_scoreboard_share", " long_scoreboard: "),
      in->sass->insts[load].opcode, in->sass->insts[load].offset,
      guard ? "waits until an earlier load's value was tested" : "takes its address from an earlier load");
  out->remedy = guard ? "load it without the test (a select behind it), or test several elements side by side"
                      : "break the chain: load indices ahead, or follow 4 chains per thread";
  out->at = about_inst(in, load);
  return true;
}

void change_dependent_loads(const struct rule_input *in, struct workload *w) {
  (void)in;
  value_scale(&w->loads_s, 1.0 / CHAINS);
}

/* --- local memory --- */

RULE_ROW(60, spills, "spills", "local memory traffic", false);
bool rule_spills(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "local_share", 0);
  if (share <= 0)
    return false;
  evidence_metric(out, in, "local_share");
  evidence_metric(out, in, "local_load_sectors");
  evidence_metric(out, in, "local_store_sectors");
  struct local_kinds kinds = {0};
  const struct run_kernel *k = in->sass ? in->sass->kernel : NULL;
  if (k)
    local_kinds_of(&kinds, in->sass, k->spill_store_bytes < 0 ? -1 : k->spill_store_bytes + k->spill_load_bytes);
  out->sentence =
      pool_printf(in->pool, "%.0f %% of L1 sectors are local memory: %s", 100 * share, local_words(in->pool, &kinds));
  out->remedy = local_remedy(in->pool, &kinds, in->f->launch ? in->f->launch->registers : 0);
  out->at = about_place(in, local_access(&kinds));
  return true;
}

void change_spills(const struct rule_input *in, struct workload *w) {
  double share = local_part(in);
  double insts = executed_in(in, SASS_LOAD_LOCAL, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_LOCAL, PIPE_UNKNOWN);
  double shared = rule_value(in, "shared_wavefronts", 0), l1 = rule_value(in, "l1_wavefronts", 0);
  double read = rule_value(in, "dram_read_bytes", 0), written = rule_value(in, "dram_write_bytes", 0);
  double beyond = fmax(read + written - least_bytes(in), 0) * share;
  value_lessen(&w->dependencies_s, in->waits.local_s);
  value_scale(&w->dram_read, part_kept(beyond, read + written));
  value_scale(&w->dram_write, part_kept(beyond, read + written));
  value_scale(&w->l1_wavefronts, part_kept(share * fmax(l1 - shared, 0), l1));
  value_scale(&w->l2_read, 1 - share);
  value_scale(&w->l2_write, 1 - share);
  value_scale(&w->lsu, part_kept(insts, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, insts);
}

/* --- other warps --- */

enum { LOCK_INSTS = 32 }; /* of a loop that asks for a lock and does nothing else, at most; Triton's has 11 */

/* A block asks again and again, between barriers, for what another block is to release: a compare and swap, or a load that no cache may answer. */
static bool asks_others(const struct sass_inst *x) {
  bool swaps =
      x->class == SASS_ATOMIC && x->space != SPACE_SHARED && (sass_modifier(x, "CAS") || sass_modifier(x, "EXCH"));
  return swaps || (x->class == SASS_LOAD_GLOBAL && sass_modifier(x, "STRONG"));
}

static bool waits_for_a_lock(const struct sass *s) {
  for (size_t l = 0; s && l < s->n_loops; l++) {
    bool barrier = false, asks = false;
    for (size_t i = 0; i < s->n; i++) {
      const struct sass_inst *x = &s->insts[i];
      if (x->never || !sass_in_loop(s, i, l))
        continue;
      barrier = barrier || x->wait == WAIT_BLOCK;
      asks = asks || asks_others(x);
    }
    /* A loop around it holds work, too.  CUTLASS has such a loop in every kernel, for sums over blocks that few launches ask for. */
    if (barrier && asks && s->loops[l].n_insts <= LOCK_INSTS && s->loops[l].executed > 0)
      return true;
  }
  return false;
}

/* It adds nothing: what is there is asked for. */
static bool adds_nothing(const struct sass_inst *x) {
  const char *last = strrchr(x->text, ',');
  return x->class == SASS_ATOMIC && x->space != SPACE_SHARED && sass_modifier(x, "ADD") && last &&
         strcmp(last, ", RZ") == 0;
}

/* The asking instruction of a short loop, which holds no barrier; SASS_NONE. */
static size_t polled_in(const struct sass *s, size_t loop) {
  size_t asks = SASS_NONE;
  for (size_t i = 0; i < s->n && s->loops[loop].n_insts <= LOCK_INSTS; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never || !sass_in_loop(s, i, loop))
      continue;
    if (x->wait == WAIT_BLOCK)
      return SASS_NONE;
    asks = asks == SASS_NONE && (asks_others(x) || adds_nothing(x)) ? i : asks;
  }
  return asks;
}

/* A warp of each block asks in a loop for what another block is to write, and the others wait for it at a barrier: by the samples there are as many of them as the
 * block has other warps, for half of the waits or more.  The instruction that asks; SASS_NONE: no. */
static size_t polls_for_others(const struct rule_input *in) {
  static const double half = 0.5;
  const struct sass *s = in->sass;
  const struct hot *h = in->hot;
  double others = in->f->launch ? ceil((double)launch_block_threads(in->f->launch) / RULE_LANES) - 1 : 0, waits = 0;
  for (size_t k = 0; k < h->n_insts; k++)
    for (size_t r = 0; r < h->insts[k].n_reasons; r++)
      waits += strcmp(h->insts[k].reasons[r].reason, "barrier") == 0 ? (double)h->insts[k].reasons[r].samples : 0;
  for (size_t l = 0; s && waits > 0 && l < s->n_loops; l++) {
    size_t asks = polled_in(s, l);
    double polls = 0;
    for (size_t k = 0; k < h->n_insts && asks != SASS_NONE; k++)
      if (h->kernels[h->insts[k].kernel].kernel == s->kernel && sass_in_loop(s, h->insts[k].at, l))
        polls += (double)h->insts[k].samples;
    if (polls * others >= half * waits)
      return asks;
  }
  return SASS_NONE;
}

/* A tree is what warps wait in, and no other block. */
static bool waits_in_tree(struct block_tree *out, const struct rule_input *in) {
  return block_tree_of(out, in, NULL) && tree_waits(in, out) && !waits_for_a_lock(in->sass) &&
         polls_for_others(in) == SASS_NONE;
}

RULE_ROW(160, barrier, "barrier", "warps wait at barriers", false);
bool rule_barrier(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "stall_barrier_share", 0);
  if (share <= 0)
    return false;
  evidence_metric(out, in, "stall_barrier_share");
  evidence_metric(out, in, "stall_barrier_per_inst");
  out->at = about_place(in, about_barriers);
  evidence_metric(out, in, "issue_slot_utilisation");
  struct block_tree tree;
  size_t polls = polls_for_others(in);
  if (waits_in_tree(&tree, in)) {
    out->sentence = pool_printf(
        in->pool,
        "%.0f %% of warp cycles wait at barriers, most in a tree reduction through shared memory, which is %.0f %% of all instructions",
        100 * share, 100 * fmin(tree.has.insts / rule_value(in, "inst_executed", INFINITY), 1));
    out->remedy = TREE_REMEDY;
    out->at = tree.at;
    return true;
  }
  if (waits_for_a_lock(in->sass)) {
    out->sentence = pool_printf(
        in->pool, "%.0f %% of warp cycles wait at a barrier, while the block asks for a lock in a loop", 100 * share);
    out->remedy =
        "fewer blocks per lock (more locks, shorter sections), or write partial results and add them up in a second kernel "
        "(the estimate assumes that a quarter of the waits stays)";
    return true;
  }
  if (polls != SASS_NONE) {
    out->sentence = pool_printf(
        in->pool,
        "%.0f %% of warp cycles wait at a barrier, while a warp of the block polls for what another block writes",
        100 * share);
    out->remedy =
        "let blocks hand on less often (more work in each), look back without waiting (decoupled look-back), or do "
        "what they hand on in a second kernel";
    out->at = about_inst(in, polls);
    return true;
  }
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait at a barrier for other warps of the block", 100 * share);
  out->remedy = "give warps equal work between barriers, use smaller blocks, or replace the barrier by warp shuffles "
                "(the estimate assumes that a quarter of the waits stays)";
  return true;
}

void change_barrier(const struct rule_input *in, struct workload *w) {
  struct block_tree tree;
  if (waits_in_tree(&tree, in)) {
    work_without_tree(in, &tree, w);
    return;
  }
  value_lessen(&w->barriers_s, in->waits.barrier_s * (1 - BARRIERS_KEPT));
}

/* --- its own results --- */

/* Waits for results of fixed latency: no more than were counted; without the code, those beyond one cycle an instruction. */
static double fixed_s(const struct rule_input *in) {
  const struct workload *w = &in->f->bounds.work;
  double cycles = dependent_cycles(in->sass), wait = warp_seconds(in, "stall_wait");
  if (cycles < 0)
    return fmax(wait - warp_seconds(in, "stall_selected"), 0);
  return wait > 0 ? fmin(wait, cycles / (or_zero(w->clock_hz) * or_zero(w->warps))) : 0;
}

static double chained_s(const struct rule_input *in) {
  return fixed_s(in) + warp_seconds(in, "stall_short_scoreboard") *
                           part_kept(rule_value(in, "shared_wavefronts", 0),
                                     rule_value(in, "shared_wavefronts", 0) + rule_value(in, "pipe_xu", 0));
}

/* Without the code it is taken that there is a sum. */
static const char *chain_remedy(const struct rule_input *in) {
  struct sass_summary summary;
  size_t serial = serial_instruction(in), loop = in->sass ? hot_loop(in->sass, &summary) : SASS_NONE;
  if (serial != SASS_NONE)
    return pool_printf(
        in->pool,
        "each turn needs the one before (%s at 0x%04x): take out of the loop what does not, or give a thread several such chains",
        in->sass->insts[serial].opcode, in->sass->insts[serial].offset);
  return in->sass && sass_sum(in->sass, loop) == SASS_NONE
             ? "more instruction-level parallelism: several elements per thread, worked on side by side, or more warps"
             : "more instruction-level parallelism: 4 independent accumulators per thread, or more warps";
}

RULE_ROW(250, dependent_chain, "dependent-chain", "dependent arithmetic, few warps", false);
bool rule_dependent_chain(const struct rule_input *in, struct advice *out) {
  double wait = rule_value(in, "stall_wait_share", 0);
  struct value eligible = finding_value(in->f, "eligible");
  if (chained_s(in) <= 0)
    return false;
  evidence_metric(out, in, "stall_wait_share");
  evidence_metric(out, in, "eligible");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait for the previous result (wait)%s", 100 * wait,
                  eligible.present ? pool_printf(in->pool, "; %.2f eligible warps per scheduler", eligible.v) : "");
  out->remedy = chain_remedy(in);
  out->at = about_inst(in, serial_instruction(in));
  return true;
}

void change_dependent_chain(const struct rule_input *in, struct workload *w) {
  value_lessen(&w->dependencies_s, chained_s(in) * (1 - 1.0 / CHAINS));
}

/* --- its instructions --- */

static double code_bytes(const struct rule_input *in) {
  struct sass_summary summary;
  if (!in->sass)
    return 0;
  size_t loop = hot_loop(in->sass, &summary);
  return INSTRUCTION_BYTES * (double)(loop == SASS_NONE ? summary.insts : summary.hot_insts);
}

/* A call of a function that is none of the compiler's own and whose code is not in the kernel's
 * text, of several the one that runs most; SASS_NONE: there is none. */
static size_t call_of_function(const struct sass *s) {
  size_t most = SASS_NONE;
  for (size_t i = 0; s && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool others = x->calls && !x->never && sass_called(s, i) == SASS_NONE && !strstr(x->text, "$__internal_");
    if (others && (most == SASS_NONE || s->executed[i] > s->executed[most]))
      most = i;
  }
  return most;
}

RULE_ROW(240, instruction_cache, "instruction-cache", "instruction-cache misses", false);
bool rule_instruction_cache(const struct rule_input *in, struct advice *out) {
  double share = rule_value(in, "stall_no_instruction_share", 0), bytes = code_bytes(in);
  size_t call = call_of_function(in->sass);
  if (share <= 0 || (bytes <= L0_CACHE_BYTES && call == SASS_NONE))
    return false;
  evidence_metric(out, in, "stall_no_instruction_share");
  if (bytes <= L0_CACHE_BYTES) {
    evidence_metric(out, in, "icache_misses");
    evidence_metric(out, in, "icache_requests");
    out->sentence = pool_printf(
        in->pool, "%.0f %% of warp cycles wait for instruction fetch; the kernel calls functions (%s at 0x%04x)",
        100 * share, in->sass->insts[call].opcode, in->sass->insts[call].offset);
    out->remedy =
        "inline what is called (with -rdc: compile as one unit, or link with -dlto); loop over rounds rather than unroll them, so "
        "that the loop fits the cache";
    out->at = about_inst(in, call);
    return true;
  }
  evidence_add(out, "size of the hot loop's code", "B", value_of(bytes));
  evidence_metric(out, in, "icache_misses");
  evidence_metric(out, in, "icache_requests");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of warp cycles wait for instruction fetch; the hot loop has %.0f KiB of code",
                  100 * share, bytes / 1024);
  out->remedy = "unroll less, or loop over a table, so that the loop fits the instruction cache";
  return true;
}

void change_instruction_cache(const struct rule_input *in, struct workload *w) {
  value_lessen(&w->dependencies_s, warp_seconds(in, "stall_no_instruction"));
}
