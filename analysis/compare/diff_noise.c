#include "analysis/compare/diff_noise.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

/* From this many pairs on their scatter says something: the scale's own error is then about 0.4 of it and falls as 1 / sqrt(n). */
enum { PAIRS_FOR_NOISE = 8, PAIRS_FOR_SHIFT = 3 };
/* Between-run standard deviation of ln(ratio) where too few pairs are there to tell.  Three H200 runs (recorded/h200.json.gz at commits
 * ef4fba4, 7ffc551, 7afb963; 216 pairs) gave 0.1 % and 0.4 %. */
static const double FLOOR_UNKNOWN = 0.003;
/* However alike the pairs are: no two runs had less. */
static const double FLOOR_LEAST = 0.001;
enum { SAMPLES_TELL = 5 };
/* Degrees of freedom that the variance of all pairs counts for beside a pair's own. */
static const double PRIOR_FREEDOM = 4;
/* 0.975 quantile of the normal distribution. */
static const double NORMAL_975 = 1.959964;
/* The median distance of a normal distribution from its centre is this part of its standard deviation: its 0.75 quantile. */
static const double NORMAL_75 = 0.6744898;

/* 0.975 quantile of Student's t: Cornish and Fisher's expansion about NORMAL_975 (Abramowitz and Stegun 26.7.5).
 * From 5 degrees of freedom on, the fewest that PRIOR_FREEDOM leaves, it is off by less than 3e-4. */
static double t_975(double freedom) {
  double x = 1 / freedom;
  return NORMAL_975 + x * (2.372271 + x * (2.822499 + x * (2.555850 + x * 1.589534)));
}

static double diff_robust_scale(double *values, size_t n, double centre) {
  for (size_t i = 0; i < n; i++)
    values[i] = fabs(values[i] - centre);
  return stats_median(values, n) / NORMAL_75;
}

/* --- one side of a pair --- */

void diff_series_add(struct diff_series *s, const struct finding *f) {
  if (!f || !f->timed || s->n == DIFF_RUNS_MAX)
    return;
  double half = (f->time.ci_high - f->time.ci_low) / 2;
  s->samples += f->time.n;
  s->log_time[s->n] = log(f->time.middle);
  s->within[s->n++] = half / NORMAL_975 / f->time.middle;
}

double diff_series_mean(const struct diff_series *s) {
  double sum = 0;
  for (size_t i = 0; i < s->n; i++)
    sum += s->log_time[i];
  return sum / (double)s->n;
}

bool diff_timed_tells(const struct diff_timed *t) {
  return (t->a.samples >= SAMPLES_TELL && t->b.samples >= SAMPLES_TELL) || t->a.n >= DIFF_RUNS_TELL ||
         t->b.n >= DIFF_RUNS_TELL;
}

/* Variance of the mean that the samples within the runs account for. */
static double series_within(const struct diff_series *s) {
  double sum = 0;
  for (size_t i = 0; i < s->n; i++)
    sum += s->within[i] * s->within[i];
  return sum / (double)(s->n * s->n);
}

static double series_squares(const struct diff_series *s) {
  double mean = diff_series_mean(s), sum = 0;
  for (size_t i = 0; i < s->n; i++)
    sum += (s->log_time[i] - mean) * (s->log_time[i] - mean);
  return sum;
}

static double diff_log_ratio(const struct diff_timed *t) {
  return diff_series_mean(&t->b) - diff_series_mean(&t->a);
}

static double timed_within(const struct diff_timed *t) {
  return series_within(&t->a) + series_within(&t->b);
}

static double timed_freedom(const struct diff_timed *t) {
  return (double)(t->a.n + t->b.n) - 2;
}

/* Of ln(time) from run to run, sampling included.  Freedom is above 0. */
static double timed_run_variance(const struct diff_timed *t) {
  return (series_squares(&t->a) + series_squares(&t->b)) / timed_freedom(t);
}

/* --- all pairs --- */

/* Writes ln(ratio) of the pairs that are wanted; returns their number. */
static size_t collect(double *out, const struct diff_timed *pairs, size_t n, bool same_code_only) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    if (pairs[i].same_code || !same_code_only)
      out[count++] = diff_log_ratio(&pairs[i]);
  return count;
}

/* One run a side: the scatter of the ratios less what sampling accounts for. */
static void noise_from_scatter(struct diff_noise *out, const struct diff_timed *pairs, size_t n, bool same_code_only,
                               double *work) {
  size_t count = collect(work, pairs, n, same_code_only);
  out->source = count < PAIRS_FOR_NOISE ? NOISE_FLOOR : same_code_only ? NOISE_SAME_CODE : NOISE_ALL_PAIRS;
  out->pairs = count;
  out->between = FLOOR_UNKNOWN;
  if (count < PAIRS_FOR_NOISE)
    return;
  double scale = diff_robust_scale(work, count, stats_median(work, count));
  count = 0;
  for (size_t i = 0; i < n; i++)
    if (pairs[i].same_code || !same_code_only)
      work[count++] = timed_within(&pairs[i]);
  out->between = sqrt(fmax(FLOOR_LEAST * FLOOR_LEAST, scale * scale - stats_median(work, count)));
}

/* Several runs: the typical variance of a pair from run to run.  The median of a chi-square of f degrees over f is about
 * (1 - 2 / (9 f))^3 (Wilson and Hilferty 1931); `between` is then of one run a side, as it is for the other sources. */
static void noise_from_runs(struct diff_noise *out, const struct diff_timed *pairs, size_t n, double *work) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    double freedom = timed_freedom(&pairs[i]);
    if (freedom < 1)
      continue;
    double unbiased = timed_run_variance(&pairs[i]) / pow(1 - 2 / (9 * freedom), 3);
    double sampling =
        timed_within(&pairs[i]) * (double)(pairs[i].a.n * pairs[i].b.n) / (double)(pairs[i].a.n + pairs[i].b.n);
    work[count++] = unbiased - sampling;
  }
  out->source = NOISE_RUNS;
  out->pairs = count;
  out->between = sqrt(fmax(FLOOR_LEAST * FLOOR_LEAST, 2 * stats_median(work, count)));
}

static void set_shift(struct diff_noise *out, const struct diff_timed *pairs, size_t n, bool raw, double *work) {
  size_t count = collect(work, pairs, n, true);
  out->shift = 1;
  out->shift_pairs = count;
  if (count >= PAIRS_FOR_SHIFT) {
    out->shift = exp(stats_median(work, count));
    out->shift_large = fabs(out->shift - 1) > DIFF_MARGIN;
    out->shift_removed = !raw;
  }
  count = collect(work, pairs, n, false);
  out->shift_all =
      (struct value){.present = count > 0, .v = exp(stats_median(work, count)), .reason = "no pair was timed"};
}

void diff_noise_of(struct diff_noise *out, const struct diff_timed *pairs, size_t n, enum diff_between between,
                   bool raw) {
  *out = (struct diff_noise){.source = NOISE_ONE_RUN, .shift = 1};
  double *work = calloc(n + 1, sizeof *work);
  size_t several = 0;
  for (size_t i = 0; i < n; i++)
    several += timed_freedom(&pairs[i]) >= 1;
  set_shift(out, pairs, n, raw || between == BETWEEN_CHIPS, work);
  if (several) {
    noise_from_runs(out, pairs, n, work);
  } else if (between == BETWEEN_CHIPS) { /* the scatter is what the chips differ by, and no noise */
    out->source = NOISE_CHIPS;
    out->between = FLOOR_UNKNOWN;
  } else if (between == BETWEEN_RUNS)
    noise_from_scatter(out, pairs, n, collect(work, pairs, n, true) >= PAIRS_FOR_NOISE, work);
  free(work);
}

/* --- one pair --- */

struct diff_interval diff_interval_of(const struct diff_timed *t, const struct diff_noise *noise) {
  double runs = 1 / (double)t->a.n + 1 / (double)t->b.n;
  double between = noise->between * noise->between / 2; /* of ln(time) of one run */
  double freedom = timed_freedom(t), variance = timed_within(t) + between * runs, quantile = NORMAL_975;
  if (freedom >= 1) {
    double typical = variance / runs;
    double own = (PRIOR_FREEDOM * typical + freedom * timed_run_variance(t)) / (PRIOR_FREEDOM + freedom);
    variance = own * runs;
    quantile = t_975(PRIOR_FREEDOM + freedom);
  }
  double y = diff_log_ratio(t) - (noise->shift_removed ? log(noise->shift) : 0);
  double half = quantile * sqrt(variance);
  return (struct diff_interval){exp(y), exp(y - half), exp(y + half)};
}

enum diff_verdict diff_judge(struct diff_interval x) {
  if (x.low > 1 + DIFF_MARGIN)
    return DIFF_SLOWER;
  if (x.high < 1 - DIFF_MARGIN)
    return DIFF_FASTER;
  return x.low >= 1 - DIFF_MARGIN && x.high <= 1 + DIFF_MARGIN ? DIFF_SAME : DIFF_UNCLEAR;
}
