#include "analysis/rules/static.h"

#include "analysis/rules/rule_tools.h"

#include "analysis/metrics/formulas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct run_kernel *find_kernel(const struct run_module *m, const char *name) {
  if (!name)
    return m->n_kernels ? &m->kernels[0] : NULL;
  for (size_t i = 0; i < m->n_kernels; i++)
    if (strcmp(m->kernels[i].name, name) == 0)
      return &m->kernels[i];
  return NULL;
}

/* Barriers are numbered from 0, so that the highest tells how many there are; one that a register names may be any. */
static int barriers_of(const struct sass *s) {
  int most = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    unsigned number = 0;
    if (strcmp(x->opcode, "BAR") != 0 || x->never)
      continue;
    const char *operands = x->modifiers + x->n_modifiers;
    int used = sscanf(operands, " 0x%x", &number) == 1 && number < BARRIERS_MAX ? (int)number + 1 : BARRIERS_MAX;
    most = used > most ? used : most;
  }
  return most;
}

static void occupy(struct static_code *c) {
  const struct run_launch *l = c->launch;
  struct err why = {0};
  if (!l) {
    c->occupied = value_absent("the block's threads are not known: --block N");
    c->warps = c->occupied;
    return;
  }
  struct occupancy_block b = {.registers = l->registers > 0 ? l->registers : c->kernel->registers,
                              .threads = (int)fmin(launch_block_threads(l), 1e6),
                              .smem_static =
                                  c->kernel->smem_static > l->smem_static ? c->kernel->smem_static : l->smem_static,
                              .smem_dynamic = l->smem_dynamic,
                              .barriers = c->barriers};
  if (occupancy_of(&c->occupancy, c->device, &b, &why)) {
    c->occupied = c->warps = value_absent(pool_printf(&c->pool, "%s", why.text));
    return;
  }
  c->occupied = value_of(c->occupancy.share);
  double held = (double)c->device->sms * c->occupancy.blocks_per_sm, blocks = launch_blocks(l);
  if (c->occupancy.blocks_per_sm == 0)
    c->warps = value_absent("the block cannot be launched on this chip");
  else if (c->device->sms <= 0)
    c->warps = value_absent("the SMs of the chip are not known");
  else /* a grid that is not known is taken to fill the chip */
    c->warps = value_of((blocks > 0 ? fmin(blocks, held) : held) * c->occupancy.warps_per_block);
}

static void read_sass(struct static_code *c) {
  struct err why = {0};
  if (sass_make(&c->sass, c->kernel, &why)) {
    c->sass = (struct sass){0};
    c->reason = pool_printf(&c->pool, "%s", why.text);
    return;
  }
  sass_summarise(&c->sass, &c->code);
  c->barriers = barriers_of(&c->sass);
  c->steps = sass_steps_make(&c->sass, c->launch ? c->launch->block[0] : 0);
}

/* --- advice --- */

/* Where counts are, [issue-slots] and [long-scoreboard] say so. */
static const struct rule by_code_alone = {
    .name = "narrow-loads", .title = "loads are narrow", .judge_static = static_narrow_loads, .flags = RULE_LOAD_WAITS};

/* How much is in flight stands behind what binds the loop, which then waits for that and not for latency. */
enum { IN_FLIGHT = RULE_DRAM_QUEUE | RULE_BY_BLOCK_SIZE };

static void advise(struct static_code *c, const struct rule *rule) {
  struct static_advice a = {.rule = rule};
  if (c->n_advice < STATIC_ADVICE_MAX && rule->judge_static && rule->judge_static(c, &a.told))
    c->advice[c->n_advice++] = a;
}

static void advise_all(struct static_code *c) {
  for (int in_flight = 0; in_flight < 2; in_flight++)
    for (size_t i = 0; i < n_rules; i++)
      if (in_flight == ((rules[i].flags & IN_FLIGHT) != 0))
        advise(c, &rules[i]);
  advise(c, &by_code_alone);
}

int static_code_make(struct static_code *out, const struct run *run, const struct run_result *r,
                     const struct run_launch *launch, const struct device *d, struct err *e) {
  *out = (struct static_code){
      .run = run, .result = r, .launch = launch, .device = d, .binding = BOUND_KINDS, .busiest = BOUND_KINDS};
  if (r->module < 0)
    return err_set(e, ERR_DATA, "nothing was compiled%s%s", r->check.reason ? ": " : "",
                   r->check.reason ? r->check.reason : "");
  const struct run_module *m = &run->modules[r->module];
  out->arch = m->arch;
  out->kernel = find_kernel(m, launch ? launch->kernel : NULL);
  if (!out->kernel)
    return err_set(e, ERR_DATA, "the compiled module holds no kernel %s", launch ? launch->kernel : "");
  read_sass(out);
  occupy(out);
  static_model(out);
  static_time(out);
  advise_all(out);
  return 0;
}

void static_code_release(struct static_code *c) {
  free(c->steps);
  sass_release(&c->sass);
  pool_release(&c->pool);
  *c = (struct static_code){0};
}
