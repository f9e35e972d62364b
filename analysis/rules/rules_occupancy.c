/* Rules on how many warps there are to hide latency, and on latency that no other rule has a cause of. */
#include "analysis/rules/load_waits.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/split_words.h"
#include "analysis/signs/atomic_waits.h"
#include "analysis/signs/block_fit.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/local.h"
#include "analysis/signs/pipes.h"
#include "analysis/signs/polling.h"
#include "analysis/signs/product_waits.h"
#include "analysis/signs/split_loop.h"
#include "analysis/signs/thread_loads.h"
#include "analysis/signs/waves.h"

#include "analysis/idioms/held.h"
#include "analysis/idioms/live.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* More warps than twice as many cost registers or shared memory that the code needs. */
static const double MORE_WARPS_MOST = 2;

struct more_warps {
  double by;          /* as many resident warps; 1: no more */
  const char *limit;  /* that keeps them out; NULL: the grid has no more */
  const char *remedy; /* against it */
  bool table;         /* shared memory holds the same in every block, whatever its size */
};

/* No block is left that could be resident beside the others. */
static bool grid_is_resident(const struct rule_input *in) {
  return grid_blocks(in) > 0 && grid_blocks(in) <= wave_blocks(in);
}

/* Registers that the hot loop's sums take, with its addresses and what one of its instructions
 * reads besides; 0: it adds to none. */
static int registers_held(const struct rule_input *in, int *sums) {
  struct sass_summary summary;
  struct sass_held x = {0};
  if (in->sass) {
    sass_summarise(in->sass, &summary);
    sass_held_of(&x, in->sass, summary.hot);
  }
  *sums = x.sums;
  return x.sums > 0 ? x.sums + x.addresses + x.operands : 0;
}

/* Fewer registers would spill the loop's sums: smaller blocks where they fit better, else
 * nothing. */
static void keep_sums(struct more_warps *out, const struct rule_input *in, int sums) {
  double by;
  int half = half_block(in, &by);
  out->by = half ? by : 1;
  out->remedy = pool_printf(
      in->pool, "blocks of %d threads: with fewer registers the %d sums that the hot loop keeps would spill", half,
      sums);
}

/* What fewer warps wait the longest for. */
static const char *under_way(const struct rule_input *in) {
  return waits_most_for_loads(in) ? "loads in flight" : "independent work";
}

static const char *registers_remedy(const struct rule_input *in, int blocks) {
  double by;
  int half = half_block(in, &by), registers = registers_for(in, occupancy_block_of(in->f->launch), blocks);
  return registers
             ? pool_printf(
                   in->pool,
                   "%sat most %d registers per thread (%d now) let %d blocks into an SM: %s__launch_bounds__(%d, %d); else more %s per warp",
                   half ? pool_printf(in->pool, "blocks of %d threads, or ", half) : "", registers,
                   in->f->launch->registers, blocks, half ? "" : "smaller tiles, or ",
                   occupancy_block_of(in->f->launch).threads, blocks, under_way(in))
             : pool_printf(in->pool,
                           "fewer registers per thread (smaller tiles, launch bounds), or more %s per warp instead",
                           under_way(in));
}

/* The most blocks up to `more` that an SM holds once a thread has no more registers than are live
 * at once in the code as it is: a lower cap would spill.  0: no more than now. */
static int blocks_unspilled(const struct rule_input *in, int now, int more, int live) {
  int blocks = more;
  while (blocks > now && registers_for(in, occupancy_block_of(in->f->launch), blocks) < live)
    blocks--;
  return blocks > now ? blocks : 0;
}

/* Bytes of an array in local memory that is larger than what a thread's registers hold, of which it has nearly the most: loops that are unrolled take it through them.  0: there
 * is none. */
static double array_in_registers(const struct rule_input *in) {
  static const double NEARLY = 0.8;
  struct local_kinds kinds = {0};
  int registers = in->f->launch->registers;
  if (!in->sass || registers < NEARLY * REGISTERS_MOST)
    return 0;
  local_kinds_of(&kinds, in->sass, -1);
  return kinds.array && kinds.bytes >= (double)registers * REGISTER_BYTES ? kinds.bytes : 0;
}

/* No cap leaves room for what is live: smaller blocks where they fit better, or fewer values in
 * each thread where it has several, else nothing. */
static void keep_values(struct more_warps *out, const struct rule_input *in, int live) {
  double by, array = array_in_registers(in);
  int half = half_block(in, &by), registers = in->f->launch->registers;
  if (array > 0) {
    out->remedy = pool_printf(
        in->pool,
        "no array in each thread: its %.0f bytes take all %d registers on their way; compute its values where they are used, or a few at a time",
        array, registers);
  } else if (half) {
    out->by = by;
    out->remedy = pool_printf(
        in->pool,
        "blocks of %d threads; no lower limit of registers, which may spill: %d of a thread's %d are in use at once",
        half, live, registers);
  } else if (threads_have_several(in) && threads_store_several(in)) {
    out->remedy = pool_printf(
        in->pool,
        "fewer elements per thread, on more threads; no lower limit of registers, which may spill: %d of %d are in use at once",
        live, registers);
  } else {
    out->by = 1;
  }
}

/* Of registers as the limit: at most `more` blocks are worth having. */
static void fewer_registers(struct more_warps *out, const struct rule_input *in, int now, int more) {
  int live = in->sass && !grid_is_resident(in) ? sass_live_peak(in->sass) : 0,
      fits = live > 0 ? blocks_unspilled(in, now, more, live) : more;
  int sums, held = registers_held(in, &sums);
  if (fits > 0 && fits < more) {
    out->by = (double)fits / now;
    out->remedy = registers_remedy(in, fits);
  }
  if (held > registers_for(in, occupancy_block_of(in->f->launch), fits > 0 ? fits : more) && held > 0)
    keep_sums(out, in, sums);
  else if (fits == 0)
    keep_values(out, in, live);
}

static const char *memory_remedy(const struct rule_input *in, int blocks) {
  enum { KIB = 1024 };
  struct occupancy_block b = occupancy_block_of(in->f->launch);
  long now = b.smem_static + b.smem_dynamic;
  bool tiles = !in->sass || !in->sass->counted || runs_tensor_cores(in) || executed_of(in, "LDGSTS", NULL) > 0;
  const char *less = tiles ? "fewer stages, smaller tiles" : "smaller arrays, narrower types";
  b.smem_static = 0;
  for (b.smem_dynamic = (now - 1) / KIB * KIB; b.smem_dynamic > 0; b.smem_dynamic -= KIB)
    if (has_room(in, &b, LIMIT_SMEM, blocks))
      return pool_printf(
          in->pool,
          "at most %ld KiB of shared memory per block (%.0f now) let %d blocks into an SM: %s; else more %s per warp",
          b.smem_dynamic / KIB, (double)now / KIB, blocks, less, under_way(in));
  return pool_printf(in->pool, "less shared memory per block (%s), or more %s per warp instead", less, under_way(in));
}

/* *by: as many warps.  NULL: shared memory is not the limit, or holds something else than a table. */
static const char *larger_blocks(const struct rule_input *in, const struct occupancy *o, double *by) {
  struct larger_blocks x;
  if (!larger_blocks_of(&x, in, o))
    return NULL;
  *by = x.warps / x.now;
  return pool_printf(in->pool,
                     "larger blocks: %d threads (%d now) share one table, and an SM holds %.0f warps, not %.0f%s",
                     x.threads, occupancy_block_of(in->f->launch).threads, x.warps, x.now,
                     x.more > x.warps ? pool_printf(in->pool, "; %d threads of at most %d registers: %.0f",
                                                    x.more_threads, x.registers, x.more)
                                      : "");
}

static const char *limit_remedy(const struct rule_input *in, enum occupancy_limit l, int blocks) {
  switch (l) {
  case LIMIT_REGISTERS:
    return registers_remedy(in, blocks);
  case LIMIT_SMEM:
    return memory_remedy(in, blocks);
  case LIMIT_BLOCKS:
    return "larger blocks: the SM is at its limit of blocks, not of warps";
  case LIMIT_WARPS:
    return "a block size that divides the SM's warps";
  case LIMIT_BARRIERS:
  case OCCUPANCY_LIMITS:
    break;
  }
  return "fewer named barriers per block";
}

/* A grid of less than a wave: a full one, of warps that have less to do; else what the next limiter allows once the first is out of the way, at
 * most twice as many warps. */
static void more_warps_of(struct more_warps *out, const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  double blocks = grid_blocks(in), wave = wave_blocks(in), most = in->all->device->warps_per_sm;
  double batches = shared_out(in);
  struct occupancy o;
  *out = (struct more_warps){.by = 1};
  if (!l || wave <= 0 || most <= 0 || blocks < sms_of(in) || grid_is_few(in)) /* that is small-grid's */
    return;
  if (blocks < wave && blocks_meet(in)) /* more blocks make each barrier of the grid dearer */
    return;
  if (blocks < wave) {
    *out = (struct more_warps){fmin(wave / blocks, batches > 0 ? fmax(batches, 1) : MORE_WARPS_MOST), NULL,
                               "more blocks with less work in each, or split a long sum over blocks or warps"};
    return;
  }
  if (limits_of(&o, in) && o.blocks_per_sm > 0) {
    double warps = o.blocks_per_sm * o.warps_per_block, next = most;
    for (int k = 0; k < OCCUPANCY_LIMITS; k++)
      if (k != (int)o.limit && o.limit != LIMIT_BLOCKS && o.blocks[k] < INT_MAX)
        next = fmin(next, (double)o.blocks[k] * o.warps_per_block);
    int more = (int)fmax(floor(fmin(next / warps, MORE_WARPS_MOST) * o.blocks_per_sm), o.blocks_per_sm + 1);
    *out = (struct more_warps){next / warps, occupancy_limit_name(o.limit), limit_remedy(in, o.limit, more)};
    if (o.limit == LIMIT_REGISTERS)
      fewer_registers(out, in, o.blocks_per_sm, more);
    const char *flight =
        waits_most_for_loads(in) ? "wider loads, more before the first use" : "several elements side by side";
    if (out->by > 1 && grid_is_resident(in))
      out->remedy =
          blocks_meet(in)
              ? pool_printf(
                    in->pool,
                    "more work in flight per warp (%s): all blocks run at once, as its barriers of the grid need",
                    flight)
              : pool_printf(
                    in->pool,
                    "more work in flight per warp (%s), or a larger grid of smaller blocks: all blocks run at once",
                    flight);
    double by;
    const char *larger = larger_blocks(in, &o, &by);
    if (larger) { /* which cost neither registers nor shared memory */
      *out = (struct more_warps){by, out->limit, larger, true};
      return;
    }
  }
  out->by = fmin(out->by, MORE_WARPS_MOST);
}

/* Schedulers have two warps to choose from in a mean cycle: more of them gain nothing that fewer registers, which may spill, would not take. */
static bool schedulers_are_fed(const struct rule_input *in) {
  static const double CHOICE = 2;
  return rule_value(in, "eligible", 0) >= CHOICE;
}

RULE_ROW(280, occupancy, "occupancy", "low occupancy", RULE_BY_BLOCK_SIZE, static_occupancy);
/* More warps help where it is they that ask for the bytes. */
bool rule_occupancy(const struct rule_input *in, struct told *out) {
  struct more_warps x;
  more_warps_of(&x, in);
  bool by_registers = x.limit == occupancy_limit_name(LIMIT_REGISTERS);
  if (x.by <= 1 || ring_bytes(in).present || (by_registers && schedulers_are_fed(in)))
    return false;
  evidence_metric(out, in, "theoretical_occupancy");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "eligible");
  evidence_metric(out, in, "stall_long_scoreboard_share");
  out->sentence =
      x.limit ? pool_printf(in->pool, "%.0f %% of the SM's warps are resident, limited by %s%s%s",
                            100 * rule_value(in, "achieved_occupancy", rule_value(in, "theoretical_occupancy", 0)),
                            x.limit, grid_is_resident(in) && !x.table ? " and by the grid" : "",
                            x.table ? ", of which every block fills as much with the same table" : "")
              : pool_printf(in->pool, "%.0f blocks where %.0f fit: the grid fills %.0f %% of one wave", grid_blocks(in),
                            wave_blocks(in), 100 * grid_blocks(in) / wave_blocks(in));
  out->remedy = x.remedy;
  if (!x.limit && turns_are_serial(in))
    out->remedy =
        "more such problems in a launch: each iteration of a thread's loop needs the one before, so that no other block can take a part";
  if (!x.limit)
    split_turns(out, in, wave_blocks(in));
  out->triton_as = x.limit ? NULL : "small-grid";
  out->spares_registers = by_registers && !grid_is_resident(in);
  /* Work split over blocks has to be put together again: what a thread can do by itself comes first. */
  out->general = !x.limit && grid_turns(in) == 0;
  return true;
}

void change_occupancy(const struct rule_input *in, struct workload *w) {
  struct more_warps x;
  more_warps_of(&x, in);
  work_more_warps(w, x.by);
  if (grid_blocks(in) < wave_blocks(in))
    value_scale(&w->blocks, x.by);
  else
    value_scale(&w->blocks_per_sm, x.by);
}

/* --- what is left --- */

/* Hardly another warp fits an SM. */
static bool warps_are_full(const struct rule_input *in) {
  static const double FULL = 0.9;
  return rule_value(in, "achieved_occupancy", 0) >= FULL;
}

RULE_ROW(340, latency, "latency", "exposed latency", RULE_GENERAL | RULE_REMAINDER, NULL);
bool rule_latency(const struct rule_input *in, struct told *out) {
  if ((in->f->bounds.binding != BOUND_LATENCY && !in->waits.by_turns) || in->waits.of_a_walk)
    return false;
  evidence_needs(out, in, "latency, share of the time", BOUND_LATENCY);
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "achieved_occupancy");
  evidence_metric(out, in, "dram_bw");
  if (in->waits.by_turns) {
    out->general = false;
    out->sentence = pool_printf(
        in->pool, "copying and computing take turns: a tile is waited for in the iteration that loads it%s%s",
        percent_words(in, "; ", "stall_long_scoreboard_share", " long_scoreboard"),
        percent_words(in, ", ", "stall_barrier_share", " barrier"));
    out->remedy = "start the copy of the next tile (cp.async, a second buffer) before this one is worked on";
    return true;
  }
  const char *slots = slots_words(in), *ahead = waits_for_loads(in) ? ", load ahead" : "";
  const char *mostly = in->f->top_stall ? in->f->top_stall : "";
  if (strcmp(mostly, "barrier") == 0 && 2 * barriers_part_of_products(in) > 1)
    mostly = "waits for its own matrix products (barrier)";
  out->sentence = pool_printf(in->pool, "latency-bound%s%s%s%s%s", *slots ? ": " : "", slots,
                              *mostly ? ", mostly " : "", mostly, hottest_place(in));
  out->remedy =
      grid_is_resident(in) && blocks_meet(in)
          ? pool_printf(
                in->pool,
                "more independent work in each warp: unroll, split sums%s (the estimate assumes half of each wait)",
                ahead)
      : warps_are_full(in)
          ? pool_printf(
                in->pool,
                "more independent work in each warp: unroll, split sums%s (the estimate assumes half of each wait)",
                ahead)
      : grid_is_resident(in)
          ? pool_printf(
                in->pool,
                "more independent work in each warp: unroll, split sums%s; or a larger grid (the estimate assumes half of each wait)",
                ahead)
          : pool_printf(
                in->pool,
                "more warps, or more independent work in each: unroll, split sums%s (the estimate assumes half of each wait)",
                ahead);
  return true;
}

void change_latency(const struct rule_input *in, struct workload *w) {
  if (in->waits.by_turns) { /* the copy lasts while the tile before it is worked on */
    value_lessen(&w->dependencies_s, in->waits.turns_s);
    w->loads_s = w->barriers_s = value_of(0);
    return;
  }
  value_scale(&w->loads_s, 0.5);
  value_scale(&w->own_issue_s, 0.5);
  value_scale(&w->dependencies_s, 0.5);
}
