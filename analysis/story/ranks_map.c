#include "analysis/story/ranks_map.h"

#include <math.h>
#include <stdlib.h>

/* Whether all ranks have a number within the program. */
static bool is_numbered(const struct run_merge *m, size_t places) {
  for (size_t i = 0; i < m->n_ranks; i++)
    if (!m->ranks[i].process.launcher || (size_t)m->ranks[i].process.rank >= places)
      return false;
  return true;
}

static void row_add(struct ranks_map *m, const struct ranks *r, bool numbered, const struct ranks_spread *s) {
  struct ranks_cell *cells = &m->cells[m->n_rows * m->n_columns];
  m->rows[m->n_rows++] = s;
  for (size_t i = 0; i < m->n_columns; i++)
    cells[i] = (struct ranks_cell){.rank = -1};
  for (size_t i = 0; i < s->n && s->median_s > 0; i++) {
    size_t rank = (size_t)s->by_rank[i].rank, place = numbered ? (size_t)r->merge->ranks[rank].process.rank : rank;
    struct ranks_cell *c = &cells[place / m->per_column];
    double off = s->by_rank[i].gpu_time_ns * 1e-9 / s->median_s - 1;
    if (c->rank < 0 || fabs(off) > fabs(c->off))
      *c = (struct ranks_cell){(int)rank, off};
  }
}

void ranks_map_make(struct ranks_map *out, const struct ranks *r) {
  *out = (struct ranks_map){0};
  if (!r->merge)
    return;
  size_t kernels = r->n_kernels < RANKS_MAP_KERNELS ? r->n_kernels : RANKS_MAP_KERNELS,
         ranges = r->n_ranges < RANKS_MAP_RANGES ? r->n_ranges : RANKS_MAP_RANGES;
  out->n_places = r->merge->n_ranks + r->n_missing;
  out->per_column = (out->n_places + RANKS_MAP_COLUMNS - 1) / RANKS_MAP_COLUMNS;
  out->n_columns = (out->n_places + out->per_column - 1) / out->per_column;
  out->rows = calloc(1 + kernels + ranges, sizeof *out->rows);
  out->cells = calloc((1 + kernels + ranges) * out->n_columns, sizeof *out->cells);
  out->n_kernels = kernels;
  bool numbered = is_numbered(r->merge, out->n_places);
  row_add(out, r, numbered, &r->own);
  for (size_t i = 0; i < kernels; i++)
    row_add(out, r, numbered, &r->kernels[i]);
  for (size_t i = 0; i < ranges; i++)
    row_add(out, r, numbered, &r->ranges[i]);
}

void ranks_map_release(struct ranks_map *m) {
  free(m->rows);
  free(m->cells);
  *m = (struct ranks_map){0};
}
