#include "analysis/story/ranks.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *rank, const void *row) {
  int a = *(const int *)rank, b = ((const struct run_by_rank *)row)->rank;
  return (a > b) - (a < b);
}

double ranks_time(const struct ranks_spread *s, int rank) {
  const struct run_by_rank *r = s->n ? bsearch(&rank, s->by_rank, s->n, sizeof *s->by_rank, by_number) : NULL;
  return r ? r->gpu_time_ns * 1e-9 : 0;
}

/* --- a spread --- */

double ranks_deviations(size_t n) {
  return sqrt(2 * log(20.0 * (double)n));
}

enum side { EITHER, ABOVE, BELOW }; /* of the median, on which a rank stands out */

/* values: room for the ranks' times. */
static void outlier_find(struct ranks_spread *s, enum side side, double *values) {
  s->farthest = -1;
  double most = 0;
  for (size_t i = 0; i < s->n; i++) {
    double off = s->by_rank[i].gpu_time_ns * 1e-9 - s->median_s;
    values[i] = fabs(off);
    off = side == EITHER ? fabs(off) : side == BELOW ? -off : off;
    if (off > most) {
      most = off;
      s->farthest = s->by_rank[i].rank;
    }
  }
  if (s->farthest < 0 || s->median_s <= 0)
    return;
  s->off = ranks_time(s, s->farthest) / s->median_s - 1;
  s->stands_out =
      fabs(s->off) > RANKS_MARGIN && (s->n < 4 || most > ranks_deviations(s->n) * 1.4826 * stats_median(values, s->n));
}

static void spread_make(struct ranks_spread *s, const struct run_by_rank *by_rank, size_t n, enum side side,
                        double *values) {
  s->by_rank = by_rank;
  s->n = n;
  s->farthest = -1;
  if (n == 0)
    return;
  s->min_s = INFINITY;
  s->launches_min = UINT64_MAX;
  for (size_t i = 0; i < n; i++) {
    values[i] = by_rank[i].gpu_time_ns * 1e-9;
    s->total_s += values[i];
    s->min_s = fmin(s->min_s, values[i]);
    s->max_s = fmax(s->max_s, values[i]);
    s->launches_min = by_rank[i].launches < s->launches_min ? by_rank[i].launches : s->launches_min;
    s->launches_max = by_rank[i].launches > s->launches_max ? by_rank[i].launches : s->launches_max;
  }
  s->mean_s = s->total_s / (double)n;
  s->median_s = stats_median(values, n);
  s->imbalance = s->mean_s > 0 ? s->max_s / s->mean_s - 1 : 0;
  outlier_find(s, side == EITHER && n < 4 ? ABOVE : side, values);
}

/* --- the ranks --- */

static void missing_find(struct ranks *r) {
  size_t expected = (size_t)r->merge->expected;
  if (expected > 10 * r->merge->n_ranks + 100000) /* a file that claims a program of a thousand million ranks */
    expected = r->merge->n_ranks;
  bool *there = calloc(expected + 1, sizeof *there);
  r->missing = calloc(expected + 1, sizeof *r->missing);
  for (size_t i = 0; i < r->merge->n_ranks; i++) {
    const struct run_process *p = &r->merge->ranks[i].process;
    if (p->launcher && (size_t)p->rank < expected)
      there[p->rank] = true;
  }
  for (size_t i = 0; i < expected; i++)
    if (!there[i])
      r->missing[r->n_missing++] = (long)i;
  free(there);
}

static int by_text(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void hosts_count(struct ranks *r) {
  const char **hosts = calloc(r->merge->n_ranks + 1, sizeof *hosts);
  size_t n = 0;
  for (size_t i = 0; i < r->merge->n_ranks; i++)
    if (r->merge->ranks[i].process.host)
      hosts[n++] = r->merge->ranks[i].process.host;
  qsort(hosts, n, sizeof *hosts, by_text);
  for (size_t i = 0; i < n; i++)
    r->n_hosts += i == 0 || strcmp(hosts[i - 1], hosts[i]) != 0;
  free(hosts);
}

/* The time of each rank in collectives, and outside: what the run does not keep a kernel of lies outside. */
static void sides_make(struct ranks *r, double *values) {
  size_t n = r->merge->n_ranks, waiting = 0;
  r->own_by_rank = calloc(n + 1, sizeof *r->own_by_rank);
  r->waits_by_rank = calloc(n + 1, sizeof *r->waits_by_rank);
  for (size_t i = 0; i < n; i++) {
    const struct run_process *p = &r->merge->ranks[i].process;
    r->own_by_rank[i] = (struct run_by_rank){(int)i, p->launches, p->gpu_time_ns};
    r->waits_by_rank[i].rank = (int)i;
  }
  for (size_t k = 0; k < r->n_kernels; k++)
    for (size_t i = 0; i < r->kernels[k].n && r->kernels[k].collective; i++) {
      const struct run_by_rank *b = &r->kernels[k].by_rank[i];
      r->waits_by_rank[b->rank].launches += b->launches;
      r->waits_by_rank[b->rank].gpu_time_ns += b->gpu_time_ns;
      r->own_by_rank[b->rank].launches -= b->launches < r->own_by_rank[b->rank].launches ? b->launches : 0;
      r->own_by_rank[b->rank].gpu_time_ns = fmax(0, r->own_by_rank[b->rank].gpu_time_ns - b->gpu_time_ns);
      waiting++;
    }
  spread_make(&r->own, r->own_by_rank, n, ABOVE, values);
  r->waits.collective = true;
  spread_make(&r->waits, r->waits_by_rank, waiting ? n : 0, BELOW, values);
}

/* Whose kernels are its own: another program, or another
 * part of one, whose time tells nothing of the others'. */
static void alone_find(struct ranks *r) {
  size_t n = r->merge->n_ranks;
  bool *shares = calloc(n + 1, sizeof *shares);
  for (size_t k = 0; k < r->n_kernels; k++)
    for (size_t i = 0; i < r->kernels[k].n && r->kernels[k].n > 1 && !r->kernels[k].collective; i++)
      shares[r->kernels[k].by_rank[i].rank] = true;
  for (size_t i = n; i-- > 0 && n > 1;)
    if (!shares[i] && ranks_time(&r->own, (int)i) > 0) {
      r->alone = (int)i;
      r->n_alone++;
    }
  free(shares);
}

static void cause_find(struct ranks *r) {
  double most = 0;
  for (size_t k = 0; k < r->n_kernels && r->own.farthest >= 0 && r->n_alone < r->merge->n_ranks; k++) {
    const struct ranks_spread *s = &r->kernels[k];
    double time = ranks_time(s, r->own.farthest), above = time - (s->n == r->merge->n_ranks ? s->median_s : 0);
    if (!s->collective && above > most) {
      most = above;
      r->cause = s;
      r->cause_s = time;
    }
  }
  most = -1;
  for (size_t i = 0; i < r->n_ranges; i++)
    if (r->ranges[i].max_s - r->ranges[i].mean_s > most) {
      most = r->ranges[i].max_s - r->ranges[i].mean_s;
      r->range = &r->ranges[i];
    }
}

static void split_find(struct ranks *r, const struct run *run) {
  struct ranks_split *s = &r->split;
  for (size_t i = 0; i < run->merge.n_ranks; i++) {
    struct pass_set of = run->merge.ranks[i].process.pass_set;
    s->sets = of.sets > s->sets ? of.sets : s->sets;
    s->has[of.set] = true;
  }
  for (size_t i = 0; i < run->n_results && s->sets; i++) {
    const struct run_variant *v = &run->variants[run->results[i].variant];
    bool joined = run_variant_key(v, "counters_of"), lacks = run_variant_key(v, "counters_lack");
    s->whole += joined && !lacks;
    s->lack += lacks;
    s->apart += run->results[i].n_metrics && !joined && run_variant_key(v, "geometries");
  }
}

void ranks_make(struct ranks *out, const struct run *run) {
  *out = (struct ranks){.merge = run->merge.n_ranks ? &run->merge : NULL};
  if (!out->merge)
    return;
  double *values = calloc(run->merge.n_ranks + 1, sizeof *values);
  out->kernels = calloc(run->n_results + 1, sizeof *out->kernels);
  out->ranges = calloc(run->n_ranges + 1, sizeof *out->ranges);
  missing_find(out);
  hosts_count(out);
  for (size_t i = 0; i < run->n_results; i++) {
    const struct run_variant *v = &run->variants[run->results[i].variant];
    struct ranks_spread *s = &out->kernels[out->n_kernels++];
    s->name = v->id;
    s->collective = run_variant_key(v, "collective") != NULL;
    spread_make(s, run->results[i].by_rank, run->results[i].n_by_rank, s->collective ? BELOW : EITHER, values);
  }
  for (size_t i = 0; i < run->n_ranges; i++) {
    out->ranges[i].name = run->ranges[i].name;
    spread_make(&out->ranges[out->n_ranges++], run->ranges[i].by_rank, run->ranges[i].n_by_rank, EITHER, values);
  }
  sides_make(out, values);
  split_find(out, run);
  alone_find(out);
  cause_find(out);
  free(values);
}

void ranks_release(struct ranks *r) {
  free(r->missing);
  free(r->kernels);
  free(r->ranges);
  free(r->own_by_rank);
  free(r->waits_by_rank);
  *r = (struct ranks){0};
}

/* --- a map --- */

/* Whether all ranks have a number within the program. */
static bool is_numbered(const struct run_merge *m, size_t places) {
  for (size_t i = 0; i < m->n_ranks; i++)
    if (!m->ranks[i].process.launcher || (size_t)m->ranks[i].process.rank >= places)
      return false;
  return true;
}

static void map_row_add(struct ranks_map *m, const struct ranks *r, bool numbered, const struct ranks_spread *s) {
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
  map_row_add(out, r, numbered, &r->own);
  for (size_t i = 0; i < kernels; i++)
    map_row_add(out, r, numbered, &r->kernels[i]);
  for (size_t i = 0; i < ranges; i++)
    map_row_add(out, r, numbered, &r->ranges[i]);
}

void ranks_map_release(struct ranks_map *m) {
  free(m->rows);
  free(m->cells);
  *m = (struct ranks_map){0};
}
