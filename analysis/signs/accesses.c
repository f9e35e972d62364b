#include "analysis/signs/accesses.h"

#include "analysis/signs/asked.h"

#include <math.h>

static void accesses_counted(struct accesses *loads, struct accesses *stores, const struct rule_input *in) {
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
    of->bytes += x ? fmax(c->threads, 0) * x->bytes : 0;
  }
}

double accesses_excess(const struct accesses *a) {
  return fmax(a->sectors - a->ideal - a->spare, 0);
}

/* The counters of one direction. */
struct access_counters {
  enum sass_class class;
  const char *sectors, *requests;
  double data; /* the bytes that lanes ask for; 0: unknown */
};

bool rows_are_spanned(const struct lane_rows *x) {
  return x->known && x->rows > 1 && x->wide * ACCESS_SLACK < x->least;
}

/* Where no instruction was counted by itself: the bytes that lanes ask for, as counted, else by requests and the mean width of the instructions, whose executed
 * counts are estimates.  Lanes that share an address need a sector all the same: where the code says that they do, it is none too many. */
static void accesses_estimated(struct accesses *out, const struct rule_input *in, const struct access_counters *c) {
  double n = 0, lane_bytes = 0, lanes = RULE_LANES * rule_value(in, "lanes_active", 1);
  double data = c->data;
  for (size_t i = 0; in->sass && in->sass->estimated && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    double executed = counts_as(x, c->class) && x->bytes > 0 ? fmax(in->sass->executed[i], 0) : 0;
    n += executed;
    lane_bytes += executed * x->bytes;
  }
  if (data <= 0 && n <= 0)
    return;
  double requests = rule_value(in, c->requests, 0);
  out->bytes = data > 0 ? data : requests * lanes * lane_bytes / n;
  out->ideal = out->bytes / SECTOR_BYTES;
  out->sectors = rule_value(in, c->sectors, 0);
  struct lane_rows rows;
  lane_rows_of(&rows, in, c->class);
  if (data > 0 && rows.known)
    out->spare = requests * (rows_are_spanned(&rows) ? rows.wide_shared : rows.shared);
  out->spare = fmax(out->spare,
                    requests - out->ideal); /* a request has a sector at least, also where all lanes ask for one word */
}

void accesses_of(struct accesses *loads, struct accesses *stores, const struct rule_input *in) {
  accesses_counted(loads, stores, in);
  if (in->f->result->n_counts)
    return;
  accesses_estimated(
      loads, in, &(struct access_counters){SASS_LOAD_GLOBAL, "l1_load_sectors", "l1_load_requests", asked_bytes(in)});
  accesses_estimated(stores, in,
                     &(struct access_counters){SASS_STORE_GLOBAL, "l1_store_sectors", "l1_store_requests",
                                               rule_value(in, "store_data_bytes", 0)});
}

double load_bytes(const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  return loads.ideal > 0 ? loads.ideal * SECTOR_BYTES : rule_value(in, "l1_load_bytes", 0);
}
