/* Rules on bytes: those that DRAM and the L2 move, and those that need not move. */
#include "analysis/rules/product_words.h"
#include "analysis/rules/reread_words.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/saving.h"
#include "analysis/rules/split_words.h"
#include "analysis/signs/about.h"
#include "analysis/signs/accesses.h"
#include "analysis/signs/asked.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/lookups.h"
#include "analysis/signs/pipes.h"
#include "analysis/signs/product_waits.h"
#include "analysis/signs/reloads.h"
#include "analysis/signs/repeated.h"
#include "analysis/signs/sectors_gone.h"
#include "analysis/signs/stored_arrays.h"
#include "analysis/signs/waves.h"
#include "analysis/signs/wider.h"

#include "analysis/idioms/buffers.h"
#include "analysis/idioms/staged.h"
#include "analysis/idioms/store_blocks.h"

#include <math.h>
#include <string.h>

/* A value that is loaded once is used this many times by the remedy: rows of a thread, outputs of a tile. */
static const double REUSE = 4;

/* A program's kernel that computes nothing: whether its bytes must move is its neighbours' matter.  A declared problem is what it is for. */
static bool only_moves(const struct rule_input *in) {
  return !in->f->dram_over_minimal.present && in->sass && sass_only_moves(in->sass);
}

/* The place of a load or a store is made of what was loaded: a gather, a scatter. */
static bool moves_by_index(struct sass *s) {
  for (size_t i = 0; i < s->n; i++)
    if (sass_is_global(&s->insts[i]) && sass_summed(s, i, SASS_NONE) && sass_place_is_loaded(s, i))
      return true;
  return false;
}

static const char *leave_out(const struct rule_input *in) {
  return moves_by_index(in->sass)
             ? "leave this kernel out: let the kernel before or after it write or read by these indices"
             : "leave this kernel out: let the kernel before or after it write or read in this order";
}

/* Bytes of a lane's mean load, where its elements could be loaded wider; 0: they are wide, or that is not known. */
static double narrow_loads(const struct rule_input *in) {
  bool known;
  double bytes = lane_load_bytes(in);
  enum wider w = wider_loads(in, &known);
  return known && (w == WIDER_BESIDE || w == WIDER_LANES) && 2 * bytes < LANE_BYTES_MOST ? bytes : 0;
}

/* Fewer requests fill DRAM's last part better: of a sum of 4 arrays vec4 kernels took 2.8 % less at 94 %, and 12.7 % at 83 (an H100, 2026-11-26). */
static const char *wider_words(const struct rule_input *in, double part) {
  static const double FULL = 0.97;
  double bytes = part < FULL ? narrow_loads(in) : 0;
  return bytes > 0 ? pool_printf(in->pool, "; loads of 16 bytes per lane (now %.2g) may bring some of the last %.0f %%",
                                 bytes, 100 * (1 - part))
                   : "";
}

/* Bytes that leave the L2 for one that DRAM reads from which on blocks read the same: below are halos and partial lines, where larger tiles gain nothing. */
static const double READ_AGAIN = 1.5;

/* What comes before fewer bytes: instructions where they take nearly as long (a gelu of halves issued in 73 % of the slots took 102 us where a relu, of the same
 * bytes, took 90: an H100, 2026-11-26), else wider loads, which cost less than another type. */
static const char *busy_remedy(const struct rule_input *in, struct told *out, double part) {
  static const double ISSUE_NEAR = 0.65;
  double slots = rule_value(in, "issue_slot_utilisation", 0), bytes = narrow_loads(in);
  if (only_moves(in))
    return leave_out(in);
  if (slots > ISSUE_NEAR) {
    out->rank_s = ADVICE_LEAST_SHARE * in->time_s; /* whatever else is worth telling */
    return pool_printf(
        in->pool,
        "fewer instructions first: %.0f %% of issue slots are used; then fewer bytes (a narrower type, fusion with the neighbouring kernel)",
        100 * slots);
  }
  double read = rule_value(in, "dram_read_bytes", 0);
  if (runs_tensor_cores(in) && read > rule_value(in, "dram_write_bytes", 0) &&
      rule_value(in, "l2_read_bytes", 0) >= READ_AGAIN * read)
    return "where DRAM reads more than the inputs' size: larger tiles, or neighbouring blocks on the same tiles (raster, swizzle); else a narrower type";
  if (bytes <= 0)
    return "move fewer bytes: a narrower type, or fuse with the kernel that writes or reads them";
  out->at = about_place(in, about_loads);
  return pool_printf(
      in->pool,
      "load 16 bytes per lane (now %.2g), which may bring some of the last %.0f %%; then fewer bytes (a narrower type, fusion with the neighbouring kernel)",
      bytes, 100 * (1 - part));
}

RULE_ROW(10, dram_saturated, "dram-saturated", "DRAM-bandwidth bound", RULE_FULL_DRAM, NULL);
bool rule_dram_saturated(const struct rule_input *in, struct told *out) {
  const struct bounds *b = &in->f->bounds;
  struct value dram = b->seconds[BOUND_DRAM], ramp = b->model.seconds[RESOURCE_RAMP], roof = finding_dram_roof(in->f);
  double part = bound_needs(in, BOUND_DRAM), whole_s = part > 0 ? dram.v / part : in->time_s;
  if (!roof.present || part < DRAM_BUSY)
    return false;
  evidence_metric(out, in, "dram_bw");
  if (part <= 1) { /* else the rates are off by as much */
    evidence_add(out, "most for its reads and writes", "B/s", roof);
    evidence_add(out, "time that the bytes need", "s", dram);
  }
  evidence_add(out, "DRAM bytes over minimal", "ratio", in->f->dram_over_minimal);
  out->at = dram_place(in);
  if (dram.v + model_fitted.ramp * or_zero(ramp) < DRAM_ALONE * whole_s) {
    out->unpriced = true;
    out->rank_s = MODEL_ERROR * in->time_s; /* what saves less than the model can tell comes after it */
    out->sentence =
        pool_printf(in->pool, "DRAM is %.0f %% full: with the same bytes at most %.0f %% of the time can be saved",
                    100 * part, 100 * (1 - part));
    out->remedy = busy_remedy(in, out, part);
    return true;
  }
  out->stop = true;
  out->helps = "fewer bytes";
  out->sentence = pool_printf(
      in->pool,
      part > 1
          ? "DRAM-bandwidth bound: %.2f TB/s, above the %.2f measured for its reads and writes; warps wait in its queue"
          : "DRAM-bandwidth bound: %.2f of %.2f TB/s; warps wait in its queue",
      part * roof.v * 1e-12, roof.v * 1e-12);
  out->remedy =
      only_moves(in)
          ? pool_printf(in->pool, "only fewer bytes help; %s", leave_out(in))
          : pool_printf(in->pool, "only fewer bytes help (a narrower type, fusion with the neighbouring kernel)%s",
                        wider_words(in, part));
  return true;
}

/* Only fewer bytes help, and how many the model does not know. */
void change_dram_saturated(const struct rule_input *in, struct workload *w) {
  (void)in;
  (void)w;
}

/* --- bytes at DRAM --- */

/* One launch whose loads stand in one loop, or in none, and ask for just the bytes that DRAM reads: none passes twice, though what must move was declared as
 * less. */
static bool reads_once(const struct rule_input *in) {
  static const double ALIKE = 0.1;
  double asked = asked_bytes(in), read = rule_value(in, "dram_read_bytes", 0);
  size_t loop = SASS_NONE, loads = 0;
  if (in->f->result->n_launches != 1 || !in->sass || !(fabs(read / asked - 1) <= ALIKE))
    return false;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    size_t own = in->sass->blocks[in->sass->block_of[i]].loop;
    if (!counts_as(x, SASS_LOAD_GLOBAL) || x->never || x->malformed)
      continue;
    if (loads++ && own != loop)
      return false;
    loop = own;
  }
  return loads > 0;
}

/* Of the bytes of DRAM, those beyond the least: 0..1. */
static double excess_part(const struct rule_input *in) {
  double over = or_zero(in->f->dram_over_minimal);
  return over > 1 ? 1 - 1 / over : 0;
}

static double excess_bytes(const struct rule_input *in) {
  return excess_part(in) * (rule_value(in, "dram_read_bytes", 0) + rule_value(in, "dram_write_bytes", 0));
}

/* What stays in registers is neither stored nor loaded again. */
static void fewer_arrays(struct workload *w, double kept) {
  value_scale(&w->l2_read, kept);
  value_scale(&w->l2_write, kept);
  value_scale(&w->loads_s, kept);
}

/* Of these, what sectors cost that stores write in part: they are written whole, and filled before. */
static double of_partial_sectors(const struct rule_input *in) {
  double stored = rule_value(in, "store_data_bytes", 0), asked = asked_bytes(in);
  double touched = stored > 0 ? rule_value(in, "l1_store_sectors", 0) * SECTOR_BYTES : 0;
  double written = fmax(fmin(touched, rule_value(in, "dram_write_bytes", 0)) - stored, 0);
  double filled = asked > 0 && touched > ACCESS_SLACK * stored ? rule_value(in, "dram_read_bytes", 0) - asked : 0;
  return written + fmin(fmax(filled, 0), touched);
}

/* Most of the excess is what [spills], [partial-sectors] or [uncoalesced] tells of. */
static bool excess_is_told(const struct rule_input *in) {
  static const double MOST = 0.5;
  struct sectors_gone apart;
  bool local = rule_value(in, "local_load_sectors", 0) + rule_value(in, "local_store_sectors", 0) > 0;
  return (local && (local_part(in) >= MOST || !finding_value(in->f, "local_share").present)) ||
         of_partial_sectors(in) >= MOST * excess_bytes(in) ||
         (sectors_gone_of(&apart, in) && apart.dram_read >= MOST * excess_bytes(in));
}

/* Bytes of stores that the declared ones do not hold: DRAM reads each byte once that the L2 sends, and what that leaves of the least bytes is one array of several. */
static double undeclared_stores(const struct rule_input *in) {
  static const double ALIKE = 0.1;
  double read = rule_value(in, "dram_read_bytes", 0), sent = rule_value(in, "l2_read_bytes", 0);
  if (in->f->bounds.work.launches > 1 || !(read > 0) || !(fabs(sent / read - 1) <= ALIKE))
    return 0;
  double left = least_bytes(in) - read;
  return stores_one_array_of(in, left) ? fmax(rule_value(in, "store_data_bytes", 0) - left, 0) : 0;
}

/* Launches that hand each other arrays are fused, and what that spares most is their starts: launch-bound says it. */
static bool launches_spare_more(const struct rule_input *in) {
  double launches = in->f->bounds.work.launches, kept = 1 - excess_part(in);
  struct workload fewer_bytes = in->work, fewer_launches = in->work;
  if (!(launches > 1))
    return false;
  value_scale(&fewer_bytes.dram_read, kept);
  value_scale(&fewer_bytes.dram_write, kept);
  fewer_arrays(&fewer_bytes, kept);
  fewer_launches.launches = 1;
  value_scale(&fewer_launches.empty_s, 1 / launches);
  return saving_of(in, &fewer_bytes) < saving_of(in, &fewer_launches);
}

RULE_ROW(220, excess_dram_bytes, "excess-dram-bytes", "excess DRAM traffic", RULE_GENERAL | RULE_BYTES, NULL);
bool rule_excess_dram_bytes(const struct rule_input *in, struct told *out) {
  struct value over = in->f->dram_over_minimal;
  static const double most_of_it = 0.5; /* of the time: else something else is the matter */
  double dram = bound_needs(in, BOUND_DRAM);
  if (in->f->bounds.binding == BOUND_DRAM && dram >= most_of_it && dram < DRAM_BUSY && only_moves(in)) {
    evidence_metric(out, in, "dram_read_bytes");
    evidence_metric(out, in, "dram_write_bytes");
    out->unpriced = true;
    out->rank_s = (1 - dram) * in->time_s; /* whatever else is done, DRAM's row stays */
    out->sentence = "all that the kernel stores it has loaded: it only moves data";
    out->remedy = leave_out(in);
    return true;
  }
  if (!over.present || excess_part(in) < NAMED_LEAST || reads_once(in) || excess_is_told(in) || launches_spare_more(in))
    return false;
  evidence_add(out, "DRAM bytes over minimal", "ratio", over);
  evidence_metric(out, in, "dram_write_share");
  evidence_metric(out, in, "l2_hit_rate");
  double writes = over.v * rule_value(in, "dram_write_share", -1);
  out->sentence =
      pool_printf(in->pool, "DRAM moves %.2f times the minimal bytes%s", over.v,
                  writes < 0 ? "" : pool_printf(in->pool, " (reads %.2f, writes %.2f)", over.v - writes, writes));
  double beside = undeclared_stores(in);
  if (beside > 0) {
    out->general = false;
    out->sentence = pool_printf(in->pool, "%s: %.0f %% of what threads store is not a declared output", out->sentence,
                                100 * beside / rule_value(in, "store_data_bytes", beside));
    out->remedy =
        "store only what is read later: leave out arrays that are kept for nobody, or keep them in a narrower type";
    return true;
  }
  out->remedy =
      in->f->bounds.work.launches > 1
          ? "fuse the launches so that arrays between them stay in registers; compute a neighbour's value again where a thread needs it"
          : "read every byte once: order blocks so that shared data stay in the L2, fuse passes, drop padding";
  return true;
}

/* Where launches hand each other what is in excess, one launch starts its blocks once. */
void change_excess_dram_bytes(const struct rule_input *in, struct workload *w) {
  double kept = 1 - excess_part(in), launches = in->f->bounds.work.launches;
  double beside = undeclared_stores(in);
  if (beside > 0) {
    value_scale(&w->dram_write, part_kept(excess_bytes(in), rule_value(in, "dram_write_bytes", 0)));
    value_scale(&w->l2_write, part_kept(beside, rule_value(in, "store_data_bytes", 0)));
    return;
  }
  value_scale(&w->dram_read, kept);
  value_scale(&w->dram_write, kept);
  if (!(launches > 1) || kept >= 1)
    return;
  fewer_arrays(w, kept);
  value_scale(&w->empty_s, 1 / launches);
  w->launches = 1;
}

/* More is written to DRAM than the kernel writes to the L2; 0 where what it writes was not counted, as in many imports. */
static double foreign_writes(const struct rule_input *in) {
  if (rule_value(in, "l2_write_bytes", -1) < 0)
    return 0;
  double atomics = rule_value(in, "l2_atomic_sectors", 0) * SECTOR_BYTES;
  return fmax(rule_value(in, "dram_write_bytes", 0) - rule_value(in, "l2_write_bytes", 0) - atomics, 0);
}

RULE_ROW(230, write_back, "write-back", "write-back of lines left dirty", RULE_CAUSE, NULL);
bool rule_write_back(const struct rule_input *in, struct told *out) {
  double foreign = foreign_writes(in), all = rule_value(in, "dram_bytes", 0);
  if (all <= 0 || foreign <= 0)
    return false;
  evidence_metric(out, in, "dram_write_bytes");
  evidence_metric(out, in, "l2_write_bytes");
  out->sentence =
      pool_printf(in->pool, "%.0f %% of the DRAM bytes write back lines that an earlier kernel left dirty in the L2",
                  100 * foreign / all);
  out->remedy =
      in->all->run->process.launches > 0
          ? "fuse with the kernel that wrote the lines, so that they need not pass through memory"
          : "measure with --l2 cold, which evicts by reading; in a program, fuse with the kernel that wrote the lines";
  out->by_caller = true;
  return true;
}

void change_write_back(const struct rule_input *in, struct workload *w) {
  value_scale(&w->dram_write, part_kept(foreign_writes(in), rule_value(in, "dram_write_bytes", 0)));
}

/* --- bytes above it --- */

/* Without local memory's, which are each thread's own. */
static double l2_reads(const struct rule_input *in) {
  return rule_value(in, "l2_read_bytes", 0) * (1 - local_part(in));
}

/* Of the bytes that the L2 delivers, those that go where each is used REUSE times.  What lanes lie apart for is no re-reading: it is left out where the bytes that
 * lanes ask for are compared with the least, and goes with what is not asked for again. */
static double rereads(const struct rule_input *in) {
  double least = fmax(distinct_bytes(in), rule_value(in, "dram_read_bytes", 0)), all = l2_reads(in);
  double asked = all - l2_read_over(in);
  return asked > least ? all * (1 - least / asked) * (1 - 1 / REUSE) : 0;
}

/* All that the loop with the loads brings goes to shared memory: a block uses it from there as often as it will, and what is read again other blocks read. */
static bool loads_fill_shared(const struct rule_input *in) {
  struct sass_summary summary;
  if (!in->sass)
    return false;
  sass_summarise(in->sass, &summary);
  return sass_all_staged(in->sass, summary.stream);
}

/* Part of the loads that goes where each value is used REUSE times; functions load their coefficients, a sector at least, as often. */
static double redundant(const struct rule_input *in) {
  double bytes = load_bytes(in), least = needed_bytes(in), once = least + SECTOR_BYTES * function_loads(in);
  return bytes > once && least > 0 ? (bytes - once) * (1 - 1 / REUSE) / bytes : 0;
}

/* Of DRAM's bytes those that a later loop reads once more; caches hold no half of them. */
static double dram_again(const struct rule_input *in) {
  double read = rule_value(in, "dram_read_bytes", 0), needed = needed_bytes(in);
  return needed < distinct_bytes(in) && read >= READ_AGAIN * needed ? (read - needed) * (1 - 1 / REUSE) : 0;
}

/* The loads that go take their part of the L1's cycles for global memory, of LSU and of issue with them. */
static void fewer_loads(const struct rule_input *in, struct workload *w) {
  double part = redundant(in), requests = rule_value(in, "l1_load_requests", 0) * part;
  double shared = rule_value(in, "shared_wavefronts", 0), l1 = rule_value(in, "l1_wavefronts", 0);
  value_scale(&w->l1_wavefronts, part_kept(part * fmax(l1 - shared, 0), l1));
  value_scale(&w->lsu, part_kept(requests, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, requests);
}

static const double MOST_CHOSEN = 0.5;
#define PLACES_BY_DATA                                                                                                 \
  "data choose the places: order the work so that lanes and blocks side by side ask for the same lines (the estimate assumes a fourth)"

RULE_ROW(210, l2_rereads, "l2-rereads", "bytes are re-read from the L2", RULE_BYTES_OF_CACHES, NULL);
bool rule_l2_rereads(const struct rule_input *in, struct told *out) {
  double read = l2_reads(in), dram = rule_value(in, "dram_read_bytes", 0);
  if (rereads(in) <= 0 || dram <= 0 || chases_lead(in) || (held_by_l2(in) <= dram && read < READ_AGAIN * dram))
    return false;
  evidence_metric(out, in, "l2_bytes");
  evidence_metric(out, in, "dram_bytes");
  evidence_needs(out, in, "L2, share of the time", BOUND_L2);
  if (held_by_l2(in) > dram)
    out->sentence = pool_printf(in->pool, "the L2 sends %.1f times its size: blocks re-read data that fit in it",
                                read / held_by_l2(in));
  else
    out->sentence =
        pool_printf(in->pool, "%.1f bytes leave the L2 for each byte read from DRAM: blocks re-read data", read / dram);
  struct product_roof roof;
  const char *best = product_words(in, out, &roof);
  bool chosen = !best && chosen_by_data(in) > MOST_CHOSEN;
  out->remedy =
      best ? pool_printf(
                 in->pool,
                 "larger tiles in shared memory or registers, so that fewer read each byte (estimate: a fourth; %s)",
                 best)
      : chosen
          ? PLACES_BY_DATA
          : "larger tiles in shared memory or registers, so that fewer tiles read each byte (the estimate assumes 4 times fewer L2 bytes)";
  out->tiles = chosen ? 0 : 1;
  out->tiles_else =
      "not larger tiles, which leave SMs idle: blocks of a cluster share what they read (multicast); tiles no wider than the matrix";
  struct sass_passes passes;
  if (passes_load_again(&passes, in, distinct_bytes(in))) {
    out->yields_to = "redundant-loads";
    out->yields_why = "the same loops load again what an earlier one had";
  }
  if (!out->yields_to && fetches_unasked(in, load_bytes(in), read)) {
    out->yields_to = "uncoalesced";
    out->yields_why = UNASKED_WORDS;
  }
  out->at = bringing_place(in);
  out->general = in->waits.by_turns; /* what is waited for in turn comes first */
  return true;
}

/* What is not read again is not waited for; but a loop that waits for each tile in the turn that loads it waits for larger ones as long. */
void change_l2_rereads(const struct rule_input *in, struct workload *w) {
  double kept = part_kept(rereads(in), rule_value(in, "l2_read_bytes", 0));
  value_scale(&w->l2_read, kept);
  value_scale(&w->loads_s, in->waits.by_turns ? 1 : kept);
  if (loads_fill_shared(in))
    fewer_loads(in, w);
}

/* The kernel is the GEMV, so that what is read again is B. */
static bool reads_b(const struct rule_input *in) {
  struct buffers buffers;
  if (!in->sass)
    return false;
  bool told = buffers_begin(&buffers, in->sass, &in->all->run->variants[in->f->result->variant], in->all->device->sm);
  buffers_release(&buffers);
  return told;
}

/* What the bytes of loads are set against, by where they were counted: a problem's least bytes are
 * known only where it is declared. */
static const struct least_words {
  const char *bytes, *l1, *l2;
} DECLARED = {"the minimal bytes", "L1 load bytes over minimal", "L2 read bytes over minimal"},
  OF_DRAM = {"the bytes read from DRAM", "L1 load bytes over DRAM's", "L2 read bytes over DRAM's"},
  OF_L2 = {"the bytes read from the L2", "L1 load bytes over the L2's", NULL},
  L2_HOLDS = {"what fits into the L2", "L1 load bytes over the L2's size", "L2 read bytes over the L2's size"};

static const struct least_words *least_words(const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  if (r->bytes_declared > 0 || r->bytes_minimal > 0)
    return &DECLARED;
  if (held_by_l2(in) <= least_bytes(in))
    return &OF_DRAM;
  return rule_value(in, "l2_read_bytes", 0) <= held_by_l2(in) ? &OF_L2 : &L2_HOLDS;
}

/* Of its stores a thread's sum needs the last alone, where every turn of the loop that data come through stores to one place: what stays of them.  1: it does not, or how
 * often it turns is not known. */
static double stores_kept(const struct rule_input *in) {
  struct sass_summary summary;
  struct sass_store_blocks x;
  double warps = grid_blocks(in) * or_zero(in->f->bounds.work.warps_per_block);
  if (!in->sass || !in->sass->counted || warps <= 0)
    return 1;
  sass_summarise(in->sass, &summary);
  if (!sass_store_blocks(&x, in->sass, summary.stream) || !x.same_place)
    return 1;
  return fmin(warps / fmax(in->sass->executed[x.store], warps), 1);
}

#define BLOCKS_ALIKE                                                                                                   \
  "blocks load the same values: let each do the work of several, and load them once for all of it (the estimate assumes 4)"
#define FEW_BLOCKS                                                                                                     \
  "keep what is read again in registers, or in shared memory where it fits: there are too few blocks to merge any (the estimate assumes a fourth)"
#define SUM_REMEDY                                                                                                     \
  "keep the sum in a register and store it once, after the loop (const __restrict__ lets loads move ahead); then several outputs per thread"

static const char *reload_remedy(enum reload why) {
  switch (why) {
  case RELOAD_STORE:
    return "keep values in local variables: a store through a pointer without __restrict__ makes the compiler load them again";
  case RELOAD_BARRIER:
    return "keep the value in a local variable: it is read again behind a barrier, where the compiler must load it again";
  default:
    return "keep the value in a local variable: the code loads it twice";
  }
}

/* Most of what is loaded again comes from the L2, and blocks load the same: no shared memory of one block spares that, only fewer blocks that load it.  What one
 * block loads as often as the remedy would share it, the L1 would hold for a part of these. */
static bool blocks_load_alike(const struct rule_input *in, double least) {
  static const double MOST = 0.5;
  double all = load_bytes(in), again = all - least, of_l2 = rule_value(in, "l2_read_bytes", 0) - least;
  return again > 0 && of_l2 > MOST * again && (all >= REUSE * least || repeated_by_blocks(in) > MOST * again / all);
}

RULE_ROW(200, redundant_loads, "redundant-loads", "the same bytes are loaded repeatedly", RULE_BYTES_OF_CACHES, NULL);
bool rule_redundant_loads(const struct rule_input *in, struct told *out) {
  static const double TOLD = 0.5; /* of the stores */
  double least = needed_bytes(in), l1 = load_bytes(in), l2 = rule_value(in, "l2_read_bytes", 0);
  if (redundant(in) <= 0 || elements_aligned(in) || chases_lead(in) || looked_up_in_l1(in))
    return false;
  bool b = reads_b(in);
  double stores = 1 - stores_kept(in);
  if (!b && stores < TOLD && loads_fill_shared(in) && rereads(in) > 0) /* l2-rereads says it, in a tile's words */
    return false;
  enum reload why;
  double again = loads_again(in, &why);
  bool by_itself = !b && again >= (1 - least / l1) / 2; /* most of it */
  if (!by_itself && !b && stores < TOLD && fmax(l1, l2) < READ_AGAIN * least)
    return false;
  const struct least_words *words = least_words(in);
  bool by_l2 = words->l2 && finding_value(in->f, "l2_read_bytes").present;
  evidence_add(out, words->l1, "ratio", value_of(l1 / least));
  if (by_l2)
    evidence_add(out, words->l2, "ratio", value_of(l2 / least));
  evidence_metric(out, in, "lsu_share");
  const char *beyond =
      b ? "; B and its scales are loaded again for every row"
        : (by_itself ? pool_printf(in->pool, "; %.0f %% are an address that the thread has just loaded", 100 * again)
                     : "");
  const char *l2_words = by_l2 ? pool_printf(in->pool, ", and the L2 %.1f times", l2 / least) : "";
  out->sentence =
      pool_printf(in->pool, "the L1 delivers %.1f times %s%s%s", l1 / least, words->bytes, l2_words, beyond);
  if (by_l2 && fetches_unasked(in, l1, l2)) {
    out->yields_to = "uncoalesced";
    out->yields_why = UNASKED_WORDS;
  }
  bool alike = blocks_load_alike(in, least);
  const char *alike_words = chosen_by_data(in) > MOST_CHOSEN    ? PLACES_BY_DATA
                            : grid_blocks(in) < wave_blocks(in) ? FEW_BLOCKS
                                                                : BLOCKS_ALIKE;
  struct sass_passes passes;
  if (!by_itself && !b && stores < TOLD && in->f->launch && passes_load_again(&passes, in, least)) {
    out->sentence =
        pool_printf(in->pool, "%s: loops at lines %s load the same array",
                    dram_again(in) > 0 ? pool_printf(in->pool, "DRAM reads %.1f times the bytes that one pass needs",
                                                     rule_value(in, "dram_read_bytes", 0) / least)
                                       : out->sentence,
                    lines_of_passes(in, &passes));
    out->remedy = passes_remedy(in, &passes);
    out->at = about_inst(in, passes.at[passes.n - 1]);
    return true;
  }
  struct product_roof roof;
  const char *best = by_itself || b ? NULL : product_words(in, out, &roof);
  if (by_itself)
    out->remedy = reload_remedy(why);
  else if (best)
    out->remedy = pool_printf(
        in->pool,
        roof.pipe == BOUND_TENSOR && runs_tensor_cores(in)
            ? "each value in more matrix instructions: larger tiles per warp, in shared memory (estimate: a fourth of the loads; %s)"
        : roof.pipe == BOUND_TENSOR
            ? "multiply tiles on the tensor cores: mma.sync with ldmatrix, or wgmma (estimate: a fourth of the loads; %s)"
            : "compute tiles from shared memory, several outputs per thread in registers (estimate: 4; %s)",
        best);
  else
    out->remedy =
        b ? "share B between rows: several rows per thread or warp (the estimate assumes 4), or load B once into shared memory"
        : alike
            ? alike_words
            : "reuse loaded values: several outputs per thread (the estimate assumes 4), or keep what is read again in registers or "
              "shared memory";
  if (stores >= TOLD) {
    out->sentence =
        pool_printf(in->pool, "%s; every iteration of the loop stores its sum, of which %.0f %% are stored over",
                    out->sentence, 100 * stores);
    out->remedy = SUM_REMEDY;
  } else if (!by_itself && !best && !b)
    out->frugal =
        alike
            ? alike_words
            : "keep what is read again in shared memory (estimate: a fourth of the loads): more outputs per thread take registers, and with them warps";
  out->at = by_itself ? about_place(in, about_loads) : repeated_place(in, (1 - least / l1) / 2);
  return true;
}

/* That B is decoded as often is decode-cost's to say. */
void change_redundant_loads(const struct rule_input *in, struct workload *w) {
  fewer_loads(in, w);
  value_scale(&w->loads_s, reads_b(in) ? 1 : 1 - redundant(in)); /* loads of A come with those of B */
  value_scale(&w->l2_read, part_kept(rereads(in) + dram_again(in), rule_value(in, "l2_read_bytes", 0)));
  value_scale(&w->dram_read, part_kept(dram_again(in), rule_value(in, "dram_read_bytes", 0)));
  value_scale(&w->l2_write, stores_kept(in));
  value_scale(&w->dram_write, stores_kept(in));
}
