#include "analysis/story/ranks_map.h"

#include <math.h>
#include <stdlib.h>

/* Where a rank stands: its number where all have one. */
static size_t place_of(const struct ranks *r, size_t places, size_t index) {
  const struct run_merge *m = r->merge;
  size_t last = m->n_ranks - 1;
  bool numbered = m->ranks[last].process.launcher && (size_t)m->ranks[last].process.rank < places;
  return numbered ? (size_t)m->ranks[index].process.rank : index;
}

static void row_add(struct ranks_map *m, const struct ranks *r, const struct ranks_spread *s) {
  struct ranks_cell *cells = &m->cells[m->n_rows * m->n_columns];
  m->rows[m->n_rows++] = s;
  for (size_t i = 0; i < m->n_columns; i++)
    cells[i] = (struct ranks_cell){.rank = -1};
  for (size_t i = 0; i < s->n && s->median_s > 0; i++) {
    size_t rank = (size_t)s->by_rank[i].rank;
    struct ranks_cell *c = &cells[place_of(r, m->n_places, rank) / m->per_column];
    double off = s->by_rank[i].gpu_time_ns * 1e-9 / s->median_s - 1;
    if (c->rank < 0 || fabs(off) > fabs(c->off))
      *c = (struct ranks_cell){(int)rank, off};
  }
}

int ranks_map_make(struct ranks_map *out, const struct ranks *r, struct err *e) {
  *out = (struct ranks_map){0};
  if (!r->merge)
    return 0;
  size_t kernels = r->n_kernels < RANKS_MAP_KERNELS ? r->n_kernels : RANKS_MAP_KERNELS,
         ranges = r->n_ranges < RANKS_MAP_RANGES ? r->n_ranges : RANKS_MAP_RANGES;
  out->n_places = r->merge->n_ranks + r->n_missing;
  out->per_column = (out->n_places + RANKS_MAP_COLUMNS - 1) / RANKS_MAP_COLUMNS;
  out->n_columns = (out->n_places + out->per_column - 1) / out->per_column;
  out->rows = calloc(1 + kernels + ranges, sizeof *out->rows);
  out->cells = calloc((1 + kernels + ranges) * out->n_columns, sizeof *out->cells);
  if (!out->rows || !out->cells)
    return err_nomem(e, "ranks");
  out->n_kernels = kernels;
  row_add(out, r, &r->own);
  for (size_t i = 0; i < kernels; i++)
    row_add(out, r, &r->kernels[i]);
  for (size_t i = 0; i < ranges; i++)
    row_add(out, r, &r->ranges[i]);
  return 0;
}

void ranks_map_release(struct ranks_map *m) {
  free(m->rows);
  free(m->cells);
  *m = (struct ranks_map){0};
}
