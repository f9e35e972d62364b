#include "analysis/advice/rule_tools.h"
#include "analysis/metrics/formulas.h"
#include "analysis/model/bounds.h"
#include "analysis/model/whatif.h"

#include <math.h>
#include <string.h>

/* DRAM is full where its bytes and an empty kernel explain this part of the time.  The rest is ramp and tail. */
static const double DRAM_FULL = 0.88;

double rule_value(const struct rule_input *in, const char *name, double fallback) {
  struct value v = finding_value(in->f, name);
  return v.present ? v.v : fallback;
}

void evidence_add(struct advice *a, const char *title, const char *unit, struct value v) {
  if (v.present && a->n_evidence < EVIDENCE_MAX)
    a->evidence[a->n_evidence++] = (struct evidence){title, unit, v};
}

void evidence_metric(struct advice *a, const struct rule_input *in, const char *name) {
  for (size_t i = 0; i < in->f->n_derived; i++) {
    const struct derived *d = &in->f->derived[i];
    if (strcmp(d->name, name) == 0) {
      evidence_add(a, d->title, d->unit, d->value);
      return;
    }
  }
  const struct run_metric *m = run_metric_find(in->f->result, name);
  if (m && m->present)
    evidence_add(a, m->name, m->unit, value_of(m->value));
}

void scale_all(double scale[BOUND_KINDS], double value) {
  for (int k = 0; k < BOUND_KINDS; k++)
    scale[k] = value;
}

double rule_remodel(const struct rule_input *in, const double scale[BOUND_KINDS]) {
  struct workload changed = in->f->bounds.work;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (scale[k] != 1)
      workload_scale(&changed, (enum bound_kind)k, scale[k]);
  return whatif_seconds(in->f, &changed, &in->all->rates);
}

double bound_share(const struct rule_input *in, enum bound_kind k) {
  struct value s = in->f->bounds.seconds[k];
  return s.present ? s.v / in->time_s : 0;
}

bool dram_is_full(const struct rule_input *in) {
  const struct bounds *b = &in->f->bounds;
  double fixed = b->fixed.present ? b->fixed.v : 0;
  struct value dram = b->seconds[BOUND_DRAM];
  return dram.present && (dram.v + fixed) / in->time_s >= DRAM_FULL;
}

struct value ring_bytes(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  bool bulk = false;
  for (size_t i = 0; in->sass && i < in->sass->n && !bulk; i++)
    bulk = in->sass->insts[i].access == ACCESS_BULK_COPY && !in->sass->insts[i].never;
  if (!bulk)
    return value_absent("no bulk copies");
  if (!l || l->blocks_per_sm <= 0)
    return value_absent("the blocks of an SM are not known");
  double resident = fmin(launch_blocks(l), (double)l->blocks_per_sm * in->all->device->sms);
  return value_of(resident * (double)(l->smem_static + l->smem_dynamic));
}
