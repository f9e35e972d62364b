#include "analysis/signs/about.h"

#include "analysis/model/code_place.h"

#include <math.h>
#include <stdlib.h>

/* --- kinds --- */

static bool is_global(const struct sass_inst *x) {
  return x->space == SPACE_GLOBAL || x->space == SPACE_GENERIC;
}

bool about_loads(const struct sass_inst *x) {
  return x->class == SASS_LOAD_GLOBAL || x->class == SASS_ASYNC_COPY;
}

bool about_stores(const struct sass_inst *x) {
  return x->class == SASS_STORE_GLOBAL;
}

bool about_accesses(const struct sass_inst *x) {
  return about_loads(x) || about_stores(x);
}

bool about_local(const struct sass_inst *x) {
  return x->class == SASS_LOAD_LOCAL || x->class == SASS_STORE_LOCAL;
}

bool about_shared(const struct sass_inst *x) {
  return x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED;
}

bool about_shared_atomics(const struct sass_inst *x) {
  return x->class == SASS_ATOMIC && x->space == SPACE_SHARED;
}

bool about_atomics(const struct sass_inst *x) {
  return x->class == SASS_ATOMIC && is_global(x);
}

bool about_barriers(const struct sass_inst *x) {
  return x->wait == WAIT_BLOCK;
}

bool about_fp64(const struct sass_inst *x) {
  return x->class == SASS_FP64;
}

bool about_converts(const struct sass_inst *x) {
  return x->class == SASS_CONVERT;
}

/* --- the place --- */

/* Samples that stand at the instruction or wait for it, how often it runs, and how deep it stands in loops. */
struct weight {
  double samples, executed;
  int depth;
};

static int depth_of(const struct sass *s, size_t i) {
  size_t loop = s->blocks[s->block_of[i]].loop;
  return loop == SASS_NONE ? 0 : s->loops[loop].depth;
}

/* Of several that an instruction waits for at once, those in the innermost loop are what it waits for again and again. */
static int deepest_feed(const struct sass *s, const struct hot_inst *x) {
  int deepest = 0;
  for (size_t k = 0; k < x->n_feeds; k++)
    deepest = depth_of(s, x->feeds[k].inst) > deepest ? depth_of(s, x->feeds[k].inst) : deepest;
  return deepest;
}

/* What an access of shared memory, or a store, takes itself: not the wait for what a load is to bring to it. */
static double own_samples(const struct sass *s, const struct hot_inst *x) {
  enum sass_class class = s->insts[x->at].class;
  bool brings = class == SASS_STORE_SHARED || class == SASS_LOAD_SHARED || class == SASS_STORE_GLOBAL;
  return (double)x->samples - (brings ? hot_samples_of(x, "long_scoreboard") : 0);
}

/* The samples of warps that wait at a barrier are the barrier's, and not those of the instruction behind it.  SASS_NONE: there is none. */
static size_t barrier_of(const struct sass *s, const struct hot_inst *x, double *waits) {
  size_t barrier = hot_barrier(s, x->at);
  *waits = barrier != SASS_NONE ? hot_samples_of(x, "barrier") : 0;
  return barrier;
}

/* Of all instructions of the kernel; the caller frees it. */
static double *samples_of(const struct hot *h, size_t kernel) {
  const struct sass *s = &h->kernels[kernel].sass;
  double *samples = calloc(s->n + 1, sizeof *samples);
  for (size_t i = 0; i < h->n_insts; i++) {
    const struct hot_inst *x = &h->insts[i];
    if (x->kernel != kernel)
      continue;
    int deepest = deepest_feed(s, x);
    double waits;
    size_t barrier = barrier_of(s, x, &waits);
    samples[x->at] += own_samples(s, x) - waits;
    if (barrier != SASS_NONE)
      samples[barrier] += waits;
    for (size_t k = 0; k < x->n_feeds; k++)
      if (x->feeds[k].inst != x->at && x->feeds[k].inst != barrier && depth_of(s, x->feeds[k].inst) == deepest)
        samples[x->feeds[k].inst] += (double)x->waits;
  }
  return samples;
}

static bool heavier(struct weight a, struct weight b) {
  return a.samples != b.samples ? a.samples > b.samples : a.executed > b.executed;
}

bool same_line(const struct run_line *a, const struct run_line *b) {
  return a->source == b->source && a->line == b->line;
}

/* A line and the heaviest instruction of it. */
struct candidate {
  const struct run_line *line;
  const struct run_instruction *at;
  struct weight all, most;
};

enum { LINES_MOST = 64 };

static void candidate_add(struct candidate *list, size_t *n, const struct run_line *line,
                          const struct run_instruction *at, struct weight w) {
  size_t i = 0;
  while (i < *n && !same_line(list[i].line, line))
    i++;
  if (i == LINES_MOST)
    return;
  if (i == *n)
    list[(*n)++] = (struct candidate){.line = line, .at = at, .most = w};
  struct candidate *c = &list[i];
  c->all.samples += w.samples;
  c->all.executed += w.executed;
  c->all.depth = w.depth > c->all.depth ? w.depth : c->all.depth;
  if (heavier(w, c->most)) {
    c->most = w;
    c->at = at;
  }
}

const struct run_line *about_line(const struct rule_input *in, const struct run_instruction *at) {
  struct code_place place = {0};
  code_place_of(&place, in->hot->run, at);
  return place.line && !source_wraps(in->hot->run, place.line->source) ? place.line : NULL;
}

static void candidates_add(struct candidate *list, size_t *n, const struct rule_input *in, size_t kernel,
                           about_kind *kind, const bool *marked) {
  const struct hot_kernel *k = &in->hot->kernels[kernel];
  double *samples = samples_of(in->hot, kernel);
  for (size_t i = 0; i < k->sass.n && samples; i++) {
    const struct run_line *line = NULL;
    if (!k->sass.insts[i].never && (!marked || marked[i]) && kind(&k->sass.insts[i]))
      line = about_line(in, hot_shown(k, i));
    if (line)
      candidate_add(list, n, line, hot_shown(k, i),
                    (struct weight){samples[i], fmax(k->sass.executed[i], 0), depth_of(&k->sass, i)});
  }
  free(samples);
}

/* What else stands on their lines is done for them. */
static void lines_add(struct candidate *list, size_t n, const struct rule_input *in, size_t kernel,
                      const bool *marked) {
  const struct hot_kernel *k = &in->hot->kernels[kernel];
  for (size_t i = 0; i < k->sass.n; i++) {
    const struct run_line *line = marked[i] || k->insts[i] == SASS_NONE ? NULL : about_line(in, hot_shown(k, i));
    for (size_t c = 0; line && c < n; c++)
      if (same_line(list[c].line, line))
        list[c].all.samples += (double)in->hot->insts[k->insts[i]].samples;
  }
}

/* Samples are counted with an error of their root: two of those apart, two lines differ. */
static bool as_many(double a, double b) {
  return fabs(a - b) <= 2 * sqrt(a + b);
}

/* Of lines whose samples do not tell them apart, the one in the innermost loop.  Where there are none, exact counts tell more than loops. */
static const struct run_instruction *heaviest(const struct candidate *list, size_t n, bool exact) {
  size_t most = 0, first = 0;
  for (size_t i = 1; i < n; i++)
    most = heavier(list[i].all, list[most].all) ? i : most;
  first = most;
  bool by_loops = n > 0 && (list[most].all.samples > 0 || !exact);
  for (size_t i = 0; i < n && by_loops; i++) {
    struct weight w = list[i].all, best = list[first].all;
    if (as_many(w.samples, list[most].all.samples) &&
        (w.depth > best.depth || (w.depth == best.depth && heavier(w, best))))
      first = i;
  }
  return n ? list[first].at : NULL;
}

/* Instructions were counted, not estimated. */
static bool counts_exactly(const struct hot *h) {
  for (size_t k = 0; k < h->n_kernels; k++)
    if (h->kernels[k].sass.counted && !h->kernels[k].sass.estimated && !h->kernels[k].sass.spread)
      return true;
  return false;
}

const struct run_instruction *about_place(const struct rule_input *in, about_kind *kind) {
  struct candidate list[LINES_MOST];
  size_t n = 0;
  for (size_t k = 0; k < in->hot->n_kernels; k++)
    candidates_add(list, &n, in, k, kind, NULL);
  return heaviest(list, n, counts_exactly(in->hot));
}

/* in->hot->n_kernels: it is none of them. */
static size_t kernel_of(const struct rule_input *in) {
  size_t k = 0;
  while (k < in->hot->n_kernels && &in->hot->kernels[k].sass != in->sass)
    k++;
  return k;
}

static bool of_any_kind(const struct sass_inst *x) {
  return x->opcode[0] != '\0';
}

const struct run_instruction *about_marked(const struct rule_input *in, const bool *marked, bool whole_lines) {
  struct candidate list[LINES_MOST];
  size_t n = 0, k = kernel_of(in);
  if (k < in->hot->n_kernels)
    candidates_add(list, &n, in, k, of_any_kind, marked);
  if (k < in->hot->n_kernels && whole_lines)
    lines_add(list, n, in, k, marked);
  return heaviest(list, n, counts_exactly(in->hot));
}

double *about_samples(const struct rule_input *in) {
  size_t kernel = kernel_of(in);
  return kernel < in->hot->n_kernels ? samples_of(in->hot, kernel) : calloc(in->sass->n + 1, sizeof(double));
}

/* A line of one place that it was inlined from. */
struct weighed {
  struct code_place place;
  const struct run_instruction *at;
  double weight, samples, most; /* most: samples of `at` */
  bool guessed;
};

static bool same_place(const struct code_place *a, const struct code_place *b) {
  return same_line(a->line, b->line) && !a->caller == !b->caller && (!a->caller || same_line(a->caller, b->caller));
}

static void weighed_add(struct weighed *list, size_t *n, const struct weighed *x) {
  size_t i = 0;
  while (i < *n && !same_place(&list[i].place, &x->place))
    i++;
  if (i == LINES_MOST)
    return;
  if (i == *n)
    list[(*n)++] = *x;
  else {
    list[i].weight += x->weight;
    list[i].samples += x->samples;
    list[i].guessed = list[i].guessed || x->guessed;
  }
  if (x->most > list[i].most) {
    list[i].at = x->at;
    list[i].most = x->most;
  }
}

/* Sums of the same numbers in another order. */
static bool as_heavy(double a, double b) {
  static const double ROUNDING = 1e-9;
  return fabs(a - b) <= ROUNDING * fmax(a, b);
}

const struct run_instruction *about_weighted(const struct rule_input *in, const double *weight, const double *samples,
                                             const bool *guessed) {
  struct weighed list[LINES_MOST];
  size_t n = 0, kernel = kernel_of(in), best = 0;
  if (kernel == in->hot->n_kernels)
    return NULL;
  const struct hot_kernel *k = &in->hot->kernels[kernel];
  for (size_t i = 0; i < in->sass->n; i++) {
    struct weighed x = {.at = hot_placed(k, i), .weight = weight[i], .samples = samples[i], .most = samples[i]};
    x.guessed = guessed && guessed[i];
    code_place_of(&x.place, in->hot->run, x.at);
    if (weight[i] > 0 && about_line(in, hot_shown(k, i)))
      weighed_add(list, &n, &x);
  }
  for (size_t i = 1; i < n; i++) {
    bool even = as_heavy(list[i].weight, list[best].weight);
    if (even ? list[i].samples > list[best].samples : list[i].weight > list[best].weight)
      best = i;
  }
  bool told = n > 0 && (!list[best].guessed || list[best].samples > 0);
  for (size_t i = 0; i < n && !told; i++)
    if (i != best && as_heavy(list[i].weight, list[best].weight))
      return NULL;
  return n ? list[best].at : NULL;
}

const struct run_instruction *about_heaviest(const struct rule_input *in, const double *weight) {
  double *samples = about_samples(in);
  const struct run_instruction *at = about_weighted(in, weight, samples, NULL);
  free(samples);
  return at;
}

const struct run_instruction *about_inst(const struct rule_input *in, size_t inst) {
  const struct run_instruction *at = in->sass && inst < in->sass->n ? &in->sass->kernel->sass[inst] : NULL;
  return at && at->n_lines ? at : NULL;
}
