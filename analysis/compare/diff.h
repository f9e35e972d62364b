/* Comparing two builds by their runs: what became slower, faster, wrong, was added, removed or renamed.  Pure.
 *
 * Statistics.  y = ln(time of B / time of A) of a pair (variant x shape), less the common shift.  Its variance is
 *   s_A^2 / n_A + s_B^2 / n_B  within the runs, from the bootstrap interval of each run's time, and
 *   what the runs themselves differ by (clock, where memory was allocated), which samples within a run cannot show:
 *     one run a side: the variance between runs, estimated over many pairs at once (struct diff_noise says from which);
 *     several: the variance of the pair's own times from run to run, moderated by that of all pairs (Smyth 2004, "Linear models and
 *     empirical Bayes methods", eq. 3: both weighted by their degrees of freedom).
 * The 95 % interval of the ratio is exp(y -+ t sqrt(variance)), and with the margin of 1 %
 *   SLOWER   it lies wholly above 1.01
 *   FASTER   it lies wholly below 0.99
 *   SAME     it lies wholly within 0.99 to 1.01
 *   UNCLEAR  none of these: more samples or more runs are needed.
 * The margin makes false alarms rare over hundreds of pairs: where nothing changed, a ratio must miss by 1 % and two standard errors.
 *
 * A pair of fewer than five launches on a side, and fewer than DIFF_RUNS_TELL runs on both, has an error that nobody knows: it is UNCLEAR.  Between two chips
 * the scatter of pairs is no noise: an interval has each run's own samples and what two runs of one card differ by.
 *
 * The same machine code, launched alike under the same conditions, cannot have become slower: what differs is the run.  Some rungs do:
 * over two H200 runs of one build 25 minutes apart (commits 7ffc551 and 7afb963 of recorded/h200.json.gz, other cards of one type) 93 % of
 * 216 pairs lay within 1 %, but cuda-0-naive at 7168x2048x4 was 9 % apart, each run steady in itself.  Of such a pair a change need not be
 * disproved but shown: it is SAME where the ratio itself is within the margin; and where it would be SLOWER or FASTER it is UNCLEAR, with
 * the reason, until there are DIFF_RUNS_TELL runs a side.  `raw` judges it like any other, as does a change of conditions.  Where both
 * sides are the same run (time, command and card), nothing lies between them and its times are taken at their word.
 */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define DIFF_MARGIN 0.01
enum { DIFF_RUNS_MAX = 32, DIFF_RUNS_TELL = 3, DIFF_METRICS_MAX = 16 };

enum diff_verdict {
  DIFF_SAME, /* in time; or refused on both sides, where it must be */
  DIFF_FASTER,
  DIFF_SLOWER,
  DIFF_UNCLEAR,
  DIFF_BROKEN,  /* was right and is now wrong or fails; or a rung that must be refused no longer is */
  DIFF_MENDED,  /* the other way round */
  DIFF_REMOVED, /* only in A */
  DIFF_ADDED,   /* only in B */
  DIFF_UNTIMED, /* no time on one side or both; reason says why */
  DIFF_VERDICTS
};
const char *diff_verdict_name(enum diff_verdict v); /* "SAME" */

struct diff_metric_asked {
  char *name;
  double tolerance; /* a ratio */
  bool gated;       /* a rise beyond the tolerance is a regression */
};

enum diff_metric_verdict { METRIC_SAME, METRIC_MORE, METRIC_FEWER, METRIC_ABSENT };
struct diff_metric {
  struct value before, after, ratio; /* means over the runs that have it */
  enum diff_metric_verdict verdict;
  bool regression;
};

struct diff_pair {
  const char *id_a, *id_b; /* NULL: not there.  They differ where the variant was renamed */
  const char *renamed;     /* how that was seen; NULL: it was not */
  struct shape shape;
  const struct finding *a, *b; /* of the first run that has it; NULL: none */
  size_t runs_a, runs_b;       /* with a time */
  bool same_code;              /* the machine code and the launches are the same */
  bool code_known;             /* both runs kept what tells it */
  enum diff_verdict verdict;
  const char *reason;                 /* NULL: the figures say all */
  struct value time_a, time_b;        /* seconds; geometric mean over the runs */
  struct value ratio;                 /* B over A, less the common shift */
  struct value ratio_low, ratio_high; /* 95 % interval */
  struct diff_metric *metrics;        /* one an asked metric; NULL: not on both sides */
  bool selected;
  bool regression; /* beyond what the options allow */
};

enum diff_noise_source {
  NOISE_RUNS,      /* several runs a side: measured from run to run */
  NOISE_SAME_CODE, /* the scatter of the pairs whose machine code is the same */
  NOISE_ALL_PAIRS, /* the scatter of all pairs: true changes are in it, which makes it cautious */
  NOISE_FLOOR,     /* too few pairs: a figure from other runs */
  NOISE_CHIPS,     /* two chips, whose difference is in every scatter: that figure, too */
  NOISE_ONE_RUN,   /* both files are the same run: nothing lies between */
};
struct diff_noise {
  enum diff_noise_source source;
  double between; /* standard deviation of ln(ratio) from run to run, within-run noise taken off */
  size_t pairs;   /* it was estimated from */
  double shift;   /* common ratio of the pairs whose machine code is the same; 1: none */
  size_t shift_pairs;
  bool shift_large;       /* beyond the margin */
  bool shift_removed;     /* from every ratio */
  struct value shift_all; /* median ratio of all pairs */
};

struct diff_condition {
  const char *what, *a, *b; /* owned by the diff */
  bool excuses; /* a setting or a machine: identical machine code is judged like any other, since it may be why */
};

struct diff {
  struct diff_pair *pairs;
  size_t n;
  struct diff_noise noise;
  struct diff_condition *conditions; /* that are not the same */
  size_t n_conditions;
  bool same_conditions; /* none that excuses */
  bool one_chip;        /* all runs name the same device: else no shift is common to the pairs, and none is removed */
  const struct diff_metric_asked *metrics;
  size_t n_metrics;
  size_t counts[DIFF_VERDICTS]; /* of the selected pairs */
  size_t regressions, metric_regressions;
  double fail_over;
  struct pool *pool; /* private: owns the reasons */
};

struct diff_side {
  const struct findings *runs;
  size_t n; /* 1 to DIFF_RUNS_MAX */
};

struct diff_options {
  double fail_over; /* a SLOWER pair fails where its ratio is more than 1 + this */
  bool raw;         /* leave the common shift in, and judge identical machine code like any other */
  const struct diff_metric_asked *metrics;
  size_t n_metrics;
  /* Whether a pair is reported; the noise is estimated from all.  NULL: every one. */
  bool (*selects)(const void *context, const struct run_variant *v, struct shape s);
  const void *context;
};

/* Whether a selected pair is on both sides, with times or with metrics that were asked for: else nothing was compared. */
bool diff_compared(const struct diff *d);
/* The findings and options must outlive *out; the caller releases it, also after failure.  ERR_USAGE for a metric that no run has. */
int diff_make(struct diff *out, struct diff_side a, struct diff_side b, const struct diff_options *o, struct err *e);
void diff_release(struct diff *d); /* leaves *d all zero */
