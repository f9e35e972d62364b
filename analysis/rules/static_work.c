/* Code as work, for the model of time; analysis/rules/static.h states the assumption. */
#include "analysis/rules/static.h"
#include "analysis/rules/static_walk.h"
#include "analysis/signs/chains.h"

#include "analysis/model/flight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAVEFRONT_BYTES = 128, WHOLE_LINE = 4 };

static double warps_of(const struct static_code *c) {
  return launch_blocks(c->launch) * ceil(launch_block_threads(c->launch) / RULE_LANES);
}

/* Warp instructions: as its warps were walked; else those of the hot loop once a turn, the others once a warp. */
static void execute(double *executed, const struct static_code *c, const struct sass_walk *walk) {
  double turns = walk ? 0 : c->must_bytes.v / (c->turn_bytes.v * RULE_LANES);
  for (size_t i = 0; i < c->sass.n; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    executed[i] = x->never || x->malformed ? 0 : (static_in_loop(c, i) ? turns : warps_of(c));
    if (walk)
      executed[i] = walk->executed[i] / walk->warps * warps_of(c);
  }
}

static bool uses_data_stage(const struct sass_inst *x) {
  return x->bytes > 0 && (x->class == SASS_LOAD_GLOBAL || x->class == SASS_STORE_GLOBAL ||
                          x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED || x->class == SASS_ASYNC_COPY);
}

/* On a pipe as its counter counts: packed arithmetic that the tensor pipe takes is no matrix instruction. */
static enum sass_pipe counted_pipe(const struct sass_inst *x) {
  bool packed = x->pipe == PIPE_FP16 || (x->pipe == PIPE_TENSOR && x->class == SASS_FP16);
  return packed ? PIPE_FMA : x->pipe;
}

/* Lanes access neighbouring bytes, and no banks conflict. */
static void instructions(struct workload *w, const struct static_code *c, const double *executed) {
  double on[SASS_PIPES] = {0}, all = 0, products = 0, wavefronts = 0;
  bool copies = false;
  for (size_t i = 0; i < c->sass.n; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    all += executed[i];
    on[counted_pipe(x)] += executed[i];
    products += strcmp(x->opcode, "IMAD") == 0 ? executed[i] : 0;
    if (uses_data_stage(x))
      wavefronts += executed[i] * fmax((double)x->bytes * RULE_LANES / WAVEFRONT_BYTES, 1);
    copies = copies || (x->access == ACCESS_BULK_COPY && executed[i] > 0);
  }
  w->inst = value_of(all);
  w->alu = value_of(on[PIPE_ALU]);
  w->fma = value_of(on[PIPE_FMA]);
  w->fma_heavy = value_of(fmax(products, on[PIPE_FMA] / 2)); /* its heavy half takes all products of integers */
  w->lsu = value_of(on[PIPE_LSU]);
  w->xu = value_of(on[PIPE_XU]);
  w->tensor = value_of(on[PIPE_TENSOR]);
  w->fp64 = value_of(on[PIPE_FP64]);
  w->adu = value_of(on[PIPE_ADU]);
  w->tex = value_of(0);
  w->l1_wavefronts = value_of(wavefronts);
  w->async_share = copies ? 1 : 0;
}

/* Resident in the mean: where blocks wait for room they end at any time, so that of the last ones the slots stand empty for half of a block's time. */
static double resident_warps(const struct static_code *c, const struct rates *r) {
  double waves = launch_blocks(c->launch) / fmax(r->sms * c->occupancy.blocks_per_sm, 1);
  return c->warps.v * (waves > 1 ? waves / (waves + 0.5) : 1);
}

/* Cycles of the warps that were walked, as all of them: over those that are resident. */
static struct value walked_s(const struct sass_walk *walk, double cycles, const struct static_code *c,
                             const struct workload *w) {
  return value_of(cycles / walk->warps * warps_of(c) / (w->warps.v * w->clock_hz.v));
}

static void warps(struct workload *w, const struct static_code *c, const double *executed, const struct sass_walk *walk,
                  const struct rates *r) {
  struct sass as_run = c->sass;
  as_run.executed = (double *)executed;
  as_run.counted = true;
  double hz = c->device->clock_max_hz, latency_s = r->of[RATE_DRAM_LATENCY].value / hz;
  w->warps = value_of(resident_warps(c, r));
  w->clock_hz = value_of(hz);
  w->loads_s = value_of(flight_batches(&as_run) / w->warps.v * latency_s);
  w->slow_loads = value_of(0);
  w->own_issue_s = value_of(w->inst.v / (w->warps.v * hz));
  w->dependencies_s = value_of(dependent_cycles(&as_run) / (w->warps.v * hz));
  w->barriers_s = value_of(0);
  if (walk) {
    w->l1_wavefronts = value_of(walk->wavefronts / walk->warps * warps_of(c));
    w->loads_s = walked_s(walk, walk->loads, c, w);
    w->dependencies_s = walked_s(walk, walk->waits, c, w);
  }
}

static void launch(struct workload *w, const struct static_code *c, const struct rates *r) {
  const struct run_launch *l = c->launch;
  double a_sm = launch_blocks(l) / fmax(r->sms, 1);
  w->launches = c->result->n_launches ? (double)c->result->n_launches : 1;
  w->balance = a_sm / ceil(a_sm); /* blocks go one by one to the SM that has room: some SMs get one more */
  w->blocks = value_of(launch_blocks(l));
  w->warps_per_block = value_of(ceil(launch_block_threads(l) / RULE_LANES));
  w->blocks_per_sm = value_of(c->occupancy.blocks_per_sm);
  w->smem_block = value_of((double)(l->smem_static + l->smem_dynamic));
  w->empty_s = value_absent("the device's rate is not known");
  w->empty_s = resource_empty_s(w, r);
}

static const char *no_work(const struct static_code *c) {
  if (!c->elements.present)
    return "no GEMV is declared";
  if (c->reason)
    return c->reason;
  if (!c->must_bytes.present)
    return c->must_bytes.reason;
  if (!c->launch || launch_blocks(c->launch) <= 0 || !c->warps.present || !(c->warps.v > 0))
    return "the launch is not known";
  return NULL;
}

void static_time(struct static_code *c) {
  const char *why = no_work(c);
  c->time_s = c->low_s = c->high_s = value_absent(why);
  if (why)
    return;
  struct sass_walk walk;
  bool walked = static_walk(&walk, c);
  if (!walked && !c->insts_per_byte.present) {
    sass_walk_release(&walk);
    c->time_s = c->low_s = c->high_s = c->insts_per_byte;
    return;
  }
  double *executed = calloc(c->sass.n + 1, sizeof *executed);
  struct rates r;
  struct workload w = {.dram_read = c->must_bytes,
                       .dram_write = value_of(0),
                       .l2_read = c->must_bytes,
                       .l2_write = value_of(0),
                       .read_fill = WHOLE_LINE,
                       .write_fill = WHOLE_LINE,
                       .atomic_sectors = value_of(0),
                       .atomic_cycles_max = value_of(0),
                       .atomic_bursts = 1,
                       .atomic_lanes = 1,
                       .sectors_spread = 1};
  rates_of(&r, c->device);
  execute(executed, c, walked ? &walk : NULL);
  instructions(&w, c, executed);
  warps(&w, c, executed, walked ? &walk : NULL, &r);
  launch(&w, c, &r);
  model_of(&c->model, &w, &r);
  free(executed);
  sass_walk_release(&walk);
  c->time_s = c->model.time_s;
  if (c->time_s.present) {
    c->low_s = value_of(c->time_s.v * STATIC_LOW);
    c->high_s = value_of(c->time_s.v * STATIC_HIGH);
  }
}
