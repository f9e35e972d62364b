#include "base/stats.h"

#include "base/mix64.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 2000 };

int stats_by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double stats_median(double *values, size_t n) {
  if (n == 0)
    return 0;
  qsort(values, n, sizeof *values, stats_by_value);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double stats_percentile(const double *sorted, size_t n, double percent) {
  double at = percent / 100 * (double)(n - 1);
  size_t low = (size_t)at;
  return low + 1 < n ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]) : sorted[n - 1];
}

double stats_share_near(const double *sorted, size_t n, double x, double factor) {
  double all = 0, near = 0;
  for (size_t i = 0; i < n; i++) {
    all += sorted[i];
    near += sorted[i] >= x / factor && sorted[i] <= x * factor ? sorted[i] : 0;
  }
  return all > 0 ? near / all : 0;
}

size_t stats_kinds(const double *sorted, size_t n, double *middles, size_t most) {
  static const double apart = 1.25, wide = 1.6, told = 0.02;
  size_t kinds = 0, from = 0;
  double all = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    all += sorted[i];
  for (size_t i = 0; i < n; i++) {
    sum += sorted[i];
    if (i + 1 < n && sorted[i + 1] <= apart * sorted[i])
      continue;
    if (sum >= told * all && (kinds == most || sorted[i] > wide * sorted[from]))
      return 0;
    if (sum >= told * all)
      middles[kinds++] = stats_percentile(sorted + from, i + 1 - from, 50);
    from = i + 1;
    sum = 0;
  }
  return kinds;
}

/* The sorted samples as runs of equal value.  A clock that ticks leaves few runs, so a resample is
 * counted run by run and need never be sorted. */
struct runs {
  size_t n;         /* samples */
  size_t n_runs;    /* distinct values */
  double *values;   /* [n_runs], rising */
  uint32_t *counts; /* [n_runs], of the samples or of a resample */
  uint32_t *run_of; /* [n], the run to which sorted sample i belongs */
};

static void runs_release(struct runs *r) {
  free(r->values);
  free(r->counts);
  free(r->run_of);
}

static bool runs_init(struct runs *r, const double *samples, size_t n) {
  *r = (struct runs){.n = n};
  if (n > UINT32_MAX)
    return false;
  r->values = malloc(n * sizeof *r->values);
  r->counts = calloc(n, sizeof *r->counts);
  r->run_of = malloc(n * sizeof *r->run_of);
  memcpy(r->values, samples, n * sizeof *samples);
  qsort(r->values, n, sizeof *r->values, stats_by_value);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || r->values[i] != r->values[r->n_runs - 1])
      r->values[r->n_runs++] = r->values[i];
    r->run_of[i] = (uint32_t)(r->n_runs - 1);
    r->counts[r->n_runs - 1]++;
  }
  return true;
}

/* The mean of the sorted samples of rank ceil((n-1)/4) to floor(3(n-1)/4), ranks from 0.  Two
 * samples have no rank between: both count.  Summed as distances from the least value, so that
 * equal samples give exactly their value. */
static double runs_middle(const struct runs *r) {
  size_t span = r->n - 1;
  size_t first = (span + 3) / 4, end = 3 * span / 4 + 1;
  if (r->n == 2) {
    first = 0;
    end = 2;
  }
  double sum = 0;
  size_t rank = 0;
  for (size_t i = 0; i < r->n_runs && rank < end; i++) {
    size_t next = rank + r->counts[i];
    size_t from = rank > first ? rank : first, to = next < end ? next : end;
    if (to > from)
      sum += (r->values[i] - r->values[0]) * (double)(to - from);
    rank = next;
  }
  return r->values[0] + sum / (double)(end - first);
}

/* A draw of 64 bits gives two indices: 32 bits times n over 2^32, uniform to n / 2^32. */
static void runs_resample(struct runs *r, uint64_t *state) {
  memset(r->counts, 0, r->n_runs * sizeof *r->counts);
  for (size_t i = 0; i + 1 < r->n; i += 2) {
    uint64_t bits = mix64_next(state);
    r->counts[r->run_of[(bits & UINT32_MAX) * r->n >> 32]]++;
    r->counts[r->run_of[(bits >> 32) * r->n >> 32]]++;
  }
  if (r->n % 2)
    r->counts[r->run_of[(mix64_next(state) >> 32) * r->n >> 32]]++;
}

/* The percentile bootstrap; overwrites the counts of r. */
static void runs_interval(struct runs *r, double *low, double *high) {
  static const size_t outside = RESAMPLES / 40; /* 2.5 % on each side */
  double middles[RESAMPLES];
  uint64_t state = 1;
  for (size_t i = 0; i < RESAMPLES; i++) {
    runs_resample(r, &state);
    middles[i] = runs_middle(r);
  }
  qsort(middles, RESAMPLES, sizeof *middles, stats_by_value);
  *low = middles[outside - 1];
  *high = middles[RESAMPLES - outside];
}

static void moments(struct stats *s, const double *samples) {
  double squares = 0;
  /* Welford's update: a plain sum of squares loses the spread of large, nearly equal samples. */
  for (size_t i = 0; i < s->n; i++) {
    double delta = samples[i] - s->mean;
    s->mean += delta / (double)(i + 1);
    squares += delta * (samples[i] - s->mean);
  }
  s->stddev = s->n > 1 ? sqrt(squares / (double)(s->n - 1)) : 0;
}

static bool all_finite(const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(values[i]))
      return false;
  return true;
}

void stats_of(struct stats *out, const double *samples, size_t n, double half_tick) {
  struct runs r = {0};
  *out = (struct stats){.n = n};
  if (n == 0 || !all_finite(samples, n) || !runs_init(&r, samples, n))
    goto done;
  out->valid = true;
  out->min = r.values[0];
  out->max = r.values[r.n_runs - 1];
  moments(out, samples);
  out->middle = runs_middle(&r);
  out->ci_low = out->ci_high = out->middle;
  if (r.n_runs > 1)
    runs_interval(&r, &out->ci_low, &out->ci_high);
  out->ci_low = fmin(out->ci_low, out->middle - half_tick);
  out->ci_high = fmax(out->ci_high, out->middle + half_tick);
done:
  runs_release(&r);
}

double stats_geomean(const double *values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(values[i] > 0) || !isfinite(values[i]))
      return 0;
    sum += log(values[i]);
  }
  return n > 0 ? exp(sum / (double)n) : 0;
}

struct ranked {
  double value;
  size_t index; /* where the value came from */
};

static int ranked_compare(const void *left, const void *right) {
  const struct ranked *a = left, *b = right;
  return (a->value > b->value) - (a->value < b->value);
}

/* Writes the rank of values[i] to ranks[i], less the mean rank, so that the ranks sum to 0. */
static void ranks_of(double *ranks, struct ranked *scratch, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    scratch[i] = (struct ranked){.value = values[i], .index = i};
  qsort(scratch, n, sizeof *scratch, ranked_compare);
  for (size_t i = 0, end = 0; i < n; i = end) {
    while (end < n && scratch[end].value == scratch[i].value)
      end++;
    double rank = ((double)i + (double)(end - 1)) / 2 - (double)(n - 1) / 2;
    for (size_t j = i; j < end; j++)
      ranks[scratch[j].index] = rank;
  }
}

double stats_rank_correlation(const double *x, const double *y, size_t n) {
  if (n < 2 || !all_finite(x, n) || !all_finite(y, n))
    return 0;
  double result = 0, xx = 0, yy = 0, xy = 0;
  struct ranked *scratch = calloc(n, sizeof *scratch);
  double *rank_x = calloc(n, sizeof *rank_x), *rank_y = calloc(n, sizeof *rank_y);
  ranks_of(rank_x, scratch, x, n);
  ranks_of(rank_y, scratch, y, n);
  for (size_t i = 0; i < n; i++) {
    xx += rank_x[i] * rank_x[i];
    yy += rank_y[i] * rank_y[i];
    xy += rank_x[i] * rank_y[i];
  }
  if (xx > 0 && yy > 0)
    result = fmax(-1, fmin(1, xy / sqrt(xx * yy)));
  free(scratch);
  free(rank_x);
  free(rank_y);
  return result;
}
