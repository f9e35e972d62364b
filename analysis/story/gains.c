#include "analysis/story/gains.h"

#include "analysis/story/program.h"

#include <stdlib.h>

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
