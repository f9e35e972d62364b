#include "run/verify.h"

#include "run/record.h"

#include <stdlib.h>
#include <string.h>

static int index_verify(long i, long least, size_t n, const struct place *at, const char *of, struct err *e) {
  if (i >= least && (i < 0 || (size_t)i < n))
    return 0;
  return place_err(e, at, "%ld is not an index into %s, which has %zu entries", i, of, n);
}

static int shape_verify(struct shape s, const struct place *at, struct err *e) {
  char text[SHAPE_TEXT_MAX];
  struct shape same;
  struct err why = {0};
  if (shape_none(s))
    return 0; /* no problem is declared */
  const struct {
    const char *key;
    long value;
  } extents[] = {{"m", s.m}, {"k", s.k}, {"l", s.l}};
  for (size_t i = 0; i < 3 && !shape_named(&s); i++) {
    const struct place extent = {at, extents[i].key, 0};
    if (extents[i].value < 1)
      return place_err(e, &extent, "%ld is less than 1", extents[i].value);
  }
  if (shape_named(&s) && (s.m || s.k || s.l))
    return place_err(e, at, "it has sizes '%s' and extents too; it is one or the other", s.sizes);
  if (shape_parse(&same, shape_text(s, text), &why) == 0 && shape_equal(same, s))
    return 0;
  if (!why.code)
    return place_err(e, at, "the sizes '%s' are not written as this tool writes them", s.sizes);
  return place_err(e, at, "%s", why.text);
}

static int lines_verify(const struct run *r, const struct run_kernel *k, const struct place *at, struct err *e) {
  for (size_t i = 0; i < k->n_sass; i++) {
    for (size_t j = 0; j < k->sass[i].n_lines; j++) {
      struct place sass = {at, "sass", 0}, one = {&sass, NULL, i}, lines = {&one, "lines", 0}, line = {&lines, NULL, j},
                   source = {&line, "source", 0};
      if (index_verify(k->sass[i].lines[j].source, -1, r->n_sources, &source, "sources", e))
        return ERR_DATA;
    }
  }
  return 0;
}

static int modules_verify(const struct run *r, struct err *e) {
  const struct place modules = {NULL, "modules", 0};
  for (size_t m = 0; m < r->n_modules; m++) {
    for (size_t k = 0; k < r->modules[m].n_kernels; k++) {
      struct place module = {&modules, NULL, m}, kernels = {&module, "kernels", 0}, kernel = {&kernels, NULL, k};
      if (lines_verify(r, &r->modules[m].kernels[k], &kernel, e))
        return ERR_DATA;
    }
  }
  return 0;
}

static int by_id(const void *a, const void *b) {
  return strcmp((*(const struct run_variant *const *)a)->id, (*(const struct run_variant *const *)b)->id);
}

/* Sorted first: a hostile file may hold a million variants. */
static int ids_verify(const struct run *r, struct err *e) {
  const struct place at = {NULL, "variants", 0};
  int rc = 0;
  if (r->n_variants < 2)
    return 0;
  const struct run_variant **sorted = malloc(r->n_variants * sizeof *sorted);
  for (size_t i = 0; i < r->n_variants; i++)
    sorted[i] = &r->variants[i];
  qsort(sorted, r->n_variants, sizeof *sorted, by_id);
  for (size_t i = 1; i < r->n_variants && rc == 0; i++)
    if (strcmp(sorted[i - 1]->id, sorted[i]->id) == 0)
      rc = place_err(e, &at, "two have the id \"%s\"", sorted[i]->id);
  free(sorted);
  return rc;
}

/* Where an element of a list points to: a kernel of a module. */
static int kernel_verify(const struct run *r, int m, int k, const struct place *one, struct err *e) {
  struct place module = {one, "module", 0}, kernel = {one, "kernel", 0};
  if (index_verify(m, 0, r->n_modules, &module, "modules", e) ||
      index_verify(k, 0, r->modules[m].n_kernels, &kernel, "the module's kernels", e))
    return ERR_DATA;
  return 0;
}

static int instructions_verify(const struct run *r, const struct run_result *result, const struct place *at,
                               struct err *e) {
  const struct place samples = {at, "samples", 0}, counts = {at, "counts", 0};
  for (size_t i = 0; i < result->n_samples; i++) {
    struct place one = {&samples, NULL, i};
    if (kernel_verify(r, result->samples[i].module, result->samples[i].kernel, &one, e))
      return ERR_DATA;
  }
  for (size_t i = 0; i < result->n_counts; i++) {
    struct place one = {&counts, NULL, i};
    if (kernel_verify(r, result->counts[i].module, result->counts[i].kernel, &one, e))
      return ERR_DATA;
  }
  return 0;
}

static int ranks_verify(const struct run *r, const struct run_by_rank *by_rank, size_t n, const struct place *at,
                        struct err *e) {
  const struct place list = {at, "by_rank", 0};
  for (size_t i = 0; i < n; i++) {
    struct place one = {&list, NULL, i}, rank = {&one, "rank", 0};
    if (index_verify(by_rank[i].rank, 0, r->merge.n_ranks, &rank, "merge.ranks", e))
      return ERR_DATA;
    if (i > 0 && by_rank[i].rank <= by_rank[i - 1].rank)
      return place_err(e, &rank, "%d does not ascend", by_rank[i].rank);
  }
  return 0;
}

static int ranges_verify(const struct run *r, struct err *e) {
  const struct place ranges = {NULL, "ranges", 0};
  int rc = 0;
  for (size_t i = 0; i < r->n_ranges && rc == 0; i++) {
    struct place range = {&ranges, NULL, i};
    rc = ranks_verify(r, r->ranges[i].by_rank, r->ranges[i].n_by_rank, &range, e);
  }
  return rc;
}

static int results_verify(const struct run *r, struct err *e) {
  const struct place results = {NULL, "results", 0};
  for (size_t i = 0; i < r->n_results; i++) {
    const struct run_result *one = &r->results[i];
    struct place result = {&results, NULL, i}, variant = {&result, "variant", 0}, module = {&result, "module", 0},
                 shape = {&result, "shape", 0};
    if (index_verify(one->variant, 0, r->n_variants, &variant, "variants", e) ||
        index_verify(one->module, -1, r->n_modules, &module, "modules", e) || shape_verify(one->shape, &shape, e) ||
        instructions_verify(r, one, &result, e) || ranks_verify(r, one->by_rank, one->n_by_rank, &result, e))
      return ERR_DATA;
  }
  return 0;
}

static int process_verify(const struct run_process *p, const struct place *at, struct err *e) {
  const struct place process = {at, "process", 0}, place = {&process, "pass_set", 0};
  const struct pass_set *s = &p->pass_set;
  const struct place idle = {&process, "idle", 0};
  if (!(p->idle.share <= 1 && p->idle.short_share <= p->idle.share))
    return place_err(e, &idle, "of %g of the time %g are in short gaps", p->idle.share, p->idle.short_share);
  bool is_set = s->set >= 1 && s->set <= s->sets && s->sets <= PASS_SETS_MAX;
  return is_set || (!s->set && !s->sets) ? 0 : place_err(e, &place, "there is no set %ld of %ld", s->set, s->sets);
}

static int processes_verify(const struct run *r, struct err *e) {
  const struct place merge = {NULL, "merge", 0}, ranks = {&merge, "ranks", 0};
  int rc = process_verify(&r->process, NULL, e);
  for (size_t i = 0; i < r->merge.n_ranks && rc == 0; i++) {
    const struct place rank = {&ranks, NULL, i};
    rc = process_verify(&r->merge.ranks[i].process, &rank, e);
  }
  return rc;
}

int run_result_verify(const struct run_result *r, struct err *e) {
  const struct place shape = {NULL, "shape", 0};
  return shape_verify(r->shape, &shape, e);
}

int run_verify(const struct run *r, struct err *e) {
  /* A missing id is the writer's to name; here it would only be dereferenced. */
  for (size_t i = 0; i < r->n_variants; i++) {
    const struct place variants = {NULL, "variants", 0}, one = {&variants, NULL, i}, id = {&one, "id", 0};
    if (!r->variants[i].id)
      return place_err(e, &id, "missing");
  }
  int rc = ids_verify(r, e);
  if (rc == 0)
    rc = modules_verify(r, e);
  if (rc == 0)
    rc = results_verify(r, e);
  if (rc == 0)
    rc = ranges_verify(r, e);
  if (rc == 0)
    rc = processes_verify(r, e);
  return rc;
}
