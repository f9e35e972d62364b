#include "analysis/model/hot_issue.h"

#include "analysis/model/code_place.h"

#include <math.h>
#include <stdlib.h>

/* SASS_PIPES: all of them; PIPE_UNKNOWN: samples tell where the time goes. */
static enum sass_pipe pipe_of(enum bound_kind binding) {
  static const enum sass_pipe pipes[BOUND_KINDS] = {
      [BOUND_ISSUE] = SASS_PIPES, [BOUND_ALU] = PIPE_ALU,   [BOUND_FMA] = PIPE_FMA,
      [BOUND_XU] = PIPE_XU,       [BOUND_FP64] = PIPE_FP64,
  };
  return binding < BOUND_KINDS ? pipes[binding] : PIPE_UNKNOWN;
}

static bool counted_each(const struct hot *h) {
  for (size_t k = 0; k < h->n_kernels; k++)
    if (!h->kernels[k].sass.counted || h->kernels[k].sass.estimated || h->kernels[k].sass.spread)
      return false;
  return h->n_kernels > 0;
}

static struct hot_line *line_at(struct hot *h, const struct run_line *place) {
  for (size_t i = 0; i < h->n_lines && place; i++)
    if (h->lines[i].source == place->source && h->lines[i].line == place->line)
      return &h->lines[i];
  return NULL;
}

static int by_issued(const void *a, const void *b) {
  const struct hot_line *x = a, *y = b;
  if (x->issued != y->issued)
    return x->issued < y->issued ? 1 : -1;
  if (x->waits != y->waits)
    return x->waits < y->waits ? 1 : -1;
  return x->source != y->source ? x->source - y->source : x->line - y->line;
}

/* Of all that the kernel issues there; 0: nothing does. */
static double issued_fill(struct hot *h, const struct hot_kernel *k, enum sass_pipe pipe) {
  double all = 0;
  for (size_t i = 0; i < k->sass.n; i++) {
    const struct sass_inst *x = &k->sass.insts[i];
    bool on_fma = pipe == PIPE_FMA && x->pipe == PIPE_FP16;
    if (x->never || (pipe != SASS_PIPES && x->pipe != pipe && !on_fma))
      continue;
    struct code_place place;
    code_place_of(&place, h->run, hot_shown(k, i));
    struct hot_line *l = line_at(h, place.line);
    double n = fmax(k->sass.executed[i], 0);
    all += n;
    if (l)
      l->issued += n;
  }
  return all;
}

void hot_by_issue(struct hot *h, enum bound_kind binding) {
  enum sass_pipe pipe = pipe_of(binding);
  double all = 0;
  if (pipe == PIPE_UNKNOWN || !counted_each(h))
    return;
  for (size_t k = 0; k < h->n_kernels; k++)
    all += issued_fill(h, &h->kernels[k], pipe);
  if (all <= 0)
    return;
  for (size_t i = 0; i < h->n_lines; i++)
    h->lines[i].issued /= all;
  h->issued_on = bound_rows[binding].noun;
  qsort(h->lines, h->n_lines, sizeof *h->lines, by_issued);
}
