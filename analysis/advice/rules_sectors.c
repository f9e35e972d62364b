/* Rules on sectors: what accesses of global memory touch against what their bytes fill. */
#include "analysis/advice/rule_tools.h"

#include <math.h>

/* Global accesses of one direction, by exact counts of their instructions. */
struct accesses {
  double sectors, ideal; /* asked for; the least for their bytes */
  double bytes;          /* that lanes move */
};

static void accesses_of(struct accesses *loads, struct accesses *stores, const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  *loads = *stores = (struct accesses){0};
  for (size_t i = 0; i < r->n_counts; i++) {
    const struct run_count *c = &r->counts[i];
    if (c->global_sectors < 0 || c->global_sectors_ideal < 0)
      continue;
    bool ours = in->sass && in->sass->kernel == &in->all->run->modules[c->module].kernels[c->kernel];
    size_t at = ours ? sass_find(in->sass, c->offset) : SASS_NONE;
    const struct sass_inst *x = at == SASS_NONE ? NULL : &in->sass->insts[at];
    if (x && x->class == SASS_ATOMIC)
      continue;
    struct accesses *of = x && x->class == SASS_STORE_GLOBAL ? stores : loads;
    of->sectors += c->global_sectors;
    of->ideal += c->global_sectors_ideal;
    of->bytes += x && c->threads > 0 ? c->threads * x->bytes : 0;
  }
}

static double excess(const struct accesses *a) {
  return fmax(a->sectors - a->ideal, 0);
}

double load_bytes(const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  return loads.ideal > 0 ? loads.ideal * SECTOR_BYTES : rule_value(in, "l1_load_bytes", 0);
}

/* --- stores whose sectors nobody fills --- */

/* Part of a written sector that is data, by the counters; 1 where they were not collected. */
static double store_fill(const struct rule_input *in) {
  double bytes = rule_value(in, "store_data_bytes", 0), sectors = rule_value(in, "l1_store_sectors", 0);
  return bytes > 0 && sectors > 0 ? fmin(bytes / (SECTOR_BYTES * sectors), 1) : 1;
}

/* Other stores complete the sectors in the L2 where DRAM is written no more bytes than were stored. */
static bool is_partial(const struct rule_input *in) {
  double written = rule_value(in, "dram_write_bytes", 0), data = rule_value(in, "store_data_bytes", 0);
  return store_fill(in) < 1 && written > data;
}

bool rule_partial_sectors(const struct rule_input *in, struct advice *out) {
  if (!is_partial(in))
    return false;
  evidence_metric(out, in, "l1_store_sectors");
  evidence_metric(out, in, "l2_write_bytes");
  evidence_metric(out, in, "dram_write_bytes");
  out->sentence =
      pool_printf(in->pool, "stores fill %.0f of the 32 bytes of a sector: the L2 fetches and merges the rest",
                  SECTOR_BYTES * store_fill(in));
  out->remedy = "store whole sectors: neighbouring lanes to neighbouring addresses, or stage through shared memory";
  return true;
}

/* The sector's other bytes are neither written nor, before that, read. */
void change_partial_sectors(const struct rule_input *in, struct workload *w) {
  double fill = store_fill(in), data = rule_value(in, "store_data_bytes", 0);
  double written = rule_value(in, "dram_write_bytes", 0);
  double fetched = fmax(written - data, 0), read = rule_value(in, "dram_read_bytes", 0);
  value_scale(&w->l2_write, fill);
  w->partial_share = 0;
  value_scale(&w->dram_write, part_kept(fetched, written));
  value_scale(&w->dram_read, part_kept(fmin(fetched, read - fmin(least_bytes(in), read)), read));
  value_scale(&w->l1_wavefronts,
              part_kept(rule_value(in, "l1_store_sectors", 0) * (1 - fill), rule_value(in, "l1_wavefronts", 0)));
}

/* --- accesses that are not coalesced --- */

/* What goes: sectors beyond the least at the L1, those of them that missed at the L2, and at DRAM what no lane asked for. */
struct sectors_gone {
  double l1, l2_read, l2_write, dram_read;
  double over; /* sectors over the least, of loads and stores together */
};

/* Of the whole launch, where no instruction was counted by itself: Nsight Compute sums what its source view shows.  Loads and stores are one
 * there, and so are sectors and the least of them. */
static void accesses_summed(struct accesses *loads, const struct rule_input *in) {
  double beyond = rule_value(in, "global_sectors_excess", 0);
  double asked =
      rule_value(in, "global_sectors", rule_value(in, "l1_load_sectors", 0) + rule_value(in, "l1_store_sectors", 0));
  if (beyond > 0 && asked > beyond)
    *loads = (struct accesses){.sectors = asked, .ideal = asked - beyond};
}

static bool sectors_gone_of(struct sectors_gone *out, const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  if (loads.ideal + stores.ideal <= 0)
    accesses_summed(&loads, in);
  if (is_partial(in))
    stores = (struct accesses){0};
  double ideal = loads.ideal + stores.ideal, dram = rule_value(in, "dram_read_bytes", 0);
  *out = (struct sectors_gone){.l1 = excess(&loads) + excess(&stores)};
  if (ideal <= 0 || out->l1 <= 0)
    return false;
  double missed = 1 - rule_value(in, "l1_hit_rate", 0);
  out->over = (loads.sectors + stores.sectors) / ideal;
  out->l2_read = excess(&loads) * SECTOR_BYTES * missed;
  out->l2_write = excess(&stores) * SECTOR_BYTES;
  out->dram_read = loads.bytes > 0 ? fmin(fmax(dram - loads.bytes, 0), out->l2_read) : 0;
  return true;
}

bool rule_uncoalesced(const struct rule_input *in, struct advice *out) {
  struct sectors_gone x;
  if (!sectors_gone_of(&x, in))
    return false;
  evidence_add(out, "sectors over the least for these bytes", "ratio", value_of(x.over));
  evidence_metric(out, in, "sectors_per_request");
  evidence_metric(out, in, "l1_load_sectors");
  evidence_metric(out, in, "stall_lg_throttle_share");
  out->sentence = pool_printf(in->pool, "global accesses touch %.1f times the sectors that their bytes need", x.over);
  out->remedy = "neighbouring lanes access neighbouring bytes; else stage a tile through shared memory";
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
  if (x.l2_write > 0)
    w->partial_share = 0;
  if (chained_load(in) == SASS_NONE) /* addresses that loads bring stay where they are */
    w->sectors_spread = 1;
}
