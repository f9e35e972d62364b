#include "analysis/advice/rule_tools.h"

#include "analysis/metrics/formulas.h"
#include "analysis/model/time_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void evidence_needs(struct advice *a, const struct rule_input *in, const char *title, enum bound_kind k) {
  if (in->f->bounds.seconds[k].present)
    evidence_add(a, title, "ratio", value_of(bound_needs(in, k)));
}

double bound_share(const struct rule_input *in, enum bound_kind k) {
  return in->f->bounds.model.bound_share[k];
}

double bound_needs(const struct rule_input *in, enum bound_kind k) {
  const struct bounds *b = &in->f->bounds;
  return b->seconds[k].present ? b->seconds[k].v / (b->whole.present ? b->whole.v : in->time_s) : 0;
}

double or_zero(struct value v) {
  return v.present ? v.v : 0;
}

double part_kept(double gone, double whole) {
  return whole > 0 ? fmin(fmax(1 - gone / whole, 0), 1) : 1;
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
  struct value *const pipes[] = {&w->alu, &w->fma, &w->fma_heavy, &w->lsu, &w->xu, &w->tensor, &w->fp64};
  for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
    value_scale(pipes[i], 1 - gone);
  work_fewer_insts(in, w, or_zero(w->inst) * gone);
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

double warp_seconds(const struct rule_input *in, const char *counter) {
  const struct workload *w = &in->f->bounds.work;
  double hz = or_zero(w->clock_hz), warps = or_zero(w->warps);
  return hz > 0 && warps > 0 ? rule_value(in, counter, 0) / (hz * warps) : 0;
}

double xu_waits(const struct rule_input *in, double n) {
  double all = rule_value(in, "pipe_xu", 0) + rule_value(in, "shared_wavefronts", 0);
  return warp_seconds(in, "stall_short_scoreboard") * (1 - part_kept(n, all));
}

double shared_waits(const struct rule_input *in) {
  double shared = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_SHUFFLE, PIPE_UNKNOWN) +
                  executed_of(in, "ATOMS", NULL);
  double xu = rule_value(in, "pipe_xu", 0);
  if (shared <= 0)
    shared = rule_value(in, "shared_wavefronts", 0);
  return shared + xu > 0 ? warp_seconds(in, "stall_short_scoreboard") * shared / (shared + xu) : 0;
}

size_t access_base(const struct sass_inst *x, const char **at, long *offset) {
  const char *open = strrchr(x->text, '[');
  size_t n = open ? strcspn(open, "+]") : 0;
  *at = open;
  *offset = open && open[n] == '+' ? strtol(open + n + 1, NULL, 16) : 0;
  return n;
}

static double executed_at(const struct sass *s, size_t i) {
  return s->counted ? fmax(s->executed[i], 0) : 0;
}

double executed_of(const struct rule_input *in, const char *opcode, const char *modifier) {
  double n = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (strcmp(x->opcode, opcode) == 0 && (!modifier || sass_modifier(x, modifier)))
      n += executed_at(in->sass, i);
  }
  return n;
}

double executed_in(const struct rule_input *in, enum sass_class class, enum sass_pipe pipe) {
  double n = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (x->class == class && (pipe == PIPE_UNKNOWN || x->pipe == pipe))
      n += executed_at(in->sass, i);
  }
  return n;
}

double shared_load_wavefronts(const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  double cycles = 0, loads = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN);
  double others = executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_SHUFFLE, PIPE_UNKNOWN);
  for (size_t i = 0; i < r->n_counts && in->sass; i++) {
    const struct run_count *c = &r->counts[i];
    bool ours = in->sass->kernel == &in->all->run->modules[c->module].kernels[c->kernel];
    size_t at = ours ? sass_find(in->sass, c->offset) : SASS_NONE;
    if (at != SASS_NONE && in->sass->insts[at].class == SASS_LOAD_SHARED)
      cycles += fmax(c->shared_wavefronts, 0);
  }
  if (cycles > 0 || loads <= 0)
    return cycles;
  return rule_value(in, "shared_wavefronts", 0) * loads / (loads + others);
}

int elements_aligned(const struct rule_input *in) {
  static const char word[] = "_align";
  const char *kernel = in->f->launch ? in->f->launch->kernel : NULL;
  const char *at = kernel && strstr(kernel, "f16") ? strstr(kernel, word) : NULL;
  int elements = at ? atoi(at + sizeof word - 1) : 0;
  return elements < 8 ? elements : 0;
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

double least_bytes(const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  if (r->bytes_declared > 0)
    return r->bytes_declared;
  return r->bytes_minimal > 0 ? r->bytes_minimal : rule_value(in, "dram_read_bytes", 0);
}

double warp_batches(const struct rule_input *in) {
  const struct flight *fl = &in->f->bounds.flight;
  double at_once = or_zero(fl->warps) * or_zero(fl->warp_requests), latency = or_zero(fl->latency_s);
  double loads = latency > 0 ? or_zero(fl->loads_s) / latency : 0;
  return fmax(loads, at_once > 0 ? or_zero(fl->requests) / at_once : 0);
}

const char *count_words(const struct rule_input *in, double count) {
  static const double MILLION = 1e6;
  if (count < MILLION - 0.5)
    return pool_printf(in->pool, "%.0f", count);
  double millions = count / MILLION;
  return pool_printf(in->pool, "%.*f million", millions >= 99.95 ? 0 : millions >= 9.995 ? 1 : 2, millions);
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
  const char *words = pool_printf(in->pool, "%.0f %% of issue slots used", 100 * active.v);
  return always > 0 && active.v - always > APART
             ? pool_printf(in->pool, "%s while SMs are active (%.0f %% of the whole time)", words, 100 * always)
             : words;
}

double grid_blocks(const struct rule_input *in) {
  return in->f->launch ? launch_blocks(in->f->launch) : 0;
}

static const char *file_name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *line_words(const struct rule_input *in, int source, int line) {
  return source < 0 ? pool_printf(in->pool, "%d of an unnamed file", line)
                    : pool_printf(in->pool, "%s:%d", file_name_of(in->hot->run->sources[source].name), line);
}

const char *hottest_place(const struct rule_input *in) {
  const struct hot *h = in->hot;
  if (h->samples == 0)
    return "";
  const struct hot_line *l = hot_first_line(h);
  if (l && (h->n_insts == 0 || h->lines[0].samples >= h->insts[0].samples)) { /* not all code has lines */
    return pool_printf(in->pool, "; hottest line %s (%s, %.0f %% of samples)", line_words(in, l->source, l->line),
                       l->top.reason ? l->top.reason : "no stall", 100.0 * (double)l->samples / (double)h->samples);
  }
  if (h->n_insts == 0)
    return "";
  const struct hot_inst *x = &h->insts[0];
  return pool_printf(in->pool, "; hottest instruction 0x%04x (%s, %.0f %% of samples)",
                     h->kernels[x->kernel].sass.insts[x->at].offset, x->n_reasons ? x->reasons[0].reason : "no stall",
                     100.0 * (double)x->samples / (double)h->samples);
}

/* --- what the model of time leaves out --- */

static bool is_global_atomic(const struct sass_inst *x) {
  return x->class == SASS_ATOMIC && (x->space == SPACE_GLOBAL || x->space == SPACE_GENERIC);
}

/* A warp that ends waits for its stores and reductions: for atomics where there is nothing else among them. */
static bool stands_at_atomic(const struct hot *h, const struct hot_inst *x) {
  struct sass_inst *insts = h->kernels[x->kernel].sass.insts;
  size_t stores = 0, atomics = 0;
  if (is_global_atomic(&insts[x->at]))
    return true;
  for (size_t i = 0; i < x->n_feeds; i++) {
    bool atomic = is_global_atomic(&insts[x->feeds[i].inst]);
    if (atomic && x->feeds[i].wait != WAIT_STORES)
      return true;
    stores += x->feeds[i].wait == WAIT_STORES;
    atomics += atomic;
  }
  return stores > 0 && atomics == stores;
}

/* A warp that issues, or could, does not wait for the instruction it stands at. */
static bool is_wait(const char *reason) {
  return strcmp(reason, "selected") != 0 && strcmp(reason, "not_selected") != 0 && strcmp(reason, "wait") != 0;
}

/* Part of the samples; without samples, of the stalls at the queue to global memory what atomics have of its sectors. */
static double atomics_share(const struct rule_input *in) {
  const struct hot *h = in->hot;
  double at = 0, sectors = rule_value(in, "l2_atomic_sectors", 0);
  if (sectors <= 0)
    return 0;
  if (h->samples == 0)
    return rule_value(in, "stall_lg_throttle_share", 0) * sectors /
           (sectors + rule_value(in, "l1_load_sectors", 0) + rule_value(in, "l1_store_sectors", 0));
  for (size_t i = 0; i < h->n_insts; i++)
    for (size_t k = 0; k < h->insts[i].n_reasons && stands_at_atomic(h, &h->insts[i]); k++)
      at += is_wait(h->insts[i].reasons[k].reason) ? (double)h->insts[i].reasons[k].samples : 0;
  return at / (double)h->samples;
}

double local_part(const struct rule_input *in) {
  double local = rule_value(in, "local_load_sectors", 0) + rule_value(in, "local_store_sectors", 0);
  double l1 = local + rule_value(in, "l1_load_sectors", 0), l2 = rule_value(in, "l2_read_bytes", 0) / SECTOR_BYTES;
  return rule_value(in, "local_share", 0) * (l1 > 0 ? l1 / fmax(l1, l2) : 1);
}

/* Waits for loads that the model takes for a queue's: memory is busy by turns only. */
static double turns_s(const struct rule_input *in, double unexplained_s) {
  const struct workload *w = &in->f->bounds.work;
  if (!in->waits.by_turns)
    return 0;
  double told = or_zero(w->loads_s) * (1 + or_zero(w->slow_loads));
  return fmin(fmax(warp_seconds(in, "stall_long_scoreboard") - told, 0), unexplained_s);
}

void rule_baseline(struct rule_input *in) {
  const struct bounds *b = &in->f->bounds;
  struct rule_waits *x = &in->waits;
  in->work = b->work;
  double local = local_part(in), unexplained_s = fmax(in->time_s - or_zero(b->time_s), 0);
  *x = (struct rule_waits){
      .barrier_s = warp_seconds(in, "stall_barrier"),
      .local_s = local * (warp_seconds(in, "stall_long_scoreboard") + warp_seconds(in, "stall_lg_throttle"))};
  x->local_s = fmin(x->local_s, unexplained_s);
  size_t loop = in->sass ? sass_turns(in->sass) : SASS_NONE;
  x->by_turns = loop != SASS_NONE && sass_turns_matter(in->sass, loop);
  x->turns_s = turns_s(in, unexplained_s - x->local_s);
  if (x->local_s + x->turns_s > 0)
    in->work.dependencies_s = value_of(or_zero(b->work.dependencies_s) + x->local_s + x->turns_s);
  double rate = in->all->rates.of[RATE_ATOMIC_SECTORS].value, queue_s = atomics_share(in) * in->time_s;
  x->atomics_s = queue_s;
  if (in->work.atomic_sectors.present)
    in->work.atomic_sectors.v = fmax(in->work.atomic_sectors.v, queue_s * rate);
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
