#include "analysis/model/hot.h"

#include "analysis/model/code_place.h"
#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST_LINE_SHARE = 0.1; /* of the samples, of the line to look at first */

/* --- kernels --- */

static bool launched(const struct run_result *r, const char *kernel) {
  for (size_t i = 0; i < r->n_launches; i++)
    if (strcmp(r->launches[i].kernel, kernel) == 0)
      return true;
  return r->n_launches == 0;
}

static void kernel_add(struct hot *h, int module, int index) {
  const struct run_module *m = &h->run->modules[module];
  struct hot_kernel *k = &h->kernels[h->n_kernels];
  *k = (struct hot_kernel){.kernel = &m->kernels[index], .module = module, .index = index};
  if (sass_make(&k->sass, k->kernel, NULL)) /* SASS that no compiler wrote: its samples are placed nowhere */
    return;
  h->n_kernels++;
  sass_count(&k->sass, h->result, module, index);
  k->insts = malloc((k->sass.n + 1) * sizeof *k->insts);
  for (size_t i = 0; i < k->sass.n; i++)
    k->insts[i] = SASS_NONE;
}

static void kernels_fill(struct hot *h) {
  int module = h->result->module;
  size_t n = module < 0 ? 0 : h->run->modules[module].n_kernels;
  h->kernels = calloc(n + 1, sizeof *h->kernels);
  for (size_t i = 0; i < n; i++) {
    const struct run_kernel *k = &h->run->modules[module].kernels[i];
    if (k->n_sass && launched(h->result, k->name))
      kernel_add(h, module, (int)i);
  }
}

static struct hot_kernel *kernel_find(struct hot *h, int module, int index) {
  for (size_t i = 0; i < h->n_kernels; i++)
    if (h->kernels[i].module == module && h->kernels[i].index == index)
      return &h->kernels[i];
  return NULL;
}

/* --- samples --- */

static const struct run_line *line_of(const struct run *r, const struct run_instruction *i) {
  struct code_place place;
  code_place_of(&place, r, i);
  return place.line;
}

const struct run_instruction *hot_shown(const struct hot_kernel *k, size_t at) {
  const struct sass *s = &k->sass;
  size_t function = s->n_functions ? s->blocks[s->block_of[at]].function : SASS_NONE;
  bool behind_exit = function == 0 && k->ended && at == s->blocks[s->functions[0].entry].first;
  size_t caller = function == SASS_NONE || behind_exit ? SASS_NONE : k->callers[function];
  return hot_placed(k, caller == SASS_NONE ? at : caller);
}

const struct run_instruction *hot_placed(const struct hot_kernel *k, size_t at) {
  return &k->kernel->sass[k->placed ? k->placed[at] : at];
}

static bool of_kernel(const struct hot_kernel *k, const struct run_sample *s) {
  return s->module == k->module && s->kernel == k->index;
}

static uint64_t samples_in(const struct hot *h, const struct hot_kernel *k, size_t function) {
  const struct run_result *r = h->result;
  uint64_t n = 0;
  for (size_t i = 0; i < r->n_samples; i++) {
    const struct run_sample *s = &r->samples[i];
    size_t at = of_kernel(k, s) && strcmp(s->reason, "drain") != 0 ? sass_find(&k->sass, s->offset) : SASS_NONE;
    n += at != SASS_NONE && k->sass.blocks[k->sass.block_of[at]].function == function ? s->samples : 0;
  }
  return n;
}

double hot_function_share(const struct hot *h, const struct hot_kernel *k, size_t function) {
  return h->samples ? (double)samples_in(h, k, function) / (double)h->samples : 0;
}

/* Most samples right behind the kernel's end are of warps that
 * have ended there: they were in no function that was called. */
static bool warps_end_behind(const struct hot *h, const struct hot_kernel *k) {
  const struct sass *s = &k->sass;
  uint64_t there = 0, ended = 0;
  if (s->n_functions == 0)
    return false;
  for (size_t i = 0; i < h->result->n_samples; i++) {
    const struct run_sample *x = &h->result->samples[i];
    if (!of_kernel(k, x) || sass_find(s, x->offset) != s->blocks[s->functions[0].entry].first)
      continue;
    there += x->samples;
    ended += strcmp(x->reason, "drain") == 0 ? x->samples : 0;
  }
  return 2 * ended > there;
}

/* Of each function that has samples its call; of several calls that in the block with the most samples. */
static void callers_fill(struct hot *h, struct hot_kernel *k) {
  const struct sass *s = &k->sass;
  uint64_t *of_block = calloc(s->n_blocks + 1, sizeof *of_block);
  k->callers = calloc(s->n_functions + 1, sizeof *k->callers);
  for (size_t i = 0; i < h->result->n_samples; i++) {
    const struct run_sample *x = &h->result->samples[i];
    size_t at = of_kernel(k, x) ? sass_find(s, x->offset) : SASS_NONE;
    if (at != SASS_NONE)
      of_block[s->block_of[at]] += x->samples;
  }
  for (size_t f = 0; f < s->n_functions; f++)
    k->callers[f] = SASS_NONE;
  for (size_t i = 0; i < s->n && s->n_functions; i++) {
    size_t f = sass_called(s, i), first = f == SASS_NONE ? SASS_NONE : k->callers[f];
    if (f != SASS_NONE && (first == SASS_NONE || of_block[s->block_of[i]] > of_block[s->block_of[first]]))
      k->callers[f] = i;
  }
  for (size_t f = 0; f < s->n_functions; f++)
    if (samples_in(h, k, f) == 0)
      k->callers[f] = SASS_NONE;
  free(of_block);
}

static struct hot_inst *inst_at(struct hot *h, struct hot_kernel *k, size_t at) {
  if (k->insts[at] == SASS_NONE) {
    k->insts[at] = h->n_insts;
    h->insts[h->n_insts++] =
        (struct hot_inst){.kernel = (size_t)(k - h->kernels), .at = at, .line = line_of(h->run, hot_shown(k, at))};
  }
  return &h->insts[k->insts[at]];
}

/* A stall of warps that wait.  Others issue (selected), or are ready
 * while another does (not_selected): where a pipe or the issue slots
 * bind, these pile up at a kernel's first instructions. */
static bool is_wait(const char *reason) {
  return strcmp(reason, "selected") != 0 && strcmp(reason, "not_selected") != 0;
}

/* Of two stalls of one place the one to name; alike: that before. */
static bool named_before(const void *left, const void *right) {
  const struct hot_reason *a = left, *b = right;
  bool waits = is_wait(a->reason);
  return waits != is_wait(b->reason) ? waits : a->samples >= b->samples;
}

static void samples_fill(struct hot *h) {
  const struct run_result *r = h->result;
  h->insts = calloc(r->n_samples + 1, sizeof *h->insts);
  for (size_t i = 0; i < h->n_kernels; i++) {
    callers_fill(h, &h->kernels[i]);
    h->kernels[i].placed = lost_callers(&h->kernels[i].sass, h->run);
    h->kernels[i].ended = warps_end_behind(h, &h->kernels[i]);
  }
  for (size_t i = 0; i < r->n_samples; i++) {
    const struct run_sample *s = &r->samples[i];
    struct hot_kernel *k = kernel_find(h, s->module, s->kernel);
    size_t at = k ? sass_find(&k->sass, s->offset) : SASS_NONE;
    uint64_t waits = is_wait(s->reason) ? s->samples : 0;
    h->samples += s->samples;
    h->waits += waits;
    if (at == SASS_NONE) {
      h->unplaced += s->samples;
      continue;
    }
    struct hot_inst *x = inst_at(h, k, at);
    k->samples += s->samples;
    x->samples += s->samples;
    x->waits += waits;
    x->not_issued += s->not_issued;
    struct hot_reason reason = {s->reason, s->samples, s->not_issued};
    array_rank(x->reasons, &x->n_reasons, HOT_REASONS, sizeof reason, &reason, named_before);
  }
}

/* --- what a wait is for --- */

/* Registers explain these.  At a barrier a warp waits for others, behind a fence for its own
 * accesses to be seen: what the instruction there reads has come long since. */
static bool waits_for_data(const char *reason) {
  static const char *const reasons[] = {"long_scoreboard", "short_scoreboard", "gmma"};
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (strcmp(reason, reasons[i]) == 0)
      return true;
  return false;
}

/* Long scoreboards are those of the path to memory: constants, shared memory, shuffles and the XU
 * have the short one.  An instruction may read both kinds, or wait until an earlier store has read
 * its registers, which is for no result. */
static bool may_wait_for(const char *reason, const struct sass_inst *x) {
  bool elsewhere = x->wait == WAIT_CONSTANT || x->wait == WAIT_SHUFFLE || x->wait == WAIT_SPECIAL ||
                   (x->wait == WAIT_LOAD && x->space == SPACE_SHARED);
  bool memory = x->wait == WAIT_LOAD && x->space != SPACE_SHARED && x->space != SPACE_TENSOR;
  return !(strcmp(reason, "long_scoreboard") == 0 && elsewhere) && !(strcmp(reason, "short_scoreboard") == 0 && memory);
}

/* What is made anew in each turn is waited for each time, what was made before the loop
 * once: the depth of the innermost loop that holds both.  Double precision has a fixed
 * latency where a chip has whole pipes for it: it is told where nothing else is read. */
static int feed_rank(const struct sass *s, size_t at, size_t from) {
  size_t l = s->blocks[s->block_of[at]].loop;
  while (l != SASS_NONE && !sass_in_loop(s, from, l))
    l = s->loops[l].parent;
  return 2 * (l == SASS_NONE ? 0 : s->loops[l].depth) + (s->insts[from].pipe != PIPE_FP64);
}

static void feeds_of_data(struct hot_inst *x, struct sass *s, const char *reason) {
  enum { FOUND_MAX = 4 * HOT_FEEDS };
  struct sass_feed found[FOUND_MAX];
  size_t all = sass_waited_for(s, x->at, found, FOUND_MAX), n = all < FOUND_MAX ? all : FOUND_MAX;
  int most = 0;
  for (size_t f = 0; f < n; f++) {
    int rank = may_wait_for(reason, &s->insts[found[f].inst]) ? feed_rank(s, x->at, found[f].inst) : 0;
    most = rank > most ? rank : most;
  }
  for (size_t f = 0; f < n && x->n_feeds < HOT_FEEDS; f++)
    if (may_wait_for(reason, &s->insts[found[f].inst]) && feed_rank(s, x->at, found[f].inst) == most)
      x->feeds[x->n_feeds++] = found[f];
}

/* Blocking is deferred: a warp stands at the barrier's next instruction
 * or a later one of the block.  At WARPGROUP.DEPBAR it waits for its
 * own matrix instructions, which count as a barrier, too. */
size_t hot_barrier(const struct sass *s, size_t at) {
  size_t first = s->blocks[s->block_of[at]].first;
  if (s->insts[at].wait == WAIT_TENSOR)
    return SASS_NONE;
  for (size_t i = at; i-- > 0;) {
    if (s->insts[i].wait == WAIT_BLOCK)
      return i;
    if (i < first)
      return SASS_NONE;
  }
  return SASS_NONE;
}

/* SASS_NONE: the wait is for no barrier that stands before it. */
static size_t barrier_before(const struct sass *s, size_t at, const char *reason) {
  return strcmp(reason, "barrier") == 0 ? hot_barrier(s, at) : SASS_NONE;
}

/* The last matrix instruction before a wait that counts as
 * one at a barrier; SASS_NONE: it is for other warps. */
static size_t product_before(struct sass *s, size_t at, const char *reason) {
  struct sass_feed last;
  bool own = strcmp(reason, "barrier") == 0 && s->insts[at].wait == WAIT_TENSOR && s->insts[at].class == SASS_BARRIER;
  return own && sass_waited_for(s, at, &last, 1) > 0 ? last.inst : SASS_NONE;
}

static void feeds_fill(struct hot *h) {
  for (size_t i = 0; i < h->n_insts; i++) {
    struct hot_inst *x = &h->insts[i];
    struct sass *s = &h->kernels[x->kernel].sass;
    if (x->n_reasons == 0)
      continue;
    if (strcmp(x->reasons[0].reason, "drain") == 0) {
      size_t stores = sass_stores_before(s, x->at, x->feeds, HOT_FEEDS);
      x->n_feeds = stores < HOT_FEEDS ? stores : HOT_FEEDS;
    }
    size_t barrier = barrier_before(s, x->at, x->reasons[0].reason);
    if (barrier != SASS_NONE)
      x->feeds[x->n_feeds++] = (struct sass_feed){barrier, WAIT_BLOCK};
    size_t product = product_before(s, x->at, x->reasons[0].reason);
    if (product != SASS_NONE)
      x->feeds[x->n_feeds++] = (struct sass_feed){product, WAIT_TENSOR};
    if (waits_for_data(x->reasons[0].reason))
      feeds_of_data(x, s, x->reasons[0].reason);
  }
}

/* --- source lines --- */

struct line_sample {
  const struct run_line *line;
  const struct run_sample *sample;
};

static int order(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

static int by_place(const struct line_sample *x, const struct line_sample *y) {
  if (x->line->source != y->line->source)
    return x->line->source - y->line->source;
  return x->line->line - y->line->line;
}

static int by_place_and_reason(const void *a, const void *b) {
  const struct line_sample *x = a, *y = b;
  int place = by_place(x, y);
  return place ? place : strcmp(x->sample->reason, y->sample->reason);
}

static int by_issue_and_waits(const void *a, const void *b) {
  const struct hot_line *x = a, *y = b;
  int fewer = order(y->waits, x->waits);
  if (x->issued != y->issued)
    return x->issued < y->issued ? 1 : -1;
  if (fewer)
    return fewer;
  return x->source != y->source ? x->source - y->source : x->line - y->line;
}

/* Of one reason over all instructions of the line. */
static void reason_offer(struct hot_line *l, struct hot_reason r) {
  if (!l->top.reason || !named_before(&l->top, &r))
    l->top = r;
}

/* sorted: by place and reason. */
static void lines_add(struct hot *h, const struct line_sample *sorted, size_t n) {
  struct hot_reason sum = {0};
  for (size_t i = 0; i < n; i++) {
    const struct run_sample *s = sorted[i].sample;
    bool new_line = i == 0 || by_place(&sorted[i - 1], &sorted[i]);
    if (new_line)
      h->lines[h->n_lines++] = (struct hot_line){.source = sorted[i].line->source, .line = sorted[i].line->line};
    struct hot_line *l = &h->lines[h->n_lines - 1];
    if (new_line || strcmp(sum.reason, s->reason) != 0)
      sum = (struct hot_reason){.reason = s->reason};
    sum.samples += s->samples;
    sum.not_issued += s->not_issued;
    l->samples += s->samples;
    l->waits += is_wait(s->reason) ? s->samples : 0;
    l->not_issued += s->not_issued;
    if (i + 1 == n || by_place_and_reason(&sorted[i], &sorted[i + 1]))
      reason_offer(l, sum);
  }
}

static void lines_fill(struct hot *h) {
  const struct run_result *r = h->result;
  struct line_sample *sorted = calloc(r->n_samples + 1, sizeof *sorted);
  h->lines = calloc(r->n_samples + 1, sizeof *h->lines);
  size_t n = 0;
  for (size_t i = 0; i < r->n_samples; i++) {
    struct hot_kernel *k = kernel_find(h, r->samples[i].module, r->samples[i].kernel);
    size_t at = k ? sass_find(&k->sass, r->samples[i].offset) : SASS_NONE;
    bool ended = at != SASS_NONE && strcmp(r->samples[i].reason, "drain") == 0;
    size_t before = at == SASS_NONE ? at
                    : ended         ? sass_ended_at(&k->sass, at)
                                    : barrier_before(&k->sass, at, r->samples[i].reason);
    const struct run_line *line = before == SASS_NONE ? NULL : line_of(h->run, hot_shown(k, before));
    if (!line && at != SASS_NONE)
      line = line_of(h->run, hot_shown(k, at));
    if (line)
      sorted[n++] = (struct line_sample){line, &r->samples[i]};
  }
  qsort(sorted, n, sizeof *sorted, by_place_and_reason);
  lines_add(h, sorted, n);
  qsort(h->lines, h->n_lines, sizeof *h->lines, by_issue_and_waits);
  free(sorted);
}

static struct hot_line *line_at(const struct hot *h, const struct run_line *place) {
  for (size_t i = 0; i < h->n_lines && place; i++)
    if (h->lines[i].source == place->source && h->lines[i].line == place->line)
      return &h->lines[i];
  return NULL;
}

const struct hot_inst *hot_line_inst(const struct hot *h, const struct hot_line *l) {
  for (size_t i = 0; i < h->n_insts; i++)
    if (line_at(h, h->insts[i].line) == l)
      return &h->insts[i];
  return NULL;
}

double hot_line_share(const struct hot *h, const struct hot_line *l) {
  return h->issued_on ? l->issued : h->samples ? (double)l->waits / (double)h->samples : 0;
}

/* The hottest that is no toolkit's, a toolkit's where there is no other, of these one that wraps nothing. */
static const struct hot_line *hottest(const struct hot *h) {
  for (size_t i = 0; i < h->n_lines; i++)
    if (!source_is_toolkits(h->run, h->lines[i].source))
      return &h->lines[i];
  for (size_t i = 0; i < h->n_lines; i++)
    if (!source_wraps(h->run, h->lines[i].source))
      return &h->lines[i];
  return h->n_lines ? &h->lines[0] : NULL;
}

const struct hot_line *hot_first_line(const struct hot *h) {
  const struct hot_line *first = hottest(h), *stores = NULL;
  if (!first || !h->samples || hot_line_share(h, first) < FIRST_LINE_SHARE)
    return NULL;
  if (h->issued_on || !first->top.reason || strcmp(first->top.reason, "drain") != 0)
    return first;
  for (size_t i = 0; i < h->n_insts && !stores; i++) {
    const struct hot_inst *x = &h->insts[i];
    if (line_at(h, x->line) == first && x->n_feeds && x->feeds[0].wait == WAIT_STORES)
      stores = line_at(h, line_of(h->run, &h->kernels[x->kernel].kernel->sass[x->feeds[0].inst]));
  }
  return stores ? stores : first;
}

/* --- order --- */

static int by_waits(const void *a, const void *b) {
  const struct hot_inst *x = a, *y = b;
  int fewer = order(y->waits, x->waits), kernel = order(x->kernel, y->kernel);
  return fewer ? fewer : kernel ? kernel : order(x->at, y->at);
}

static void insts_sort(struct hot *h) {
  qsort(h->insts, h->n_insts, sizeof *h->insts, by_waits);
  for (size_t i = 0; i < h->n_insts; i++)
    h->kernels[h->insts[i].kernel].insts[h->insts[i].at] = i;
}

/* --- what lines issue --- */

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

/* Of all that the kernel issues there; 0: nothing does. */
static double issued_fill(struct hot *h, const struct hot_kernel *k, enum sass_pipe pipe) {
  double all = 0;
  for (size_t i = 0; i < k->sass.n; i++) {
    const struct sass_inst *x = &k->sass.insts[i];
    bool on_fma = pipe == PIPE_FMA && x->pipe == PIPE_FP16;
    if (x->never || (pipe != SASS_PIPES && x->pipe != pipe && !on_fma))
      continue;
    struct hot_line *l = line_at(h, line_of(h->run, hot_shown(k, i)));
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
  qsort(h->lines, h->n_lines, sizeof *h->lines, by_issue_and_waits);
}

/* --- all of it --- */

void hot_make(struct hot *out, const struct run *run, const struct run_result *r) {
  *out = (struct hot){.run = run, .result = r};
  kernels_fill(out);
  samples_fill(out);
  if (out->samples == 0)
    out->reason = r->sampling.reason ? r->sampling.reason : "no PC samples were taken";
  insts_sort(out);
  feeds_fill(out);
  lines_fill(out);
}

double hot_samples_of(const struct hot_inst *x, const char *reason) {
  double n = 0;
  for (size_t i = 0; i < x->n_reasons; i++)
    n += strcmp(x->reasons[i].reason, reason) == 0 ? (double)x->reasons[i].samples : 0;
  return n;
}

void hot_release(struct hot *h) {
  for (size_t i = 0; i < h->n_kernels; i++) {
    sass_release(&h->kernels[i].sass);
    free(h->kernels[i].insts);
    free(h->kernels[i].callers);
    free(h->kernels[i].placed);
  }
  free(h->kernels);
  free(h->insts);
  free(h->lines);
  *h = (struct hot){0};
}
