/* The rule on block scales: NVFP4 has a scale byte for 16 elements, which are 8 bytes, so scales read well are a ninth of what is loaded. */
#include "analysis/rules/rule_tools.h"

#include "analysis/idioms/buffers.h"

#include <math.h>

enum { ELEMENTS_A_SCALE = 16 };
/* Scales of A that the told loads bring, over the tensor's bytes: under this some were read in a way that is not told (bulk copies). */
static const double TOLD_LEAST = 0.99;

/* What global loads of one kernel did, by the buffer that they read. */
struct load_sums {
  double requests, bytes, sectors;
};

struct scale_loads {
  struct load_sums a, scales, all; /* A; its scales */
  double bytes;                    /* of A's scales in memory */
};

static void add(struct load_sums *sums, const struct run_count *c, int bytes) {
  sums->requests += c->executed;
  sums->bytes += c->threads * bytes;
  sums->sectors += c->global_sectors;
}

/* False where a load's buffer or its sectors are not known. */
static bool sum_up(struct scale_loads *out, const struct sass *s, struct buffers *buffers) {
  for (size_t i = 0; i < s->n; i++) {
    const struct run_count *c = s->count[i];
    const struct sass_inst *x = &s->insts[i];
    if (!c || (x->class != SASS_LOAD_GLOBAL && x->access != ACCESS_ASYNC_COPY) || c->executed <= 0)
      continue;
    enum buffer buffer = buffers_load(buffers, i);
    if (buffer == BUFFER_UNKNOWN || c->threads < 0 || c->global_sectors < 0)
      return false;
    add(&out->all, c, x->bytes);
    if (buffer == BUFFER_A || buffer == BUFFER_SFA)
      add(buffer == BUFFER_A ? &out->a : &out->scales, c, x->bytes);
  }
  return true;
}

static bool scale_loads_of(struct scale_loads *out, const struct rule_input *in) {
  const struct shape s = in->f->result->shape;
  struct buffers buffers;
  *out = (struct scale_loads){.bytes = (double)s.m * (double)s.k * (double)s.l / ELEMENTS_A_SCALE};
  if (!in->sass || out->bytes <= 0)
    return false;
  bool told = buffers_begin(&buffers, in->sass, &in->all->run->variants[in->f->result->variant], in->all->device->sm) &&
              sum_up(out, in->sass, &buffers);
  buffers_release(&buffers);
  return told && out->scales.bytes >= TOLD_LEAST * out->bytes && out->a.requests > 0;
}

RULE_ROW(120, scale_loads, "scale-loads", "block scales are loaded in pieces", RULE_NO_PAIR, NULL);
/* What goes where each scale is loaded once, in whole sectors, by loads as wide as those of A: sectors beyond bytes / 32, each one cycle of the
 * L1's data stage, as far as it did not serve shared memory; no more of them at the L2 than it read beyond the problem's bytes; requests beyond
 * bytes / (bytes of a request of A) at LSU and issue.  What an address and unpacking cost is not counted. */
void change_scale_loads(const struct rule_input *in, struct workload *w) {
  struct scale_loads x;
  if (!scale_loads_of(&x, in))
    return;
  double sectors = fmax(0, x.scales.sectors - x.bytes / SECTOR_BYTES);
  double requests = fmax(0, x.scales.requests - x.bytes * x.a.requests / x.a.bytes);
  double l1 = rule_value(in, "l1_wavefronts", 0), global = fmax(0, l1 - rule_value(in, "shared_wavefronts", 0));
  double read = rule_value(in, "l2_read_bytes", 0), beyond = fmax(0, read - in->f->result->bytes_minimal);
  value_scale(&w->l1_wavefronts, part_kept(fmin(sectors, global), l1));
  value_scale(&w->l2_read, part_kept(fmin(sectors * SECTOR_BYTES, beyond), read));
  value_scale(&w->lsu, part_kept(requests, rule_value(in, "pipe_lsu", 0)));
  work_fewer_insts(in, w, requests);
}

bool rule_scale_loads(const struct rule_input *in, struct told *out) {
  struct scale_loads x;
  if (!scale_loads_of(&x, in))
    return false;
  double share = x.scales.sectors / x.all.sectors, over = x.scales.sectors * SECTOR_BYTES / x.bytes;
  if (over <= 1)
    return false;
  evidence_add(out, "share of load requests that are for A's scales", "ratio",
               value_of(x.scales.requests / x.all.requests));
  evidence_add(out, "share of sectors that are for A's scales", "ratio", value_of(share));
  evidence_add(out, "these sectors' bytes over the scales' bytes", "ratio", value_of(over));
  evidence_add(out, "bytes per request of scales", "byte", value_of(x.scales.bytes / x.scales.requests));
  evidence_add(out, "bytes per request of A", "byte", value_of(x.a.bytes / x.a.requests));
  out->sentence = pool_printf(
      in->pool,
      "loads of A's scales touch %.1f times the sectors they need, %.0f %% of all sectors; %.0f B per request, where A has %.0f B",
      over, 100 * share, x.scales.bytes / x.scales.requests, x.a.bytes / x.a.requests);
  out->remedy = "load the scales of several tiles of a row at once, a word or more per lane, with lanes along K";
  return true;
}
