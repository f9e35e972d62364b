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
  double missed = 1 - rule_value(in, "l1_hit_rate", 0);
  out->l1_cycles = cycles_gone(in, out->l1, ideal);
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
  return sector_excess_place(in, of, stores_are_partial(in) ? 1 : 2, about_accesses);
}
