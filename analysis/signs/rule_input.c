#include "analysis/signs/rule_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sass_step *rule_steps_make(const struct rule_input *in) {
  return sass_steps_make(in->sass, in->f->launch ? in->f->launch->block[0] : 0);
}

double rule_value(const struct rule_input *in, const char *name, double fallback) {
  struct value v = finding_value(in->f, name);
  return v.present ? v.v : fallback;
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

double argument_loads(const struct rule_input *in) {
  double n = 0;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    bool fixed = x->class == SASS_LOAD_CONSTANT && x->pipe == PIPE_ADU;
    for (size_t k = 0; k < x->n_reads; k++)
      fixed = fixed && x->reads[k].file != FILE_R;
    n += fixed ? fmax(in->sass->executed[i], 0) : 0;
  }
  return n;
}

double shared_load_wavefronts(const struct rule_input *in) {
  double cycles = 0, loads = executed_in(in, SASS_LOAD_SHARED, PIPE_UNKNOWN);
  double others = executed_in(in, SASS_STORE_SHARED, PIPE_UNKNOWN) + executed_in(in, SASS_SHUFFLE, PIPE_UNKNOWN);
  for (size_t i = 0; in->sass && i < in->sass->n; i++)
    if (in->sass->count[i] && in->sass->insts[i].class == SASS_LOAD_SHARED)
      cycles += fmax(in->sass->count[i]->shared_wavefronts, 0);
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

double held_by_l2(const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  const char *l2 = in->all->run->l2;
  if (r->bytes_declared > 0 || r->bytes_minimal > 0 || !l2 || strcmp(l2, "cold") == 0)
    return 0;
  return fmin(rule_value(in, "l2_read_bytes", 0), in->all->device->l2_bytes);
}

double distinct_bytes(const struct rule_input *in) {
  return fmax(least_bytes(in), held_by_l2(in));
}

double warp_batches(const struct rule_input *in) {
  const struct flight *fl = &in->f->bounds.flight;
  double at_once = or_zero(fl->warps) * or_zero(fl->warp_requests), latency = or_zero(fl->latency_s);
  double loads = latency > 0 ? or_zero(fl->loads_s) / latency : 0;
  return fmax(loads, at_once > 0 ? or_zero(fl->requests) / at_once : 0);
}

double grid_blocks(const struct rule_input *in) {
  return in->f->launch ? launch_blocks(in->f->launch) : 0;
}

double local_part(const struct rule_input *in) {
  double local = rule_value(in, "local_load_sectors", 0) + rule_value(in, "local_store_sectors", 0);
  double l1 = local + rule_value(in, "l1_load_sectors", 0), l2 = rule_value(in, "l2_read_bytes", 0) / SECTOR_BYTES;
  return local > 0 ? local / fmax(l1, l2) : 0;
}

bool rule_is_ours(const struct rule_input *in, const struct hot_inst *x) {
  return &in->hot->kernels[x->kernel].sass == in->sass;
}

const struct hot_kernel *rule_kernel(const struct rule_input *in) {
  for (size_t i = 0; i < in->hot->n_kernels; i++)
    if (&in->hot->kernels[i].sass == in->sass)
      return &in->hot->kernels[i];
  return NULL;
}
