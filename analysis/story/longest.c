#include "analysis/story/longest.h"

#include <stdlib.h>

struct lasting {
  size_t variant;
  double time_s; /* 0: none */
};

static int by_time(const void *a, const void *b) {
  const struct lasting *x = a, *y = b;

  if (x->time_s != y->time_s)
    return x->time_s > y->time_s ? -1 : 1;
  return x->variant < y->variant ? -1 : x->variant > y->variant;
}

void longest_keep(bool *keep, double *share, const struct findings *f, size_t n) {
  size_t all = f->run->n_variants;
  struct lasting *items = calloc(all + 1, sizeof *items);
  double total = 0, kept = 0;

  for (size_t i = 0; i < all; i++)
    items[i].variant = i;
  for (size_t i = 0; i < f->n; i++) {
    struct lasting *x = &items[f->items[i].variant - f->run->variants];

    if (f->items[i].timed && f->items[i].time.middle > x->time_s)
      x->time_s = f->items[i].time.middle;
  }
  qsort(items, all, sizeof *items, by_time);
  for (size_t i = 0; i < all; i++) {
    total += items[i].time_s;
    kept += i < n ? items[i].time_s : 0;
    keep[items[i].variant] = i < n;
  }
  *share = total > 0 ? kept / total : 0;
  free(items);
}
