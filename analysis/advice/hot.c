#include "analysis/advice/hot.h"

#include <stdlib.h>
#include <string.h>

/* --- kernels --- */

static bool launched(const struct run_result *r, const char *kernel) {
  for (size_t i = 0; i < r->n_launches; i++)
    if (strcmp(r->launches[i].kernel, kernel) == 0)
      return true;
  return r->n_launches == 0;
}

static int kernel_add(struct hot *h, int module, int index, struct err *e) {
  const struct run_module *m = &h->run->modules[module];
  struct hot_kernel *k = &h->kernels[h->n_kernels];
  *k = (struct hot_kernel){.kernel = &m->kernels[index], .module = module, .index = index};
  int rc = sass_make(&k->sass, k->kernel, e);
  if (rc) /* SASS that no compiler wrote: its samples are placed nowhere */
    return rc == ERR_DATA ? 0 : rc;
  h->n_kernels++;
  rc = sass_count(&k->sass, h->result, module, index, e);
  k->insts = rc ? NULL : malloc((k->sass.n + 1) * sizeof *k->insts);
  if (rc)
    return rc;
  if (!k->insts)
    return err_nomem(e, "hot instructions");
  for (size_t i = 0; i < k->sass.n; i++)
    k->insts[i] = SASS_NONE;
  return 0;
}

static int kernels_fill(struct hot *h, struct err *e) {
  int module = h->result->module;
  size_t n = module < 0 ? 0 : h->run->modules[module].n_kernels;
  h->kernels = calloc(n + 1, sizeof *h->kernels);
  if (!h->kernels)
    return err_nomem(e, "hot kernels");
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++) {
    const struct run_kernel *k = &h->run->modules[module].kernels[i];
    if (k->n_sass && launched(h->result, k->name))
      rc = kernel_add(h, module, (int)i, e);
  }
  return rc;
}

static struct hot_kernel *kernel_find(struct hot *h, int module, int index) {
  for (size_t i = 0; i < h->n_kernels; i++)
    if (h->kernels[i].module == module && h->kernels[i].index == index)
      return &h->kernels[i];
  return NULL;
}

/* --- samples --- */

/* The innermost line of a file that the run holds. */
static const struct run_line *line_of(const struct run_instruction *i) {
  for (size_t k = 0; k < i->n_lines; k++)
    if (i->lines[k].source >= 0)
      return &i->lines[k];
  return NULL;
}

static struct hot_inst *inst_at(struct hot *h, struct hot_kernel *k, size_t at) {
  if (k->insts[at] == SASS_NONE) {
    k->insts[at] = h->n_insts;
    h->insts[h->n_insts++] = (struct hot_inst){.kernel = (size_t)(k - h->kernels),
                                               .at = at,
                                               .line = line_of(&k->kernel->sass[at]),
                                               .sectors = -1,
                                               .sectors_ideal = -1};
  }
  return &h->insts[k->insts[at]];
}

/* Keeps the reasons with the most samples, in order. */
static void reason_insert(struct hot_inst *x, struct hot_reason r) {
  size_t place = 0;
  while (place < x->n_reasons && x->reasons[place].samples >= r.samples)
    place++;
  if (place == HOT_REASONS)
    return;
  size_t last = x->n_reasons < HOT_REASONS ? x->n_reasons++ : HOT_REASONS - 1;
  for (size_t i = last; i > place; i--)
    x->reasons[i] = x->reasons[i - 1];
  x->reasons[place] = r;
}

static int samples_fill(struct hot *h, struct err *e) {
  const struct run_result *r = h->result;
  h->insts = calloc(r->n_samples + 1, sizeof *h->insts);
  if (!h->insts)
    return err_nomem(e, "hot instructions");
  for (size_t i = 0; i < r->n_samples; i++) {
    const struct run_sample *s = &r->samples[i];
    struct hot_kernel *k = kernel_find(h, s->module, s->kernel);
    size_t at = k ? sass_find(&k->sass, s->offset) : SASS_NONE;
    h->samples += s->samples;
    if (at == SASS_NONE) {
      h->unplaced += s->samples;
      continue;
    }
    struct hot_inst *x = inst_at(h, k, at);
    k->samples += s->samples;
    x->samples += s->samples;
    x->not_issued += s->not_issued;
    reason_insert(x, (struct hot_reason){s->reason, s->samples, s->not_issued});
  }
  for (size_t i = 0; i < r->n_counts; i++) {
    struct hot_kernel *k = kernel_find(h, r->counts[i].module, r->counts[i].kernel);
    size_t at = k ? sass_find(&k->sass, r->counts[i].offset) : SASS_NONE;
    if (at == SASS_NONE || k->insts[at] == SASS_NONE)
      continue;
    h->insts[k->insts[at]].sectors = r->counts[i].global_sectors;
    h->insts[k->insts[at]].sectors_ideal = r->counts[i].global_sectors_ideal;
  }
  return 0;
}

/* --- what a wait is for --- */

static bool waits_for_data(const char *reason) {
  static const char *const reasons[] = {"long_scoreboard", "short_scoreboard", "barrier", "gmma", "membar"};
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (strcmp(reason, reasons[i]) == 0)
      return true;
  return false;
}

static void feeds_fill(struct hot *h) {
  enum { FOUND_MAX = 32 };
  for (size_t i = 0; i < h->n_insts; i++) {
    struct hot_inst *x = &h->insts[i];
    struct sass_feed found[FOUND_MAX];
    if (x->n_reasons == 0 || !waits_for_data(x->reasons[0].reason))
      continue;
    size_t n = sass_feeding_loads(&h->kernels[x->kernel].sass, x->at, found, FOUND_MAX);
    for (size_t k = 0; k < n && k < FOUND_MAX && x->n_feeds < HOT_FEEDS; k++)
      if (found[k].depth == 0)
        x->feeds[x->n_feeds++] = found[k];
  }
}

/* --- source lines --- */

static int by_line(const void *a, const void *b) {
  const struct hot_inst *x = *(const struct hot_inst *const *)a, *y = *(const struct hot_inst *const *)b;
  if (x->line->source != y->line->source)
    return x->line->source - y->line->source;
  return x->line->line - y->line->line;
}

static int by_line_samples(const void *a, const void *b) {
  const struct hot_line *x = a, *y = b;
  if (x->samples != y->samples)
    return x->samples < y->samples ? 1 : -1;
  return x->source != y->source ? x->source - y->source : x->line - y->line;
}

static void line_add(struct hot_line *l, const struct hot_inst *x) {
  l->samples += x->samples;
  l->not_issued += x->not_issued;
  if (x->n_reasons && x->reasons[0].samples > l->top.samples)
    l->top = x->reasons[0];
}

static int lines_fill(struct hot *h, struct err *e) {
  const struct hot_inst **sorted = calloc(h->n_insts + 1, sizeof *sorted);
  h->lines = calloc(h->n_insts + 1, sizeof *h->lines);
  if (!sorted || !h->lines) {
    free(sorted);
    return err_nomem(e, "hot lines");
  }
  size_t n = 0;
  for (size_t i = 0; i < h->n_insts; i++)
    if (h->insts[i].line)
      sorted[n++] = &h->insts[i];
  qsort(sorted, n, sizeof *sorted, by_line);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || by_line(&sorted[i - 1], &sorted[i]))
      h->lines[h->n_lines++] = (struct hot_line){.source = sorted[i]->line->source, .line = sorted[i]->line->line};
    line_add(&h->lines[h->n_lines - 1], sorted[i]);
  }
  free(sorted);
  qsort(h->lines, h->n_lines, sizeof *h->lines, by_line_samples);
  return 0;
}

/* --- order --- */

static int by_samples(const void *a, const void *b) {
  const struct hot_inst *x = a, *y = b;
  if (x->samples != y->samples)
    return x->samples < y->samples ? 1 : -1;
  if (x->kernel != y->kernel)
    return x->kernel < y->kernel ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static void insts_sort(struct hot *h) {
  qsort(h->insts, h->n_insts, sizeof *h->insts, by_samples);
  for (size_t i = 0; i < h->n_insts; i++)
    h->kernels[h->insts[i].kernel].insts[h->insts[i].at] = i;
}

int hot_make(struct hot *out, const struct run *run, const struct run_result *r, struct err *e) {
  *out = (struct hot){.run = run, .result = r};
  int rc = kernels_fill(out, e);
  if (!rc)
    rc = samples_fill(out, e);
  if (rc)
    return rc;
  if (out->samples == 0)
    out->reason = r->sampling.reason ? r->sampling.reason : "no PC samples were taken";
  insts_sort(out);
  feeds_fill(out);
  return lines_fill(out, e);
}

void hot_release(struct hot *h) {
  for (size_t i = 0; i < h->n_kernels; i++) {
    sass_release(&h->kernels[i].sass);
    free(h->kernels[i].insts);
  }
  free(h->kernels);
  free(h->insts);
  free(h->lines);
  *h = (struct hot){0};
}
