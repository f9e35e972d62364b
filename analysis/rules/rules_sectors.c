/* Rules on sectors: what accesses of global memory touch against what their bytes fill. */
#include "analysis/idioms/origins.h"
#include "analysis/model/nearest_roof.h"
#include "analysis/rules/remedies.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/accesses.h"
#include "analysis/signs/apart.h"
#include "analysis/signs/asked.h"
#include "analysis/signs/atomic_code.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/gathers.h"
#include "analysis/signs/idle_lanes.h"
#include "analysis/signs/repeated.h"
#include "analysis/signs/triton_code.h"
#include "analysis/signs/wider.h"

#include <math.h>

/* --- stores whose sectors nobody fills --- */

/* The instruction of a place, where a thread stores several pieces side by side there; SASS_NONE: it does not, or no place is told. */
static size_t stores_in_pieces(const struct rule_input *in, const struct run_instruction *at) {
  size_t i = at && in->sass ? sass_find(in->sass, at->offset) : SASS_NONE;
  bool ours = i != SASS_NONE && at == &in->sass->kernel->sass[i];
  return ours && in->sass->insts[i].class == SASS_STORE_GLOBAL && access_beside(in->sass, i) ? i : SASS_NONE;
}

/* What a thread's values are put together in. */
static const char *type_of_width(int bytes) {
  return bytes == LANE_BYTES_MOST ? "int4, float4" : bytes == LANE_BYTES_MOST / 2 ? "int2, float2" : "int, half2";
}

static const char *remedy_of_pieces(const struct rule_input *in, size_t i) {
  int wide = pieces_wide(in, i), bytes = in->sass->insts[i].bytes;
  if (wide > 0)
    return pool_printf(
        in->pool,
        "one %d-byte store per thread: put its adjacent %d-byte values together first (%s), where rows are multiples of %d bytes",
        wide, bytes, type_of_width(wide), wide);
  return pool_printf(
      in->pool,
      "store whole sectors: neighbouring lanes to neighbouring addresses, and a thread's adjacent %d-byte values at once, 16 bytes where aligned",
      bytes);
}

RULE_ROW(130, partial_sectors, "partial-sectors", "uncoalesced stores", RULE_CAUSE, NULL);
bool rule_partial_sectors(const struct rule_input *in, struct told *out) {
  if (!stores_are_partial(in))
    return false;
  evidence_metric(out, in, "l1_store_sectors");
  if (rule_value(in, "local_store_sectors", 0) > 0) {
    evidence_metric(out, in, "local_store_sectors");
  } else {
    evidence_metric(out, in, "l2_write_bytes");
    evidence_metric(out, in, "dram_write_bytes");
  }
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  out->at = stores_excess_place(in, &stores);
  size_t piece = stores_in_pieces(in, out->at);
  out->sentence = pool_printf(
      in->pool,
      piece == SASS_NONE
          ? "stores fill %.0f of the 32 bytes of a sector, and each costs the L2 a whole one"
          : "stores fill %.0f of the 32 bytes of a sector: a thread's adjacent stores write it piece by piece",
      SECTOR_BYTES * store_fill(in));
  out->remedy =
      piece == SASS_NONE
          ? "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory"
          : remedy_of_pieces(in, piece);
  return true;
}

/* The sector's other bytes are neither written nor, before that, read.  Loads of the same arrays touch as few sectors as stores then; what loads touch beyond
 * the stores' excess is of other arrays. */
void change_partial_sectors(const struct rule_input *in, struct workload *w) {
  struct accesses loads, stores;
  double fill = store_fill(in), data = rule_value(in, "store_data_bytes", 0);
  double written = rule_value(in, "dram_write_bytes", 0), asked = rule_value(in, "l2_read_bytes", 0);
  double at_l2 = rule_value(in, "l2_write_bytes", 0),
         ours = part_kept(at_l2 - bytes_but_local(in, "l2_write_bytes"), at_l2);
  double unfilled = rule_value(in, "l1_store_sectors", 0) * (1 - fill);
  /* What DRAM is written beyond the sectors of these stores are lines that an earlier kernel left dirty. */
  double fetched = fmin(fmax(bytes_but_local(in, "dram_write_bytes") - data, 0), unfilled * SECTOR_BYTES),
         read = rule_value(in, "dram_read_bytes", 0);
  accesses_of(&loads, &stores, in);
  double alike = fmin(accesses_excess(&loads), unfilled);
  double spared = fmin(alike * SECTOR_BYTES * (1 - rule_value(in, "l1_hit_rate", 0)), asked);
  double cycles = unfilled + alike;
  value_scale(&w->l2_write, 1 - ours * (1 - fill));
  w->partial_share *= 1 - ours;
  value_scale(&w->l2_read, part_kept(spared, asked));
  if (spared > 0) /* as far as the loads lie apart as the stores do */
    w->read_fill += (LINE_SECTORS - w->read_fill) * alike / accesses_excess(&loads);
  value_scale(&w->dram_write, part_kept(fetched, written));
  value_scale(&w->dram_read, part_kept(fmin(fetched + spared, read - fmin(least_bytes(in), read)), read));
  value_scale(&w->l1_wavefronts, part_kept(cycles, rule_value(in, "l1_wavefronts", 0)));
}

/* --- accesses that are not coalesced --- */

/* What is staged through shared memory already is copied in another order. */
static const char *remedy_of_copies(const struct rule_input *in, size_t i) {
  int bytes = in->sass->insts[i].bytes;
  if (access_beside(in->sass, i))
    return pool_printf(
        in->pool,
        "a thread copies adjacent %d-byte pieces: copy %d bytes at once where aligned, or let lane l copy the %d bytes at %d * l of a row",
        bytes, LANE_BYTES_MOST, bytes, bytes);
  return pieces_beside(in->sass, i)
             ? pool_printf(
                   in->pool,
                   "a thread copies adjacent %d-byte pieces: let lane l copy the %d bytes at %d * l of a row instead, so that neighbouring lanes copy neighbouring pieces",
                   bytes, bytes, bytes)
             : pool_printf(
                   in->pool,
                   "let neighbouring lanes copy neighbouring %d-byte pieces along a row of the tile, and make its rows 32 bytes or longer",
                   bytes);
}

static const char *remedy_of_sectors(const struct rule_input *in, enum apart why, const struct run_instruction *at) {
  size_t place = at && in->sass ? sass_find(in->sass, at->offset) : SASS_NONE;
  bool stores = why == APART_OF_STORES || (place != SASS_NONE && in->sass->insts[place].class == SASS_STORE_GLOBAL);
  int bytes = bytes_side_by_side(in);
  size_t staged = why == APART_FAR ? staged_access(in, at) : SASS_NONE;
  if (why == APART_AT_EDGES)
    return "give every lane an element: rows and tiles of a multiple of 32, or one index over all of them";
  if (why == APART_IN_ROWS)
    return "make the block 32 wide (32 x 8 for 16 x 16), so that a warp accesses one row";
  if (why == APART_MISALIGNED && bytes)
    return pool_printf(
        in->pool,
        "a thread reads neighbours at several offsets, of which one at most can be aligned: load aligned pieces of %d bytes, and shift them in registers",
        LANE_BYTES_MOST);
  if (why == APART_MISALIGNED)
    return "begin rows and tiles at multiples of 32 bytes: pad the pitch, or shift where a row or its halo starts";
  if (staged != SASS_NONE)
    return remedy_of_copies(in, staged);
  if (stores && stores_in_pieces(in, at) != SASS_NONE)
    return remedy_of_pieces(in, stores_in_pieces(in, at));
  size_t gather = gather_at(in, at);
  if (lanes_walk_runs(in, at))
    return "each lane walks a run of its own, whose start was loaded: give a run to a warp or a part of one, so that neighbouring lanes read neighbouring elements";
  if (gather != SASS_NONE && place_is_rounded(in->sass, gather))
    return "the places are computed: order the elements, so that neighbouring lanes have near ones (a space-filling curve), or load at once what lies together";
  if (gather != SASS_NONE && !stores && looked_up_in_l1(in))
    return "a table that the L1 holds is looked up: fewer look-ups (keep what was looked up, begin with constants), or compute the value in place of them";
  int wide = bytes && !stores && place != SASS_NONE ? pieces_wide(in, place) : 0;
  if (wide > 0) /* lanes' pieces lie side by side: a thread's at once fill whole sectors */
    return pool_printf(in->pool, "one %d-byte load per thread for its adjacent %d-byte values (%s), where aligned",
                       wide, in->sass->insts[place].bytes, type_of_width(wide));
  if (bytes && !stores)
    return pool_printf(
        in->pool,
        "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent %d-byte loads where rows are multiples of 16 bytes",
        bytes);
  return gather != SASS_NONE
             ? "loaded values choose the places: sort or renumber them where their order is free, else several outputs per look-up, or a narrower table"
             : "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory";
}

/* Triton loads by one tl.load, on one line, as many bytes at once as it knows to be aligned: here neighbours one by one. */
static bool triton_splits(const struct rule_input *in, const struct run_instruction *at) {
  size_t i = at && in->sass ? sass_find(in->sass, at->offset) : SASS_NONE, beside = 0;
  if (i == SASS_NONE || at != &in->sass->kernel->sass[i] || !triton_made(in) || !bytes_side_by_side(in))
    return false;
  for (size_t k = 0; k < in->sass->n; k++)
    beside += counts_as(&in->sass->insts[k], SASS_LOAD_GLOBAL) && same_code_line(in->sass, i, k) &&
              access_beside(in->sass, k);
  return beside > 1;
}

RULE_ROW(140, uncoalesced, "uncoalesced", "uncoalesced global accesses", RULE_LOAD_WAITS, static_uncoalesced);
bool rule_uncoalesced(const struct rule_input *in, struct told *out) {
  static const double as_good_as_none = 1.05; /* told as 1.0 times */
  struct sectors_gone x;
  if (elements_aligned(in) || !sectors_gone_of(&x, in) || is_one_sector_each(in, &x))
    return false;
  if (fmax(x.over, x.by_stores ? x.stores_over : 0) < as_good_as_none)
    return false;
  enum apart why = apart_of(in, &x);
  if (why == APART_BY_BRANCH) /* the sectors are touched anyway */
    return false;
  bool of_stores = x.by_stores && x.loads_hit && why == APART_OF_STORES;
  evidence_add(out, "sectors over the minimum for these bytes", "ratio", value_of(of_stores ? x.stores_over : x.over));
  if (!x.by_stores)
    evidence_metric(out, in, "sectors_per_request");
  evidence_metric(out, in, x.by_stores ? "l1_store_sectors" : "l1_load_sectors");
  evidence_metric(out, in, "stall_lg_throttle_share");
  if (of_stores)
    out->sentence = pool_printf(
        in->pool,
        "global stores touch %.*f times the sectors that their bytes need; the L1 has what loads touch beyond theirs",
        x.stores_over < 2 ? 2 : 1, x.stores_over);
  else
    out->sentence = pool_printf(
        in->pool, "global accesses touch %.*f times the sectors that their bytes need%s", x.over < 2 ? 2 : 1, x.over,
        why == APART_AT_EDGES     ? ": lanes lie side by side, but the ends of rows leave some without an element"
        : why == APART_OF_STORES  ? ", most of the excess by stores"
        : why == APART_MISALIGNED ? ": lanes lie side by side, but their rows begin inside a sector"
        : why == APART_IN_ROWS    ? ": a warp spans several short rows of its block"
                                  : "");
  out->at = excess_place(in, x.by_stores);
  out->remedy = remedy_of_sectors(in, why, out->at);
  out->triton_as = gather_at(in, out->at) == SASS_NONE ? NULL : "";    /* no order of a tile's axes helps */
  if (!out->triton_as && !x.by_stores && triton_splits(in, out->at)) { /* nor here: lanes go along the memory */
    out->remedy =
        "neighbouring elements are loaded one by one, since their alignment is unknown: tl.multiple_of for the offset, and a mask that ends at multiples of 16 bytes";
    out->triton_as = "";
  }
  return true;
}

void change_uncoalesced(const struct rule_input *in, struct workload *w) {
  struct sectors_gone x;
  if (!sectors_gone_of(&x, in))
    return;
  value_scale(&w->l1_wavefronts, part_kept(x.l1_cycles, rule_value(in, "l1_wavefronts", 0)));
  value_scale(&w->l2_read, part_kept(x.l2_read, rule_value(in, "l2_read_bytes", 0)));
  value_scale(&w->l2_write, part_kept(x.l2_write, rule_value(in, "l2_write_bytes", 0)));
  value_scale(&w->dram_read, part_kept(x.dram_read, rule_value(in, "dram_read_bytes", 0)));
  if (x.l2_read > 0)
    w->read_fill = LINE_SECTORS;
  if (x.l2_write > 0)
    w->partial_share = 0;
  if (chained_load(in) == SASS_NONE) { /* addresses that loads bring stay where they are */
    value_lessen(&w->slow_loads, log(fmax(x.over, 1)));
    w->sectors_spread = 1;
  }
}

/* --- a library's matrix product of rows that are not aligned --- */

enum { ROW_ELEMENTS = 8, WHOLE_MMA = 2 * 16 * 8 * 16 }; /* of 2 bytes in 16; FLOPs of the widest HMMA, m16n8k16 */

RULE_ROW(135, narrow_rows, "narrow-rows", "rows too narrow for the library's fast kernels", RULE_NO_PAIR, NULL);
bool rule_narrow_rows(const struct rule_input *in, struct told *out) {
  int aligned = elements_aligned(in);
  if (!aligned)
    return false;
  evidence_add(out, "rows aligned to", "byte", value_of(2 * aligned));
  evidence_metric(out, in, "sectors_per_request");
  evidence_metric(out, in, "l1_load_requests");
  out->sentence = pool_printf(
      in->pool,
      "the library took a kernel that loads %d bytes at a time, because rows begin at multiples of %d element%s",
      2 * aligned, aligned, aligned == 1 ? "" : "s");
  out->remedy = NARROW_ROWS_REMEDY;
  out->by_caller = true;
  return true;
}

/* A load of 16 bytes stands for 8 elements; what packs them, and waits for each, goes with their loads.  Matrix instructions stay, as wide as they come. */
void change_narrow_rows(const struct rule_input *in, struct workload *w) {
  double part = (double)elements_aligned(in) / ROW_ELEMENTS, flops = hmma_flops(in->all->run, in->f->result);
  double l1 = rule_value(in, "l1_wavefronts", 0), tensor = or_zero(w->tensor), insts = or_zero(w->inst);
  struct sectors_gone x;
  if (part <= 0)
    return;
  if (sectors_gone_of(&x, in)) {
    value_scale(&w->l2_read, part_kept(x.l2_read, rule_value(in, "l2_read_bytes", 0)));
    value_scale(&w->l2_write, part_kept(x.l2_write, rule_value(in, "l2_write_bytes", 0)));
    value_scale(&w->dram_read, part_kept(x.dram_read, rule_value(in, "dram_read_bytes", 0)));
  }
  value_scale(&w->l1_wavefronts, part_kept((l1 - fmin(shared_load_wavefronts(in), l1)) * (1 - part), l1));
  value_scale(&w->alu, part);
  value_scale(&w->lsu, part);
  value_scale(&w->loads_s, part);
  work_fewer_insts(in, w, fmax(insts - tensor, 0) * (1 - part));
  if (flops > 0)
    value_scale(&w->tensor, fmin(flops / WHOLE_MMA, 1));
  w->sectors_spread = 1;
}
