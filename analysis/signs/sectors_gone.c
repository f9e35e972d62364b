#include "analysis/signs/sectors_gone.h"

#include "analysis/signs/about.h"
#include "analysis/signs/sector_excess.h"

#include <math.h>

const struct run_instruction *stores_excess_place(const struct rule_input *in, const struct accesses *stores) {
  struct sector_counts of = {about_stores, accesses_excess(stores), rule_value(in, "l1_store_requests", 0)};
  return sector_excess_place(in, &of, 1, about_stores);
}

double store_fill(const struct rule_input *in) {
  double bytes = rule_value(in, "store_data_bytes", 0), sectors = rule_value(in, "l1_store_sectors", 0);
  return bytes > 0 && sectors > 0 ? fmin(bytes / (SECTOR_BYTES * sectors), 1) : 1;
}

double bytes_but_local(const struct rule_input *in, const char *written) {
  return fmax(rule_value(in, written, 0) - SECTOR_BYTES * rule_value(in, "local_store_sectors", 0), 0);
}

bool stores_are_partial(const struct rule_input *in) {
  double written = bytes_but_local(in, "dram_write_bytes"), data = rule_value(in, "store_data_bytes", 0);
  return store_fill(in) < 1 && written > data && !elements_aligned(in);
}

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

/* Of the data stage's cycles what shared memory has stays, and a cycle for each line of the least sectors. */
static double cycles_gone(const struct rule_input *in, double sectors, double least) {
  double all = rule_value(in, "l1_wavefronts", 0), shared = rule_value(in, "shared_wavefronts", 0);
  return fmin(sectors, fmax(all - shared - least / LINE_SECTORS, 0));
}

/* Sectors that loads touch beyond those they need, and that the L1 has, cross the L2 once, as the needed ones do: only what misses beyond these goes there. */
static double missed_in_vain(const struct rule_input *in, const struct accesses *loads) {
  double missed = loads->sectors * (1 - rule_value(in, "l1_hit_rate", 0));
  return fmin(fmax(missed - loads->ideal - loads->spare, 0), accesses_excess(loads));
}

static bool binds_beyond_l1(const struct rule_input *in) {
  return in->f->bounds.binding == BOUND_L2 || in->f->bounds.binding == BOUND_DRAM;
}

/* Where the L2 or DRAM binds, the side with more bytes to save there; else, or where none are known, the one with more sectors at the L1. */
static bool stores_waste_more(const struct rule_input *in, const struct sectors_gone *x, double loads, double stores) {
  return binds_beyond_l1(in) && x->l2_read + x->l2_write > 0 ? x->l2_write > x->l2_read : stores > loads;
}

bool sectors_gone_of(struct sectors_gone *out, const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  if (loads.ideal + stores.ideal <= 0)
    accesses_summed(&loads, in);
  if (stores_are_partial(in))
    stores = (struct accesses){0};
  double ideal = loads.ideal + loads.spare + stores.ideal + stores.spare, dram = rule_value(in, "dram_read_bytes", 0);
  *out = (struct sectors_gone){.l1 = accesses_excess(&loads) + accesses_excess(&stores)};
  if (ideal <= 0 || out->l1 <= 0)
    return false;
  out->l1_cycles = cycles_gone(in, out->l1, ideal);
  out->stores_over = stores.ideal + stores.spare > 0 ? stores.sectors / (stores.ideal + stores.spare) : 0;
  out->over = (loads.sectors + stores.sectors) / ideal;
  out->l2_read = missed_in_vain(in, &loads) * SECTOR_BYTES;
  out->l2_write = accesses_excess(&stores) * SECTOR_BYTES;
  out->loads_hit = accesses_excess(&loads) > 0 && out->l2_read <= 0;
  out->by_stores = stores_waste_more(in, out, accesses_excess(&loads), accesses_excess(&stores));
  out->dram_read = loads.bytes > 0 && loads.bytes < ASKED_LEAST * dram ? fmin(dram - loads.bytes, out->l2_read) : 0;
  return true;
}

/* At most: as many of them miss as of all that loads touch. */
double l2_read_over(const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  if (loads.ideal + stores.ideal <= 0)
    accesses_summed(&loads, in);
  return accesses_excess(&loads) * SECTOR_BYTES * (1 - rule_value(in, "l1_hit_rate", 0));
}

const struct run_instruction *excess_place(const struct rule_input *in, bool by_stores) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  if (by_stores)
    return stores_excess_place(in, &stores);
  double load_requests = rule_value(in, "l1_load_requests", 0), store_requests = rule_value(in, "l1_store_requests", 0);
  if (loads.ideal + stores.ideal <= 0) {
    accesses_summed(&loads, in);
    struct sector_counts both = {about_accesses, accesses_excess(&loads), load_requests + store_requests};
    return sector_excess_place(in, &both, 1, about_accesses);
  }
  struct sector_counts of[] = {{about_loads, accesses_excess(&loads), load_requests},
                               {about_stores, accesses_excess(&stores), store_requests}};
  return sector_excess_place(in, of, stores_are_partial(in) || binds_beyond_l1(in) ? 1 : 2, about_accesses);
}
