/* Executed counts where no instruction was counted and too few
 * were sampled: shared out by the counters of the whole launch.
 *
 * What is known is how many instructions there were in all, and of some kinds; that the first
 * block runs once a warp; and that what is in no loop runs once at most.  Of all counts that
 * agree with this those are taken that are nearest to a first guess: every block once a warp,
 * a rare one (sass_rare.c) once in a thousand, and eight times as often for each loop around
 * it.  Nearest is by relative entropy, of instructions, and it is reached by scaling for one
 * counter after the other (multiplicative algebraic reconstruction: Gordon, Bender and
 * Herman, J. theor. Biol. 29, 471, 1970; that it converges there: Lent 1977). */
#include "analysis/sass/sass_parts.h"

#include "analysis/metrics/formulas.h"
#include "base/warp.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS = 100 };
static const double turns_guess = 8, rare_guess = 1e-3, step_most = 16, /* of one scaling */
    told_least = 1e-4; /* of all instructions: less in a block is taken as none */

#define PIPE(p)  (1u << (p))
#define CLASS(c) (1ull << (c))
/* A counter, and the instructions that it counts: of one of the pipes, or of one of the classes. */
static const struct counts_kind {
  const char *counter;
  unsigned pipes;
  unsigned long long classes;
} kinds[] = {
    {"inst_executed", ~0u, 0},
    {"pipe_alu", PIPE(PIPE_ALU), 0},
    {"pipe_fma", PIPE(PIPE_FMA) | PIPE(PIPE_FP16), 0},
    {"pipe_fp64", PIPE(PIPE_FP64), 0},
    {"pipe_xu", PIPE(PIPE_XU), 0},
    {"pipe_lsu", PIPE(PIPE_LSU), 0},
    {"l1_load_requests", 0, CLASS(SASS_LOAD_GLOBAL) | CLASS(SASS_LOAD_LOCAL) | CLASS(SASS_ASYNC_COPY)},
    {"l1_store_requests", 0, CLASS(SASS_STORE_GLOBAL) | CLASS(SASS_STORE_LOCAL)},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct spread {
  const struct sass *s;
  double warps;
  double *insts;         /* a block's, executed: warp instructions */
  double (*part)[KINDS]; /* of a block's instructions those of a kind */
};

static bool is_kind(const struct sass_inst *x, const struct counts_kind *kind) {
  bool bulk = x->class == SASS_ASYNC_COPY && x->bytes == 0; /* it is no request of a warp's */
  return kind->pipes >> x->pipe & 1 || (!bulk && kind->classes >> x->class & 1);
}

static double at_most(const struct spread *x, size_t b) {
  const struct sass_block *block = &x->s->blocks[b];
  return block->loop == SASS_NONE ? x->warps * (double)block->n : INFINITY;
}

static void guess(struct spread *x) {
  for (size_t b = 0; b < x->s->n_blocks; b++) {
    const struct sass_block *block = &x->s->blocks[b];
    int depth = block->loop == SASS_NONE ? 0 : x->s->loops[block->loop].depth;
    x->insts[b] = block->reachable ? x->warps * (double)block->n * pow(turns_guess, depth) : 0;
    x->insts[b] *= block->rare ? rare_guess : 1;
    for (size_t i = block->first; i < block->first + block->n; i++)
      for (int k = 0; k < KINDS; k++)
        x->part[b][k] += is_kind(&x->s->insts[i], &kinds[k]) / (double)block->n;
  }
}

static void scale_to(struct spread *x, int kind, double counted) {
  double has = 0;
  for (size_t b = 0; b < x->s->n_blocks; b++)
    has += x->insts[b] * x->part[b][kind];
  if (has <= 0)
    return;
  double step = log(fmin(fmax(counted / has, 1 / step_most), step_most));
  for (size_t b = 1; b < x->s->n_blocks; b++)
    if (x->part[b][kind] > 0)
      x->insts[b] = fmin(x->insts[b] * exp(step * x->part[b][kind]), at_most(x, b));
}

static double warps_of(const struct run_result *r) {
  const struct run_launch *l = r->n_launches == 1 ? &r->launches[0] : NULL;
  const struct run_metric *blocks = run_metric_find(r, "blocks_launched");
  if (!l || !blocks || !blocks->present)
    return 0;
  return blocks->value * ceil(launch_block_threads(l) / WARP_LANES);
}

void sass_spread(struct sass *s, const struct run_result *r) {
  const struct run_metric *all = run_metric_find(r, "inst_executed");
  struct spread x = {.s = s, .warps = warps_of(r)};
  if (!all || !all->present || all->value <= 0 || x.warps <= 0 || s->n_blocks == 0)
    return;
  x.insts = calloc(s->n_blocks, sizeof *x.insts);
  x.part = calloc(s->n_blocks, sizeof *x.part);
  guess(&x);
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int k = KINDS - 1; k >= 0; k--) { /* the sum of all comes last */
      const struct run_metric *m = run_metric_find(r, kinds[k].counter);
      if (m && m->present)
        scale_to(&x, k, m->value);
    }
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t i = s->blocks[b].first; i < s->blocks[b].first + s->blocks[b].n; i++)
      s->executed[i] = x.insts[b] < told_least * all->value ? 0 : x.insts[b] / (double)s->blocks[b].n;
  s->spread = true;
  free(x.insts);
  free(x.part);
}
