/* Rules on loads that a warp waits for: too few under way, one after the other, and from local memory. */
#include "analysis/idioms/chases.h"
#include "analysis/idioms/repeats.h"
#include "analysis/idioms/turn_bounds.h"
#include "analysis/rules/better_code.h"
#include "analysis/rules/local_words.h"
#include "analysis/rules/more_elements.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/saving.h"
#include "analysis/rules/split_words.h"
#include "analysis/signs/about.h"
#include "analysis/signs/atomic_waits.h"
#include "analysis/signs/block_rows.h"
#include "analysis/signs/chain_waits.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/flight_plan.h"
#include "analysis/signs/load_series.h"
#include "analysis/signs/next_turn.h"
#include "analysis/signs/polling.h"
#include "analysis/signs/repeated.h"
#include "analysis/signs/slow_paths.h"
#include "analysis/signs/thread_loads.h"
#include "analysis/signs/triton_code.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <string.h>

static const double MEBI = 1048576;

/* --- loads --- */

static const char *bytes_words(const struct rule_input *in, double bytes) {
  static const double TENTH = 0.095, KIBI = 1024; /* MiB, from which on two digits say enough */
  return bytes < TENTH * MEBI ? pool_printf(in->pool, "%.3g KiB", bytes / KIBI)
                              : pool_printf(in->pool, "%.2f MiB", bytes / MEBI);
}

static const char *percent_of(const struct rule_input *in, double part) {
  static const double rounded = 0.005;
  return part < rounded ? "under 1" : pool_printf(in->pool, "%.0f", 100 * part);
}

/* Where DRAM sends few of the sectors, but those take so long that they have most of the waits. */
static bool dram_is_last(const struct rule_input *in) {
  const struct ceiling *l1 = device_best(in->all->device, "l1_latency_cycles"),
                       *l2 = device_best(in->all->device, "l2_latency_cycles"),
                       *dram = device_best(in->all->device, "dram_latency_cycles");
  double hit = rule_value(in, "l1_hit_rate", 0), from_l2 = rule_value(in, "l2_read_bytes", 0);
  double far = from_l2 > 0 ? (1 - hit) * fmin(rule_value(in, "dram_read_bytes", 0) / from_l2, 1) : 0;
  return l1 && l2 && dram && far * dram->value > hit * l1->value + (1 - hit - far) * l2->value;
}

static const char *cache_waited_for(const struct rule_input *in) {
  static const double MOST = 0.5; /* of the sectors */
  if (dram_is_last(in))
    return "L2 and DRAM";
  return l1_serves(in) ? "L1" : rule_value(in, "l1_hit_rate", 0) > MOST ? "L1 and the L2" : "L2";
}

static const char *flight_sentence(const struct rule_input *in, const struct flight_plan *x, double share) {
  static const double MOSTLY = 0.95; /* caches serve the rest */
  struct value ring = ring_bytes(in);
  if (ring.present && x->needed > 0)
    return pool_printf(
        in->pool,
        ring.v < x->needed
            ? "warps wait for copies %s %% of their time: their buffers on the chip hold %.1f MiB, and %.1f MiB in flight keep DRAM busy"
            : "warps wait for copies %s %% of their time; buffers for %.1f MiB are there, and %.1f MiB in flight keep DRAM busy: copies start late",
        percent_of(in, share), ring.v / MEBI, x->needed / MEBI);
  if (l2_serves(in) && x->thread_bytes > 0)
    return pool_printf(in->pool, "warps wait for the %s %s %% of their time, with at most %.0f B in flight per thread",
                       cache_waited_for(in), percent_of(in, share), x->thread_bytes);
  bool reads = mostly_reads(in), few = reads && x->in_flight > 0 && x->needed > 0 && x->in_flight < x->needed;
  if (few && x->in_flight < MOSTLY * x->under_way)
    return pool_printf(
        in->pool,
        "warps wait for loads %s %% of their time, with %.0f B in flight per thread: %s on the chip, %s of it from DRAM, which %.2f MiB keep busy",
        percent_of(in, share), x->thread_bytes, bytes_words(in, x->under_way), bytes_words(in, x->in_flight),
        x->needed / MEBI);
  if (few)
    return pool_printf(
        in->pool,
        "warps wait for loads %s %% of their time, with %.0f B in flight per thread: %s on the whole chip, where %.2f MiB keep DRAM busy",
        percent_of(in, share), x->thread_bytes, bytes_words(in, x->in_flight), x->needed / MEBI);
  size_t series = load_series(in);
  if (reads && x->in_flight > 0 && x->needed > 0)
    return pool_printf(
        in->pool,
        "warps wait for loads %s %% of their time, though %.1f MiB can be in flight and %.1f MiB keep DRAM busy: %s",
        percent_of(in, share), x->in_flight / MEBI, x->needed / MEBI,
        series ? pool_printf(in->pool, "each waits %zu times in series", series) : "loads come in bursts");
  return pool_printf(
      in->pool,
      share < rule_value(in, "stall_long_scoreboard_share", 0)
          ? "%.0f %% of warp cycles wait for loads of global memory, beside other waits of long_scoreboard"
          : "%.0f %% of warp cycles wait for loads (long_scoreboard)",
      100 * share);
}

/* Enough loads can be in flight, and DRAM is nearly busy: dram-saturated says what helps. */
static bool dram_is_waited_for(const struct rule_input *in, const struct flight_plan *x) {
  return x->in_flight >= x->needed && x->in_flight > 0 && !loads_tiles(in) && !l2_serves(in) &&
         bound_needs(in, BOUND_DRAM) >= DRAM_BUSY && finding_dram_roof(in->f).present;
}

/* Fewer blocks would save something of it. */
static bool blocks_start_slowly(const struct rule_input *in) {
  struct workload changed = in->work;
  work_fewer_blocks(in, &changed, INFINITY);
  return saving_of(in, &changed) >= ADVICE_LEAST_SHARE * in->time_s;
}

/* What the remedies of exposed loads differ by. */
enum loads_fact {
  BULK_COPIES = 1 << 0,
  ONCE = 1 << 1,         /* a thread loads its elements once, and DRAM is not kept busy by that */
  ONE_WAVE = 1 << 2,     /* all blocks are resident at once: fewer threads would have as many loads under way */
  SEVERAL = 1 << 3,      /* a thread has several elements */
  WIDE_ROWS = 1 << 6,    /* a block or a warp makes a row, and loads are of 16 bytes */
  NARROW = 1 << 7,       /* loads are of fewer than 16 bytes per lane */
  JOINED = 1 << 8,       /* and can be of 16: a lane's next elements, or its neighbours', lie beside it */
  NOT_WIDER = 1 << 9,    /* and cannot be wider */
  ROWS_AHEAD = 1 << 10,  /* nor need be: a loop takes a lane from row to row, of which several can be loaded at once */
  ALIGNED = 1 << 11,     /* rows of a declared problem begin at multiples of 16 bytes; of others nobody knows */
  BYTES = 1 << 12,       /* a lane loads a byte at a time */
  ENOUGH = 1 << 13,      /* as many bytes can be in flight as Little's law needs, or it is not known what it needs */
  NOT_OF_DRAM = 1 << 14, /* the L2 is waited for, or it is not known what is in flight */
  TILES = 1 << 15,       /* the loop fills shared memory; without the code that is assumed */
  CODE = 1 << 16,        /* is there */
  BY_ROWS = 1 << 18,     /* a loop takes a lane from row to row */
  SLOW_STARTS = 1 << 17, /* fewer blocks, each with more work, are what [small-blocks] asks for, too */
};

static unsigned loads_facts(const struct rule_input *in, const struct flight_plan *x,
                            const struct run_instruction *at) {
  double wave = or_zero(in->work.blocks_per_sm) * in->all->device->sms;
  bool known, enough = x->in_flight >= x->needed, narrow = x->thread_bytes < x->requests * LANE_BYTES_MOST;
  enum wider how = wider_loads(in, &known);
  bool rows = known && how == WIDER_ROWS, none = known && how == WIDER_NOT;
  const struct {
    enum loads_fact fact;
    bool holds;
  } facts[] = {
      {BULK_COPIES, ring_bytes(in).present},
      {ONCE, loads_once(in, at) && !(enough && bound_needs(in, BOUND_DRAM) >= DRAM_BUSY)},
      {ONE_WAVE, grid_blocks(in) > 0 && grid_blocks(in) <= wave},
      {SEVERAL, threads_have_several(in)},
      {WIDE_ROWS, !narrow && blocks_are_rows(in)},
      {NARROW, narrow},
      {JOINED, narrow && known && !rows && !none},
      {NOT_WIDER, rows || none},
      {BY_ROWS, rows},
      {ROWS_AHEAD, rows && rows_ahead(in, x) > 1},
      {ALIGNED, in->f->result->shape.m > 0},
      {BYTES, x->thread_bytes / x->requests <= 1},
      {ENOUGH, enough},
      {NOT_OF_DRAM, l2_serves(in) || x->in_flight <= 0},
      {TILES, loads_tiles(in)},
      {CODE, in->sass != NULL},
      {SLOW_STARTS, blocks_start_slowly(in)},
  };
  unsigned all = 0;
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
    all |= facts[i].holds ? facts[i].fact : 0u;
  return all;
}

#define MORE_LOADS        "issue more loads before the first use: unroll, or load the next tile ahead"
#define ALL_LOADS         "issue all loads of a thread before the first "
#define AHEAD_OF_BRANCHES ALL_LOADS "use: move them ahead of branches and arithmetic"
#define ELEMENTS          "give each thread several elements (2 to 4)"
#define JOINED_ELEMENTS   ELEMENTS ", 16 bytes per lane where aligned"

static const char *rows_ahead_words(const struct rule_input *in, const struct flight_plan *x) {
  return pool_printf(in->pool, "load the next iterations' values ahead: %.0f independent loads before the first use",
                     rows_ahead(in, x));
}

#define SHARED_OUT(by)                                                                                                 \
  "share the work out evenly (" by ", or split-K), and copy the next tile's data while this one ends"

/* Buffers that would do are not full: while a block begins and ends, or where some SMs have less to copy. */
static const char *late_copies_words(const struct rule_input *in, const struct flight_plan *x) {
  const struct run_launch *l = in->f->launch;
  double per_sm = or_zero(in->work.blocks_per_sm), blocks = grid_blocks(in);
  (void)x;
  if (blocks > 0 && blocks <= per_sm * in->all->device->sms)
    return in->work.balance > 1 - ADVICE_LEAST_SHARE && blocks >= in->all->device->sms
               ? "copy the next tile's data while this one ends, and hand a buffer back as soon as its last value is read"
               : SHARED_OUT("smaller tiles");
  bool fills = l && per_sm == 1 && 2 * (l->smem_static + l->smem_dynamic) > in->all->device->smem_per_sm;
  return fills
             ? "each block waits as it begins and ends: a persistent grid that copies the next tile meanwhile, or fewer stages, so that 2 blocks fit an SM"
             : "each block waits as it begins and ends: a persistent grid (one wave of blocks) that copies the next tile meanwhile";
}

/* Loads are begun a turn ahead already: which are not, or what is waited for beside them.  NULL: none are. */
static const char *ahead_words(struct told *out, const struct rule_input *in) {
  static const double MOST = 0.5;
  struct loads_ahead x;
  loads_ahead_of(&x, in);
  const struct run_instruction *at = x.of == WAITED_UNKNOWN ? NULL : about_inst(in, x.load);
  if (x.part <= 0 || (x.of != WAITED_OWN_TURN && x.part < MOST))
    return NULL;
  const struct run_line *line = at ? &at->lines[at->n_lines - 1] : NULL; /* of the kernel itself */
  const char *where = line ? pool_printf(in->pool, " at %s", line_words(in, line->source, line->line)) : "";
  out->at = at ? at : out->at;
  return x.of == WAITED_OWN_TURN
             ? pool_printf(in->pool, "begin the load%s an iteration ahead, as others of the loop are", where)
         : x.of == WAITED_NO_TURN
             ? pool_printf(
                   in->pool,
                   "the loop loads ahead; warps wait for the load before it%s: begin that one first of all, or let fewer warps run more iterations",
                   where)
             : "loads are an iteration ahead already: begin them further ahead (more buffers, or registers for two iterations)";
}

/* The first row whose facts all hold has the remedy. */
static const struct loads_remedy {
  unsigned facts;
  const char *words;
  bool fewer_blocks;  /* it makes fewer blocks of more work */
  bool more_elements; /* and threads of more elements */
  const char *(*made)(const struct rule_input *in, const struct flight_plan *x); /* in place of words */
} LOADS_REMEDIES[] = {
    {BULK_COPIES, .made = late_copies_words},
    {ONCE | ONE_WAVE, AHEAD_OF_BRANCHES},
    {ONCE | SEVERAL, AHEAD_OF_BRANCHES},
    {ONCE | WIDE_ROWS, "let one block or warp do the work of several, with the loads of all before the first use",
     .fewer_blocks = true},
    {ONCE | JOINED, JOINED_ELEMENTS ", with all their loads before the first use", true, true},
    {ONCE, ELEMENTS ", with all their loads before the first use", true, true},
    {ENOUGH | TILES, "load the next tile before computing this one: two buffers, in registers or by cp.async"},
    {ENOUGH | NOT_OF_DRAM, "issue more independent loads before the first use: unroll, or several elements per thread"},
    {ENOUGH, "spread the loads: begin the next elements' before these are used, so that they do not come in bursts"},
    {NARROW | BY_ROWS | TILES, /* a turn has a tile's loads and no more */
     "copy the next tiles by cp.async (memcpy_async) into further buffers while this one is worked on"},
    {NARROW | ROWS_AHEAD, .made = rows_ahead_words},
    {NARROW | NOT_WIDER, MORE_LOADS},
    {NARROW | ALIGNED, "load 16 bytes per lane, then issue more loads before the first use"},
    {NARROW | TILES | CODE,
     "copy tiles by cp.async (memcpy_async), several of them under way; 16 bytes per lane where rows are multiples of 16 bytes"},
    {NARROW | BYTES,
     "load aligned words and shift the bytes into place (__funnelshift_r), several words before the first use"},
    {NARROW, "issue more loads before the first use (unroll), 16 bytes per lane where rows are multiples of 16 bytes"},
    {0, MORE_LOADS},
};

static void loads_remedy(struct told *out, const struct rule_input *in, const struct flight_plan *x) {
  unsigned facts = loads_facts(in, x, out->at);
  const struct loads_remedy *r = LOADS_REMEDIES;
  while ((r->facts & facts) != r->facts)
    r++;
  out->more_elements = r->more_elements && more_elements_known(in);
  const char *ahead = r->facts == (ENOUGH | TILES) || r->facts == ENOUGH ? ahead_words(out, in) : NULL;
  out->remedy = ahead ? ahead : r->made ? r->made(in, x) : r->words;
  if (strcmp(out->remedy, SHARED_OUT("smaller tiles")) == 0) {
    out->tiles = -1;
    out->tiles_else = SHARED_OUT("stream-K");
  }
  if (r->fewer_blocks && (facts & SLOW_STARTS))
    out->remedy = pool_printf(in->pool, "%s: the same change as [small-blocks]", r->words);
}

/* Lanes side by side load a byte or two each: wider loads bring more at once than further ones, and spare index arithmetic. */
static void loads_join(struct told *out, const struct rule_input *in, const struct flight_plan *x, bool marks) {
  int bytes = x->in_flight < x->needed && !loads_once(in, out->at) ? bytes_in_line(in, out->at) : 0;
  if (bytes > 0)
    out->remedy =
        pool_printf(in->pool, "load 4 to 16 bytes per lane where aligned (now %d), %s", bytes,
                    marks ? "and mark pointers const __restrict__, so that loads can move ahead of the loop's stores"
                          : "then issue more loads before the first use");
}

/* A load that is issued n turns before it is used has the rest of n turns to come.  More turns than registers can hold are no remedy. */
static void loads_turns_ahead(struct told *out, const struct rule_input *in, const struct flight_plan *x,
                              double waits) {
  double turns = waits < 1 ? ceil(waits / (1 - waits)) : INFINITY;
  if (ring_bytes(in).present || !waits_in_own_turn(in) ||
      turns * x->thread_bytes > thread_flight_most(in, x->thread_bytes))
    return;
  out->remedy =
      turns > 1
          ? pool_printf(
                in->pool,
                "load values %.0f iterations ahead, into registers: each iteration needs the one before, but their places are known",
                turns)
          : "load the next iteration's values into registers before this one's are used: their places are known";
}

static bool is_in_loop(const struct rule_input *in, const struct run_instruction *at, size_t loop) {
  for (size_t i = 0; at && i < in->sass->n; i++)
    if (sass_in_loop(in->sass, i, loop) && about_inst(in, i) == at)
      return true;
  return !at;
}

/* Of the loop with the loads, unless it does so. */
static void exit_blocks_loads(struct told *out, const struct rule_input *in) {
  enum { AT_ONCE = 4 };
  struct sass_summary summary;
  if (!in->sass || ring_bytes(in).present || loads_once(in, out->at))
    return;
  sass_summarise(in->sass, &summary);
  size_t asked = summary.stream == SASS_NONE ? 0 : sass_loads_to_end(in->sass, summary.stream);
  if (asked == 0 || asked >= AT_ONCE || !is_in_loop(in, out->at, summary.stream))
    return;
  if (sass_end_is_chained(in->sass, summary.stream))
    out->remedy = "each value says where the next one is: follow the chains of several elements side by side";
  else
    out->remedy =
        "the loop may exit on a loaded value, so that the compiler loads nothing ahead: load 4 to 8 iterations' values, then test them in order";
}

/* Part of the waits for memory that shorter or more chains of loads lessen; 0: there is no such chain.  What a link brings is waited for in series no longer than the
 * link is: beyond that it is a load like others.  Triton's only remedy loads links ahead. */
static double chain_part(const struct rule_input *in) {
  struct chain_waits x;
  if (chained_load(in) == SASS_NONE)
    return 0;
  chain_waits_of(&x, in);
  return x.links + (triton_made(in) ? 0 : fmin(x.ends, x.links));
}

RULE_ROW(180, long_scoreboard, "long-scoreboard", "exposed load latency", RULE_DRAM_QUEUE | RULE_LOAD_WAITS,
         static_long_scoreboard);
bool rule_long_scoreboard(const struct rule_input *in, struct told *out) {
  struct flight_plan x;
  double share = rule_value(in, "stall_long_scoreboard_share", 0), of_loads = share * waits_part_of_loads(in);
  flight_plan_of(&x, in);
  static const double MOST = 0.5;
  if (of_loads <= 0 || !in->work.loads_s.present || chain_part(in) >= MOST || loads_queue_for_atomics(in))
    return false;
  struct value ring = ring_bytes(in);
  if (!ring.present && dram_is_waited_for(in, &x))
    return false;
  evidence_metric(out, in, "stall_long_scoreboard_share");
  evidence_metric(out, in, "dram_bw");
  if ((!l2_serves(in) && mostly_reads(in)) || ring.present) {
    evidence_add(out, "bytes in flight at most", "B",
                 x.in_flight > 0 ? value_of(x.in_flight) : value_absent("unknown"));
    evidence_add(out, "shared memory that bulk copies can fill", "B", ring);
    evidence_add(out, "bytes that Little's law needs", "B", in->f->bounds.flight.needed_bytes);
  }
  out->most = out->most_high = fmin(of_loads, 1); /* whatever it does, what else warps wait for stays */
  out->sentence = flight_sentence(in, &x, of_loads);
  out->at = ring.present ? bringing_place(in) : about_place(in, about_loads);
  loads_remedy(out, in, &x);
  exit_blocks_loads(out, in);
  loads_join(out, in, &x, stores_block_loads(out, in));
  loads_turns_ahead(out, in, &x, of_loads);
  return true;
}

void change_long_scoreboard(const struct rule_input *in, struct workload *w) {
  struct flight_plan x;
  flight_plan_of(&x, in);
  value_scale(&w->loads_s, 1 - (1 - x.kept) * waits_part_of_loads(in));
}

RULE_ROW(170, dependent_loads, "dependent-loads", "dependent loads", RULE_LOAD_WAITS, static_dependent_loads);
bool rule_dependent_loads(const struct rule_input *in, struct told *out) {
  size_t load = chained_load(in);
  if (load == SASS_NONE || chain_part(in) <= 0)
    return false;
  bool walk = in->waits.of_a_walk;
  evidence_metric(out, in, walk ? "stall_barrier_share" : "stall_long_scoreboard_share");
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "achieved_occupancy");
  bool guard = sass_chain_is_guard(in->sass, hot_loop(in->sass), load);
  bool search = !guard && sass_searches(in->sass, load);
  double waits = rule_value(in, "stall_long_scoreboard_share", 0) * waits_part_of_loads(in) * chain_part(in);
  out->sentence = pool_printf(
      in->pool, "%s%s at 0x%04x %s",
      walk        ? "one thread of a block walks while its other warps wait at a barrier: "
      : waits > 0 ? pool_printf(in->pool, "%s %% of warp cycles wait in chains of loads: ", percent_of(in, waits))
                  : "",
      in->sass->insts[load].opcode, in->sass->insts[load].offset,
      guard    ? "waits until an earlier load's value was tested"
      : search ? "is a search's: each value decides, by a comparison, where the next one is"
               : "takes its address from an earlier load");
  out->remedy =
      walk
          ? "let the block copy what that thread walks over to shared memory, where it fits, and walk there; all threads can then load what the walk only points to"
      : guard ? "load it without the test (a select behind it), or test several elements side by side"
      : search
          ? "compare 32 pivots at once, a vector or a warp of them (a fifth of the steps), or run several searches side by side"
      : all_chains_run(in, load) ? "all chains run at once, so shorten them: a table by which 4 steps are one"
                                 : "break the chain: load indices ahead, or follow 4 chains per thread";
  out->triton_as = search ? "" : NULL;
  out->at = about_inst(in, load);
  return true;
}

/* Chains side by side load as much as in turn; shorter ones load less, and what else a step loads is waited for as now.  Where a step does nothing else, its
 * instructions go with it. */
void change_dependent_loads(const struct rule_input *in, struct workload *w) {
  size_t load = chained_load(in);
  double part = 1 - 1.0 / CHAINS, links = waits_part_of_chases(in), insts = or_zero(in->work.inst);
  bool run = load != SASS_NONE && all_chains_run(in, load);
  value_scale(&w->loads_s, 1 - part * (run && links > 0 ? links : chain_part(in)));
  if (!run)
    return;
  double gone = sass_chased_part(in->sass) * part, walked = chase_alone(in, load);
  value_scale(&w->l2_read, 1 - gone);
  value_scale(&w->l1_wavefronts, 1 - gone);
  if (walked > 0 && insts > 0)
    work_fewer_warp_insts(in, w, fmin(walked / insts, 1) * part);
  else
    value_scale(&w->lsu, 1 - gone);
}

/* --- local memory --- */

/* Of the bytes that DRAM writes, those that were stored to no global memory, where they are most of them; 0: they are not, or that is not known. */
static double written_of_local(const struct rule_input *in) {
  static const double MOST = 0.5, WORTH = 0.1;
  double written = rule_value(in, "dram_write_bytes", 0), stores = rule_value(in, "l1_store_sectors", -1);
  double beyond = written > 0 && stores >= 0 ? 1 - SECTOR_BYTES * stores / written : 0;
  bool worth = bound_needs(in, BOUND_DRAM) > WORTH;
  return worth && beyond > MOST ? beyond : 0;
}

RULE_ROW(60, spills, "spills", "local memory traffic", RULE_CAUSE, static_spills);
bool rule_spills(const struct rule_input *in, struct told *out) {
  double share = rule_value(in, "local_share", 0), written = written_of_local(in);
  struct large_arguments large;
  large_arguments_of(&large, in);
  if (share <= 0 || (large.share > 0 && large.local)) /* slow-path tells it: nobody's array */
    return false;
  evidence_metric(out, in, "local_share");
  evidence_metric(out, in, "local_load_sectors");
  evidence_metric(out, in, "local_store_sectors");
  struct local_kinds kinds = {0};
  const struct run_kernel *k = in->sass ? in->sass->kernel : NULL;
  if (k)
    local_kinds_of(&kinds, in->sass, k->spill_store_bytes < 0 ? -1 : k->spill_store_bytes + k->spill_load_bytes);
  struct local_kinds told = kinds;
  told.spills = told.spills && !(told.array && written > 0); /* one cause is enough beside it */
  const char *dram = written > 0 ? pool_printf(in->pool, " and %.0f %% of DRAM's writes", 100 * written) : "";
  out->sentence = pool_printf(in->pool, "%.0f %% of L1 sectors%s are local memory: %s", 100 * share, dram,
                              local_words(in->pool, &told));
  int registers = in->f->launch ? in->f->launch->registers : 0;
  out->remedy = local_remedy(in->pool, &kinds, registers, false);
  out->frugal = local_remedy(in->pool, &kinds, registers, true);
  out->at = about_place(in, local_access(&kinds));
  return true;
}

void change_spills(const struct rule_input *in, struct workload *w) {
  double insts = executed_in(in, SASS_LOAD_LOCAL, PIPE_UNKNOWN) + executed_in(in, SASS_STORE_LOCAL, PIPE_UNKNOWN);
  value_lessen(&w->dependencies_s, in->waits.local_s);
  work_without_local(in, w);
  value_scale(&w->lsu, part_kept(insts, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, insts);
}
