#include "analysis/rules/rule_tools.h"

#include "analysis/model/code_place.h"
#include "analysis/model/time_model.h"

#include <math.h>
#include <string.h>

void evidence_add(struct told *a, const char *title, const char *unit, struct value v) {
  if (v.present && a->n_evidence < EVIDENCE_MAX)
    a->evidence[a->n_evidence++] = (struct evidence){title, unit, v};
}

void evidence_metric(struct told *a, const struct rule_input *in, const char *name) {
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

void evidence_needs(struct told *a, const struct rule_input *in, const char *title, enum bound_kind k) {
  if (in->f->bounds.seconds[k].present)
    evidence_add(a, title, "ratio", value_of(bound_needs(in, k)));
}

void value_scale(struct value *v, double by) {
  v->v *= by;
}

void value_lessen(struct value *v, double by) {
  v->v = fmax(v->v - by, 0);
}

void work_fewer_insts(const struct rule_input *in, struct workload *w, double gone) {
  double kept = part_kept(gone, or_zero(w->inst)), waits = in->waits.local_s;
  double others = fmin(waits, or_zero(w->dependencies_s));
  value_scale(&w->inst, kept);
  value_scale(&w->own_issue_s, kept);
  if (w->dependencies_s.present)
    w->dependencies_s.v = others + (w->dependencies_s.v - others) * kept;
}

void work_fewer_warp_insts(const struct rule_input *in, struct workload *w, double gone) {
  struct value *const pipes[] = {&w->alu,    &w->fma,  &w->fma_heavy, &w->lsu, &w->xu,
                                 &w->tensor, &w->fp64, &w->adu,       &w->tex};
  for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
    value_scale(pipes[i], 1 - gone);
  work_fewer_insts(in, w, or_zero(w->inst) * gone);
}

/* Bytes that DRAM moves for local memory.  Where nothing is declared, those beyond what the L1 was asked of global memory: these need no more. */
static double dram_of_local(const struct rule_input *in, double share) {
  const struct run_result *r = in->f->result;
  double read = rule_value(in, "dram_read_bytes", 0), written = rule_value(in, "dram_write_bytes", 0);
  double loads = rule_value(in, "l1_load_sectors", 0), stores = rule_value(in, "l1_store_sectors", 0);
  if (r->bytes_declared > 0 || r->bytes_minimal > 0 || loads <= 0 || stores <= 0)
    return fmax(read + written - least_bytes(in), 0) * share;
  return fmax(read - SECTOR_BYTES * loads, 0) + fmax(written - SECTOR_BYTES * stores, 0);
}

void work_without_local(const struct rule_input *in, struct workload *w) {
  double share = local_part(in), beyond = dram_of_local(in, share);
  double shared = rule_value(in, "shared_wavefronts", 0), l1 = rule_value(in, "l1_wavefronts", 0);
  double moved = rule_value(in, "dram_read_bytes", 0) + rule_value(in, "dram_write_bytes", 0);
  value_scale(&w->dram_read, part_kept(beyond, moved));
  value_scale(&w->dram_write, part_kept(beyond, moved));
  value_scale(&w->l1_wavefronts, part_kept(share * fmax(l1 - shared, 0), l1));
  value_scale(&w->l2_read, 1 - share);
  value_scale(&w->l2_write, 1 - share);
}

void work_fewer_blocks(const struct rule_input *in, struct workload *w, double by) {
  double wave = or_zero(in->work.blocks_per_sm) * in->all->device->sms, blocks = or_zero(w->blocks);
  if (wave <= 0 || blocks <= wave)
    return;
  double kept = fmax(1 / by, wave / blocks);
  value_scale(&w->empty_s, kept);
  value_scale(&w->blocks, kept);
}

void work_more_warps(struct workload *w, double by) {
  value_scale(&w->warps, by);
  value_scale(&w->loads_s, 1 / by);
  value_scale(&w->own_issue_s, 1 / by);
  value_scale(&w->dependencies_s, 1 / by);
}

const char *count_words(const struct rule_input *in, double count) {
  static const double MILLION = 1e6;
  if (count < MILLION - 0.5)
    return pool_printf(in->pool, "%.0f", count);
  double millions = count / MILLION;
  return pool_printf(in->pool, "%.*f million", millions >= 99.95 ? 0 : millions >= 9.995 ? 1 : 2, millions);
}

double two_digits(double count) {
  double step = count > 0 ? pow(10, floor(log10(count)) - 1) : 1;
  return step > 1 ? round(count / step) * step : count;
}

const char *percent_words(const struct rule_input *in, const char *before, const char *share, const char *after) {
  struct value v = finding_value(in->f, share);
  return v.present ? pool_printf(in->pool, "%s%.0f %%%s", before, 100 * v.v, after) : "";
}

const char *slots_words(const struct rule_input *in) {
  static const double APART = 0.03;
  struct value active = finding_value(in->f, "issue_slot_utilisation");
  double always = bound_needs(in, BOUND_ISSUE);
  if (!active.present)
    return "";
  if (always > 0 && active.v - always > APART)
    return pool_printf(in->pool, "%.0f %% of issue slots used while SMs are active (%.0f %% of the whole time)",
                       100 * active.v, 100 * always);
  bool near = always > 0 && always - active.v <= APART; /* one figure is enough: the row's */
  return pool_printf(in->pool, "%.0f %% of issue slots used", 100 * (near ? always : active.v));
}

static const char *file_name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *line_words(const struct rule_input *in, int source, int line) {
  return source < 0 ? pool_printf(in->pool, "%d of an unnamed file", line)
                    : pool_printf(in->pool, "%s:%d", file_name_of(in->hot->run->sources[source].name), line);
}

/* ", for LDG at k.py:35" of a line that waits for what another line loads; "" of others. */
static const char *load_elsewhere(const struct rule_input *in, const struct hot_line *l) {
  const struct hot_inst *x = hot_line_inst(in->hot, l);
  if (!x || x->n_feeds == 0 || x->feeds[0].wait != WAIT_LOAD || 2 * x->waits < l->waits)
    return "";
  const struct hot_kernel *k = &in->hot->kernels[x->kernel];
  struct code_place place;
  code_place_of(&place, in->hot->run, hot_shown(k, x->feeds[0].inst));
  bool here = !place.line || (place.line->source == l->source && place.line->line == l->line);
  return here ? ""
              : pool_printf(in->pool, ", for %s at %s", k->sass.insts[x->feeds[0].inst].opcode,
                            line_words(in, place.line->source, place.line->line));
}

const char *hottest_place(const struct rule_input *in) {
  const struct hot *h = in->hot;
  if (h->samples == 0)
    return "";
  const struct hot_line *l = hot_first_line(h);
  if (l && (h->n_insts == 0 || h->lines[0].waits >= h->insts[0].waits)) { /* not all code has lines */
    return pool_printf(in->pool, "; hottest line %s (%s, %.0f %% of samples%s)", line_words(in, l->source, l->line),
                       l->top.reason ? l->top.reason : "no stall", 100.0 * (double)l->waits / (double)h->samples,
                       load_elsewhere(in, l));
  }
  if (h->n_insts == 0)
    return "";
  const struct hot_inst *x = &h->insts[0];
  return pool_printf(in->pool, "; hottest instruction 0x%04x (%s, %.0f %% of samples)",
                     h->kernels[x->kernel].sass.insts[x->at].offset, x->n_reasons ? x->reasons[0].reason : "no stall",
                     100.0 * (double)x->waits / (double)h->samples);
}

void waits_follow(const struct rule_input *in, struct workload *w) {
  struct workload as_even = *w; /* evener SMs do not shorten what a warp waits for */
  as_even.balance = in->work.balance;
  double now = model_load_path_s(&in->work, &in->all->rates), then = model_load_path_s(&as_even, &in->all->rates);
  double kept = part_kept(now - then, now);
  double queued = warp_seconds(in, "stall_drain") + shared_waits(in);
  double gone = or_zero(in->work.dependencies_s) - or_zero(w->dependencies_s);
  double loads = or_zero(w->loads_s);
  if (loads > 0) /* slow_loads is times loads_s */
    value_scale(&w->slow_loads, fmin(kept * or_zero(in->work.loads_s) / loads, 1));
  value_lessen(&w->dependencies_s, fmax(queued * (1 - kept) - gone, 0));
}
