/* Rules on sectors: what accesses of global memory touch against what their bytes fill. */
#include "analysis/advice/remedies.h"
#include "analysis/advice/rule_tools.h"
#include "analysis/model/nearest_roof.h"
#include "analysis/signs/about.h"
#include "analysis/signs/accesses.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/idle_lanes.h"
#include "analysis/signs/lane_rows.h"
#include "analysis/signs/sector_excess.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct run_instruction *place_of_stores(const struct rule_input *in, const struct accesses *stores) {
  struct sector_counts of = {about_stores, accesses_excess(stores), rule_value(in, "l1_store_requests", 0)};
  return sector_excess_place(in, &of, 1, about_stores);
}

/* --- stores whose sectors nobody fills --- */

/* Part of a written sector that is data, by the counters; 1 where they were not collected. */
static double store_fill(const struct rule_input *in) {
  double bytes = rule_value(in, "store_data_bytes", 0), sectors = rule_value(in, "l1_store_sectors", 0);
  return bytes > 0 && sectors > 0 ? fmin(bytes / (SECTOR_BYTES * sectors), 1) : 1;
}

/* Bytes of a counter of writes but for those to local memory, whose sectors are full. */
static double but_local(const struct rule_input *in, const char *written) {
  return fmax(rule_value(in, written, 0) - SECTOR_BYTES * rule_value(in, "local_store_sectors", 0), 0);
}

/* Other stores complete the sectors in the L2 where DRAM is written no more bytes than were stored.  Padded rows cure loads and stores of a library's kernel
 * at once: there it is one piece of advice. */
static bool is_partial(const struct rule_input *in) {
  double written = but_local(in, "dram_write_bytes"), data = rule_value(in, "store_data_bytes", 0);
  return store_fill(in) < 1 && written > data && !elements_aligned(in);
}

RULE_ROW(130, partial_sectors, "partial-sectors", "uncoalesced stores", false);
bool rule_partial_sectors(const struct rule_input *in, struct advice *out) {
  if (!is_partial(in))
    return false;
  evidence_metric(out, in, "l1_store_sectors");
  if (rule_value(in, "local_store_sectors", 0) > 0) {
    evidence_metric(out, in, "local_store_sectors");
  } else {
    evidence_metric(out, in, "l2_write_bytes");
    evidence_metric(out, in, "dram_write_bytes");
  }
  out->sentence =
      pool_printf(in->pool, "stores fill %.0f of the 32 bytes of a sector: the L2 fetches and merges the rest",
                  SECTOR_BYTES * store_fill(in));
  out->remedy = "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory";
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  out->at = place_of_stores(in, &stores);
  return true;
}

/* The sector's other bytes are neither written nor, before that, read.  Loads of the same arrays touch as few sectors as stores then; what loads touch beyond
 * the stores' excess is of other arrays. */
void change_partial_sectors(const struct rule_input *in, struct workload *w) {
  struct accesses loads, stores;
  double fill = store_fill(in), data = rule_value(in, "store_data_bytes", 0);
  double written = rule_value(in, "dram_write_bytes", 0), asked = rule_value(in, "l2_read_bytes", 0);
  double at_l2 = rule_value(in, "l2_write_bytes", 0), ours = part_kept(at_l2 - but_local(in, "l2_write_bytes"), at_l2);
  double unfilled = rule_value(in, "l1_store_sectors", 0) * (1 - fill);
  /* What DRAM is written beyond the sectors of these stores are lines that an earlier kernel left dirty. */
  double fetched = fmin(fmax(but_local(in, "dram_write_bytes") - data, 0), unfilled * SECTOR_BYTES),
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

/* What goes: sectors beyond the least at the L1, those of them that missed at the L2, and at DRAM what no lane asked for. */
struct sectors_gone {
  double l1, l2_read, l2_write, dram_read;
  double over;    /* sectors over the least, of loads and stores together */
  bool by_stores; /* more than half of what goes at the L1 */
};

/* Of the whole launch, where no instruction was counted by itself: Nsight Compute sums what its source view shows.  Loads and stores are one
 * there, and so are sectors and the least of them. */
static void accesses_summed(struct accesses *loads, const struct rule_input *in) {
  double beyond = rule_value(in, "global_sectors_excess", 0);
  double asked =
      rule_value(in, "global_sectors", rule_value(in, "l1_load_sectors", 0) + rule_value(in, "l1_store_sectors", 0));
  *loads = (struct accesses){.sectors = asked, .ideal = asked - beyond};
}

/* Of the bytes that DRAM reads those that lanes ask for: from this part on the rest is the ends of rows, which are read by whatever loads. */
static const double ASKED_LEAST = 0.9;

static bool sectors_gone_of(struct sectors_gone *out, const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  if (loads.ideal + stores.ideal <= 0)
    accesses_summed(&loads, in);
  if (is_partial(in))
    stores = (struct accesses){0};
  double ideal = loads.ideal + loads.spare + stores.ideal + stores.spare, dram = rule_value(in, "dram_read_bytes", 0);
  *out = (struct sectors_gone){.l1 = accesses_excess(&loads) + accesses_excess(&stores)};
  if (ideal <= 0 || out->l1 <= 0)
    return false;
  double missed = 1 - rule_value(in, "l1_hit_rate", 0);
  out->by_stores = accesses_excess(&stores) > accesses_excess(&loads);
  out->over = (loads.sectors + stores.sectors) / ideal;
  out->l2_read = accesses_excess(&loads) * SECTOR_BYTES * missed;
  out->l2_write = accesses_excess(&stores) * SECTOR_BYTES;
  out->dram_read = loads.bytes > 0 && loads.bytes < ASKED_LEAST * dram ? fmin(dram - loads.bytes, out->l2_read) : 0;
  return true;
}

double l2_read_over(const struct rule_input *in) {
  struct sectors_gone gone;
  return sectors_gone_of(&gone, in) ? gone.l2_read : 0;
}

static bool writes_address(const struct sass_inst *writer, const struct sass_inst *x) {
  for (size_t w = 0; w < writer->n_writes; w++)
    for (size_t k = 0; k < x->n_reads; k++) {
      const struct sass_range *a = &writer->writes[w], *b = &x->reads[k];
      if (a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count)
        return true;
    }
  return false;
}

/* A load before it in its block has read the same address, of registers that nothing has written since. */
static bool is_reload(const struct sass *s, size_t i) {
  const char *of_x, *of_y;
  long x_offset, y_offset;
  const struct sass_inst *x = &s->insts[i];
  size_t n = access_base(x, &of_x, &x_offset);
  for (size_t k = i; n > 0 && k > s->blocks[s->block_of[i]].first; k--) {
    const struct sass_inst *y = &s->insts[k - 1];
    if (y->class == SASS_LOAD_GLOBAL && access_base(y, &of_y, &y_offset) == n && memcmp(of_x, of_y, n) == 0 &&
        x_offset == y_offset && x->bytes == y->bytes)
      return !writes_address(y, x);
    if (writes_address(y, x))
      return false;
  }
  return false;
}

double loads_again(const struct rule_input *in) {
  const struct sass *s = in->sass;
  double again = 0, all = 0;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    if (s->insts[i].class != SASS_LOAD_GLOBAL)
      continue;
    double bytes = fmax(s->executed[i], 0) * s->insts[i].bytes;
    all += bytes;
    again += is_reload(s, i) ? bytes : 0;
  }
  return all > 0 ? again / all : 0;
}

/* Bytes of the loads that a lane could have had in one: the narrowest of those of one block of code that stand side by side; 0: there are none, or
 * they are fewer than half of the loads. */
static int bytes_side_by_side(const struct rule_input *in) {
  const struct sass *s = in->sass;
  double beside = 0, all = 0;
  int least = 0;
  for (size_t i = 0; s && s->counted && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->class != SASS_LOAD_GLOBAL || s->executed[i] <= 0)
      continue;
    bool found = access_beside(s, i);
    all += s->executed[i];
    beside += found ? s->executed[i] : 0;
    least = found && (least == 0 || x->bytes < least) ? x->bytes : least;
  }
  return beside > all / 2 ? least : 0;
}

/* Sectors that a warp's load touches where its lanes lie side by side: bytes of a lane, mean.  0: the instructions' counts are unknown. */
static double sectors_in_order(const struct rule_input *in) {
  double bytes = 0, n = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double executed = x->class == SASS_LOAD_GLOBAL ? fmax(in->sass->executed[i], 0) : 0;
    bytes += executed * x->bytes;
    n += executed;
  }
  return n > 0 ? bytes * RULE_LANES / SECTOR_BYTES / n : 0;
}

/* A global access that runs stands on one way of a branch on data. */
static bool data_decides(const struct rule_input *in) {
  struct sass *s = in->sass;
  for (size_t b = 0; s && b < s->n_blocks; b++) {
    bool accesses = false;
    for (size_t i = s->blocks[b].first; i < s->blocks[b].first + s->blocks[b].n; i++)
      accesses = accesses || (about_accesses(&s->insts[i]) && s->executed[i] > 0);
    for (size_t d = s->blocks[b].idom; accesses && d != SASS_NONE; d = s->blocks[d].idom)
      if (s->blocks[d].n_succ == SASS_SUCCESSORS_MAX && sass_reads_loaded(s, s->blocks[d].first + s->blocks[d].n - 1))
        return true;
  }
  return false;
}

static const double AWAY = 1.05; /* accesses have not quite the mean instruction's lanes */

/* Of loads that waste less than half of their sectors, why; stores that waste more say nothing of it. */
enum apart { APART_FAR, APART_BY_BRANCH, APART_AT_EDGES, APART_MISALIGNED, APART_IN_ROWS, APART_OF_STORES };

/* Where the code says that lanes lie side by side, only where their rows begin, and how many rows a warp has, is left. */
static bool by_rows(enum apart *out, const struct rule_input *in, const struct sectors_gone *x) {
  struct lane_rows rows;
  double requests = rule_value(in, x->by_stores ? "l1_store_requests" : "l1_load_requests", 0);
  double sectors = rule_value(in, x->by_stores ? "l1_store_sectors" : "l1_load_sectors", 0);
  double each = requests > 0 ? sectors / requests : 0;
  lane_rows_of(&rows, in, x->by_stores ? SASS_STORE_GLOBAL : SASS_LOAD_GLOBAL);
  if (!rows.known || each <= 0)
    return false;
  *out = rows_are_spanned(&rows) ? APART_IN_ROWS : APART_MISALIGNED;
  return rows_are_spanned(&rows) ||
         (each > ACCESS_SLACK * rows.least && each <= ACCESS_SLACK * (rows.least + rows.begins));
}

static enum apart apart_of(const struct rule_input *in, const struct sectors_gone *x) {
  static const double BEGINS = 2; /* rows of a warp that begin inside a sector, at most */
  static const double WASTE = 2;  /* sectors over the least: more is not told by where lanes begin */
  double ordered = sectors_in_order(in), each = rule_value(in, "sectors_per_request", 0);
  enum apart why;
  if (by_rows(&why, in, x))
    return why;
  if (x->by_stores)
    return APART_OF_STORES;
  if (ordered <= 0 || each <= 0 || x->over >= WASTE)
    return APART_FAR;
  bool away = rule_value(in, "lanes_active", 1) * x->over <= AWAY; /* so many lanes that those sectors are theirs */
  if (each <= ACCESS_SLACK * ordered)
    return !away ? APART_FAR : data_decides(in) ? APART_BY_BRANCH : APART_AT_EDGES;
  return each <= ordered + BEGINS && ordered >= BEGINS ? APART_MISALIGNED : APART_FAR;
}

static const char *remedy_of_sectors(const struct rule_input *in, enum apart why) {
  int bytes = bytes_side_by_side(in);
  if (why == APART_BY_BRANCH)
    return "load before the branch, and store once behind it (a select), so that all lanes access memory together";
  if (why == APART_AT_EDGES)
    return "give every lane an element: rows and tiles of a multiple of 32, or one index over all of them";
  if (why == APART_IN_ROWS)
    return "make the block 32 wide (32 x 8 for 16 x 16), so that a warp accesses one row";
  if (why == APART_MISALIGNED)
    return "begin rows and tiles at multiples of 32 bytes: pad the pitch, or shift where a row or its halo starts";
  if (bytes && why != APART_OF_STORES)
    return pool_printf(
        in->pool,
        "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent %d-byte loads where rows are multiples of 16 bytes",
        bytes);
  return "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory";
}

/* A request of lanes that are left out touches one sector where all would: lanes that lie side by side can do no better. */
static bool is_one_sector(const struct rule_input *in, const struct sectors_gone *x) {
  double each = rule_value(in, "sectors_per_request", 0);
  return !x->by_stores && each > 0 && each <= ACCESS_SLACK && rule_value(in, "lanes_active", 1) < 1;
}

/* Where most of the excess is by stores, and the sentence says so, a store's; never a store's that partial-sectors is about. */
static const struct run_instruction *place_of_excess(const struct rule_input *in, bool by_stores) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  if (by_stores)
    return place_of_stores(in, &stores);
  double load_requests = rule_value(in, "l1_load_requests", 0), store_requests = rule_value(in, "l1_store_requests", 0);
  if (loads.ideal + stores.ideal <= 0) {
    accesses_summed(&loads, in);
    struct sector_counts both = {about_accesses, accesses_excess(&loads), load_requests + store_requests};
    return sector_excess_place(in, &both, 1, about_accesses);
  }
  struct sector_counts of[] = {{about_loads, accesses_excess(&loads), load_requests},
                               {about_stores, accesses_excess(&stores), store_requests}};
  return sector_excess_place(in, of, is_partial(in) ? 1 : 2, about_accesses);
}

RULE_ROW(140, uncoalesced, "uncoalesced", "uncoalesced global accesses", false);
bool rule_uncoalesced(const struct rule_input *in, struct advice *out) {
  struct sectors_gone x;
  if (elements_aligned(in) || !sectors_gone_of(&x, in) || is_one_sector(in, &x))
    return false;
  enum apart why = apart_of(in, &x);
  if (why == APART_AT_EDGES && lanes_without_element(in)) /* divergence says it */
    return false;
  evidence_add(out, "sectors over the minimum for these bytes", "ratio", value_of(x.over));
  evidence_metric(out, in, "sectors_per_request");
  evidence_metric(out, in, x.by_stores ? "l1_store_sectors" : "l1_load_sectors");
  evidence_metric(out, in, "stall_lg_throttle_share");
  out->sentence = pool_printf(
      in->pool, "global accesses touch %.*f times the sectors that their bytes need%s", x.over < 2 ? 2 : 1, x.over,
      why == APART_BY_BRANCH    ? ": lanes lie side by side, but a branch takes some of them apart"
      : why == APART_AT_EDGES   ? ": lanes lie side by side, but the ends of rows leave some without an element"
      : why == APART_OF_STORES  ? ", most of the excess by stores"
      : why == APART_MISALIGNED ? ": lanes lie side by side, but their rows begin inside a sector"
      : why == APART_IN_ROWS    ? ": a warp spans several short rows of its block"
                                : "");
  out->remedy = remedy_of_sectors(in, why);
  out->at = place_of_excess(in, x.by_stores);
  return true;
}

void change_uncoalesced(const struct rule_input *in, struct workload *w) {
  struct sectors_gone x;
  if (!sectors_gone_of(&x, in))
    return;
  value_scale(&w->l1_wavefronts, part_kept(x.l1, rule_value(in, "l1_wavefronts", 0)));
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

RULE_ROW(135, narrow_rows, "narrow-rows", "rows too narrow for the library's fast kernels", false);
bool rule_narrow_rows(const struct rule_input *in, struct advice *out) {
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
