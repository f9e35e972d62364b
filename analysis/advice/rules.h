/* Diagnosis: what costs a variant its time, with evidence, a remedy and an estimate (DESIGN.md section 8).  Pure.
 *
 * A rule is one function in one row of the table in analysis/advice/rules.c; its name is what a rung's `cures:` names.  It looks at one finding and
 * either keeps silent or advises.  Estimates come from the bounds' model (the time scaled as the model would change) or from the share of warp
 * cycles that a stall takes; each is capped so that no advice promises a time below rule_input.floor_s.
 */
#ifndef ANALYSIS_ADVICE_RULES_H
#define ANALYSIS_ADVICE_RULES_H

#include "analysis/advice/hot.h"
#include "analysis/metrics/value.h"
#include "analysis/model/findings.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { EVIDENCE_MAX = 6 };
struct evidence {
  const char *title, *unit; /* the unit as in run/metrics; static, or owned by the run or the findings */
  struct value value;
};

struct advice {
  const struct rule *rule;
  struct evidence evidence[EVIDENCE_MAX];
  size_t n_evidence;
  const char *sentence; /* what is wrong; owned by the diagnosis */
  const char *remedy;   /* what to do; likewise */
  double saves_s;       /* seconds that the remedy may save, capped; 0: none (a statement, such as that DRAM is full) */
  bool capped;          /* the estimate before the cap was larger */
  bool stop;            /* nothing is left to mend: only moving fewer bytes helps */
};

struct rule_input {
  const struct findings *all;
  const struct finding *f;
  struct pool *pool;
  struct sass *sass; /* of the kernel with the most samples, else of the first; NULL: the run holds none */
  double time_s;
  double
      floor_s; /* least time there can be: the larger of the speed of light by the stated bandwidth, and an empty kernel + the bytes at
                     the best known bandwidth */
};

struct rule {
  const char *name;  /* "long-scoreboard": what `cures:` names */
  const char *title; /* "too few bytes in flight" */
  /* Fills *out and returns true, or leaves it and returns false.  saves_s as the rule estimates it: the cap comes after. */
  bool (*judge)(const struct rule_input *in, struct advice *out);
  bool general; /* says that something is busy or idle, not why: yields to advice that says why */
};
extern const struct rule rules[];
extern const size_t n_rules;
const struct rule *rule_find(const char *name); /* NULL: none */

/* Advice that saves less than this part of the time is not given. */
#define ADVICE_LEAST_SHARE 0.02
/* General advice stands after all that is not and saves at least this part of the time. */
#define ADVICE_TELLING_SHARE 0.1

struct diagnosis {
  const struct finding *finding;
  struct advice *items; /* what says stop, then the most saved first; general advice after telling advice */
  size_t n;
  const char *reason; /* why there is none that could be given: no counters, no time; NULL: rules were asked */
  struct hot hot;     /* where the warps wait */
  struct pool pool;   /* private: owns the sentences */
};

/* ERR_NOMEM.  The findings must outlive *out, which the caller releases, also after failure. */
int diagnosis_make(struct diagnosis *out, const struct findings *all, const struct finding *f, struct err *e);
void diagnosis_release(struct diagnosis *d); /* leaves *d all zero */
/* The advice of a rule, NULL where it kept silent. */
const struct advice *diagnosis_find(const struct diagnosis *d, const char *rule);

/* --- for rules --- */

/* A derived metric or counter of the finding; fallback where it is absent. */
double rule_value(const struct rule_input *in, const char *name, double fallback);
/* Adds a metric as evidence, with its own title and unit; one that is absent is left out. */
void evidence_metric(struct advice *a, const struct rule_input *in, const char *name);
void evidence_add(struct advice *a, const char *title, const char *unit, struct value v);
/* The time that the model gives when each bound's seconds are scaled (1: as it is, 0: gone), as a part of the model's time now, applied to the
 * measured time.  The measured time where no bound is known. */
double rule_remodel(const struct rule_input *in, const double scale[BOUND_KINDS]);
/* All ones, for rule_remodel. */
void scale_all(double scale[BOUND_KINDS], double value);

#endif
