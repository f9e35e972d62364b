/* Executed counts, and from them how often each loop turns.
 *
 * Counts are of instructions; turns need counts of edges. What flows into a block flows out of it,
 * so where all edges but one of a block are known the last one is too (Knuth, The Art of Computer
 * Programming, volume 1, 2.3.4.1: Kirchhoff's law). */
#include "analysis/sass/sass_parts.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 64 }; /* each pass settles at least one edge; more are seldom needed than nesting is deep */

struct edges {
  const struct sass *sass;
  double *count; /* of an edge; -1: unknown */
  bool changed;
};

/* Gives the one unknown edge what the others leave of total. */
static void settle(struct edges *x, const size_t *edges, size_t n, double total) {
  size_t unknown = SASS_NONE;
  for (size_t k = 0; k < n; k++)
    if (x->count[edges[k]] >= 0)
      total -= x->count[edges[k]];
    else if (unknown == SASS_NONE)
      unknown = edges[k];
    else
      return;
  if (unknown == SASS_NONE)
    return;
  x->count[unknown] = total > 0 ? total : 0; /* warps that split are counted twice, which can make it negative */
  x->changed = true;
}

static void settle_block(struct edges *x, size_t b) {
  const struct sass *s = x->sass;
  const struct sass_block *block = &s->blocks[b];
  const struct sass_inst *last = &s->insts[block->first + block->n - 1];
  const struct sass_scratch *scratch = s->scratch;
  if (block->executed < 0)
    return;
  bool leaves = last->ends || (last->branches && !last->has_target); /* it has a way out that is no edge */
  size_t out[SASS_SUCCESSORS_MAX] = {0};
  for (size_t k = 0; k < block->n_succ; k++)
    out[k] = b * SASS_SUCCESSORS_MAX + k;
  if (!leaves)
    settle(x, out, block->n_succ, s->executed[block->first + block->n - 1]);
  if (b > 0) /* the entry has a way in that is no edge */
    settle(x, scratch->preds + scratch->pred_at[b], scratch->pred_at[b + 1] - scratch->pred_at[b], block->executed);
}

static struct value trips_of(const struct edges *x, size_t loop) {
  const struct sass *s = x->sass;
  const struct sass_scratch *scratch = s->scratch;
  size_t header = s->loops[loop].header;
  double entries = 0, turns = s->blocks[header].executed;
  if (turns <= 0)
    return (struct value){.reason = "the loop was not executed"};
  if (header == 0)
    return (struct value){.reason = "the loop starts with the kernel: how often it is entered is not counted"};
  for (size_t p = scratch->pred_at[header]; p < scratch->pred_at[header + 1]; p++) {
    size_t edge = scratch->preds[p], from = s->blocks[edge_from(edge)].first;
    if (!s->blocks[edge_from(edge)].reachable || sass_in_loop(s, from, loop))
      continue;
    if (x->count[edge] < 0)
      return (struct value){.reason = "the counts do not say how often the loop is entered"};
    entries += x->count[edge];
  }
  if (entries <= 0)
    return (struct value){.reason = "the counts contradict each other: the loop iterates but is never entered"};
  return (struct value){.present = true, .v = turns / entries};
}

static void trips_make(struct sass *s) {
  size_t n = s->n_blocks * SASS_SUCCESSORS_MAX;
  struct edges x = {.sass = s, .count = calloc(n + 1, sizeof *x.count)};
  for (size_t k = 0; k < n; k++)
    x.count[k] = -1;
  x.changed = true;
  for (int pass = 0; pass < PASSES_MAX && x.changed; pass++) {
    x.changed = false;
    for (size_t b = 0; b < s->n_blocks; b++)
      if (s->blocks[b].reachable)
        settle_block(&x, b);
  }
  for (size_t l = 0; l < s->n_loops; l++)
    s->loops[l].trips = trips_of(&x, l);
  free(x.count);
}

static void forget(struct sass *s) {
  s->counted = s->estimated = s->spread = false;
  for (size_t i = 0; i < s->n; i++) {
    s->executed[i] = s->threads[i] = -1;
    s->count[i] = NULL;
  }
  for (size_t b = 0; b < s->n_blocks; b++)
    s->blocks[b].executed = -1;
  for (size_t l = 0; l < s->n_loops; l++) {
    s->loops[l].executed = -1;
    s->loops[l].trips = (struct value){.reason = "no executed counts"};
  }
}

/* --- counts --- */

static void counts_take(struct sass *s, const struct run_result *r, int module, int kernel) {
  for (size_t c = 0; c < r->n_counts; c++) {
    const struct run_count *count = &r->counts[c];
    size_t i = count->module == module && count->kernel == kernel ? sass_find(s, count->offset) : SASS_NONE;
    if (i == SASS_NONE)
      continue;
    s->executed[i] = count->executed;
    s->threads[i] = count->threads;
    s->count[i] = count;
  }
}

/* Samples of warps that issue: of all kernels of the result. */
static double issue_samples(const struct run_result *r) {
  double n = 0;
  for (size_t i = 0; i < r->n_samples; i++)
    n += strcmp(r->samples[i].reason, "selected") == 0 ? (double)r->samples[i].samples : 0;
  return n;
}

/* Warp instructions that one sample of an issuing warp stands for; 0 where there are too few. */
static double insts_per_sample(const struct run_result *r) {
  const struct run_metric *insts = run_metric_find(r, "inst_executed");
  double n = issue_samples(r);
  return insts && insts->present && n >= SASS_ISSUE_SAMPLES_LEAST ? insts->value / n : 0;
}

/* A block's instructions issue equally often, guarded or not: they share its samples. */
static void estimates_take(struct sass *s, const struct run_result *r, int module, int kernel, double each) {
  for (size_t c = 0; c < r->n_samples; c++) {
    const struct run_sample *sample = &r->samples[c];
    bool issues = strcmp(sample->reason, "selected") == 0 && sample->module == module && sample->kernel == kernel;
    size_t i = issues ? sass_find(s, sample->offset) : SASS_NONE;
    if (i == SASS_NONE)
      continue;
    const struct sass_block *block = &s->blocks[s->block_of[i]];
    for (size_t k = block->first; k < block->first + block->n; k++)
      s->executed[k] += each * (double)sample->samples / (double)block->n;
  }
}

static void blocks_fill(struct sass *s) {
  for (size_t l = 0; l < s->n_loops; l++)
    s->loops[l].executed = 0;
  for (size_t b = 0; b < s->n_blocks; b++) {
    struct sass_block *block = &s->blocks[b];
    block->executed = s->executed[block->first];
    double sum = 0;
    for (size_t i = block->first; i < block->first + block->n; i++)
      sum += s->executed[i] > 0 ? s->executed[i] : 0;
    for (size_t l = block->loop; l != SASS_NONE; l = s->loops[l].parent)
      s->loops[l].executed += sum;
  }
}

void sass_count(struct sass *s, const struct run_result *r, int module, int kernel) {
  forget(s);
  for (size_t c = 0; c < r->n_counts; c++)
    s->counted = s->counted || (r->counts[c].module == module && r->counts[c].kernel == kernel);
  double each = r->n_counts == 0 ? insts_per_sample(r) : 0;
  if (r->n_counts == 0 && each <= 0)
    sass_spread(s, r);
  s->estimated = each > 0 || s->spread;
  if (!s->counted && !s->estimated)
    return;
  s->counted = true;
  for (size_t i = 0; i < s->n && !s->spread; i++)
    s->executed[i] = 0;
  if (each > 0)
    estimates_take(s, r, module, kernel, each);
  else if (!s->spread)
    counts_take(s, r, module, kernel);
  blocks_fill(s);
  if (!s->estimated)
    trips_make(s);
  for (size_t l = 0; l < s->n_loops && s->estimated; l++)
    s->loops[l].trips = value_absent("executed counts are estimates, which do not say how often a loop is entered");
}
