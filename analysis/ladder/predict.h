/* Predictions: what a rung's `predicts:` says, and whether the counters bear it out (kernels/rung.h).
 *
 * Items, ';' between:
 *   NAME < NUMBERx      (also > <= >=) the child's value over the parent's; 1x is the parent's own
 *   NAME within P%      that ratio lies within 1 ± P/100
 *   bound: X -> Y       the binding bound before and after, by bound_name, or `latency` (step_bound in analysis/ladder/explain.h)
 * NAME is a derived metric (run/metrics), a counter of the run, or one of
 *   time          the measured time
 *   inst          warp instructions executed: inst_executed
 *   occupancy     achieved_occupancy
 *   local_bytes   a thread's stack frame and spills, the most of the launches
 *   registers     a thread, the most of the rung's kernels;   blocks, threads, blocks_per_sm: of its largest launch
 *   a stall reason such as long_scoreboard: the warp cycles spent on it, in all (the counter stall_long_scoreboard)
 *   bound_NAME    the part of the time that a bound needs by itself, by bound_name: bound_atomics
 */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"
#include "run/metric_table.h"

#include <stddef.h>

enum prediction_kind { PREDICTION_RATIO, PREDICTION_WITHIN, PREDICTION_BOUND };
enum prediction_compare { COMPARE_LESS, COMPARE_LESS_EQUAL, COMPARE_GREATER, COMPARE_GREATER_EQUAL };

struct prediction {
  char *item; /* as written, blanks around it taken off */
  enum prediction_kind kind;
  char *name;                      /* RATIO, WITHIN: of the value */
  enum prediction_compare compare; /* RATIO */
  double threshold;                /* RATIO: child over parent; WITHIN: 0.05 for 5% */
  const char *before, *after;      /* BOUND: static names */
};

struct predictions {
  struct prediction *items;
  size_t n;
};

/* text NULL: no items.  ERR_DATA names the rung, the item and what was expected.  The caller releases *out, also after failure. */
int predictions_parse(struct predictions *out, const char *rung_id, const char *text, struct err *e);
void predictions_release(struct predictions *p); /* leaves *p all zero */
/* ERR_DATA for a NAME that is none of the above; counters and derived metrics are those of the table. */
int predictions_verify(const struct predictions *p, const struct metric_table *t, struct err *e);

enum judgement_verdict {
  JUDGED_CONFIRMED,
  JUDGED_REFUTED,
  JUDGED_UNCLEAR, /* a time whose 95 % interval holds the threshold */
  JUDGED_UNKNOWN  /* a value is absent, or the parent's is 0 */
};
const char *judgement_name(enum judgement_verdict v); /* "CONFIRMED" */

struct judgement {
  enum judgement_verdict verdict;
  struct value before, after;             /* the values judged; RATIO and WITHIN */
  struct value ratio;                     /* child over parent; likewise */
  const char *bound_before, *bound_after; /* BOUND: as observed; NULL: unknown */
  const char *reason; /* UNKNOWN: why; static, or owned by the run or the findings.  NULL otherwise */
  const char *absent; /* UNKNOWN: id of the variant whose value is absent; NULL: of neither */
};
void prediction_judge(struct judgement *out, const struct prediction *p, const struct findings *f,
                      const struct finding *parent, const struct finding *child);

/* Whether NAME is a stall reason, whose cycles grow with the time. */
bool prediction_is_stall(const struct finding *item, const char *name);
/* A value by a prediction's NAME. */
struct value prediction_value(const struct findings *f, const struct finding *item, const char *name);

/* What binds, by the model: "dram", "alu", "latency", ...; NULL: unknown. */
const char *step_bound(const struct finding *f);
