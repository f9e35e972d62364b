#include "analysis/story/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SECONDS_PER_NS = 1e-9;

/* NaN: the variant has no such key, or it is no number. */
static double number_of(const struct run_variant *v, const char *key) {
  const char *text = run_variant_key(v, key);
  char *end = NULL;
  double x = text ? strtod(text, &end) : NAN;
  return text && end != text && !*end && isfinite(x) && x >= 0 ? x : NAN;
}

bool program_kernel_of(const struct run_variant *v, struct program_kernel *out) {
  double share = number_of(v, "gpu_time_share");
  *out = (struct program_kernel){.calls = number_of(v, "launches"),
                                 .total_s = number_of(v, "gpu_time_ns") * SECONDS_PER_NS};
  out->share = isfinite(share) ? value_of(share) : value_absent("the run does not say the program's whole GPU time");
  return isfinite(out->calls) && isfinite(out->total_s);
}

bool program_is(const struct run *r) {
  struct program_kernel k;
  bool all = r->n_variants > 0;
  for (size_t i = 0; i < r->n_variants && all; i++)
    all = program_kernel_of(&r->variants[i], &k);
  return all;
}

struct program_others program_others_of(const struct run *r, const struct run_variant *v) {
  struct program_others out = {0};
  const char *name = run_variant_key(v, "kernel");
  for (size_t i = 0; i < r->n_variants && name; i++) {
    const char *other = run_variant_key(&r->variants[i], "kernel");
    struct program_kernel k;
    if (&r->variants[i] == v || !other || strcmp(other, name) != 0 || !program_kernel_of(&r->variants[i], &k))
      continue;
    out.n++;
    out.share += k.share.present ? k.share.v : 0;
  }
  return out;
}

const char *program_longest(const struct run *r) {
  const char *longest = NULL;
  double most_s = -1;
  bool of_program = program_is(r);
  for (size_t i = 0; i < r->n_variants && of_program; i++) {
    struct program_kernel k;
    if (program_kernel_of(&r->variants[i], &k) && k.total_s > most_s) {
      most_s = k.total_s;
      longest = r->variants[i].id;
    }
  }
  return longest;
}

/* --- what it gains --- */

double gain_expected(const struct advice *a, double saves) {
  return a->price.up_to ? saves / 2 : saves;
}

static int by_program(const void *a, const void *b) {
  const struct gain *x = a, *y = b;
  double p = gain_expected(x->first, x->of_program), q = gain_expected(y->first, y->of_program);
  if (p != q)
    return p > q ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

void gains_make(struct gains *out, const struct diagnoses *d) {
  *out = (struct gains){.findings = d->findings, .items = calloc(d->n + 1, sizeof *out->items)};
  for (size_t i = 0; i < d->n; i++) {
    const struct diagnosis *x = &d->items[i];
    const struct advice *first = x->n ? &x->items[0] : NULL;
    struct program_kernel k;
    if (!first || first->told.stop || first->price.saves_s <= 0 || !program_kernel_of(x->finding->variant, &k) ||
        !k.share.present)
      continue;
    double share = first->price.saves_s / x->finding->time.middle;
    out->items[out->n++] = (struct gain){x->finding, first, share, share * k.share.v};
  }
  qsort(out->items, out->n, sizeof *out->items, by_program);
}

void gains_release(struct gains *g) {
  free(g->items);
  *g = (struct gains){0};
}

static bool more(const struct finding *a, const struct finding *b) {
  if (a->of_sol.present != b->of_sol.present)
    return a->of_sol.present;
  if (a->of_sol.present)
    return a->of_sol.v < b->of_sol.v;
  if (a->timed != b->timed)
    return a->timed;
  return a->timed && a->time.middle > b->time.middle;
}

size_t most_to_gain(const struct finding *const *items, size_t n) {
  size_t best = 0;
  for (size_t i = 1; i < n; i++)
    if (more(items[i], items[best]))
      best = i;
  return best;
}

/* --- those to show --- */

struct lasting {
  size_t variant;
  double time_s; /* 0: none */
};

static int longest_first(const void *a, const void *b) {
  const struct lasting *x = a, *y = b;

  if (x->time_s != y->time_s)
    return x->time_s > y->time_s ? -1 : 1;
  return x->variant < y->variant ? -1 : x->variant > y->variant;
}

void longest_keep(bool *keep, double *share, const struct findings *f, size_t n) {
  size_t all = f->run->n_variants;
  struct lasting *items = calloc(all + 1, sizeof *items);
  double total = 0, kept = 0;
  bool of_program = program_is(f->run);

  for (size_t i = 0; i < all; i++) {
    struct program_kernel k;
    items[i] = (struct lasting){i, of_program && program_kernel_of(&f->run->variants[i], &k) ? k.total_s : 0};
  }
  for (size_t i = 0; i < f->n && !of_program; i++) {
    struct lasting *x = &items[f->items[i].variant - f->run->variants];

    if (f->items[i].timed && f->items[i].time.middle > x->time_s)
      x->time_s = f->items[i].time.middle;
  }
  qsort(items, all, sizeof *items, longest_first);
  for (size_t i = 0; i < all; i++) {
    total += items[i].time_s;
    kept += i < n ? items[i].time_s : 0;
    keep[items[i].variant] = i < n;
  }
  *share = total > 0 ? kept / total : 0;
  free(items);
}
