/* Diagnosis: what costs a variant its time, with evidence, a remedy and what the remedy may save.  Pure.
 *
 * Every rule (analysis/rules) is asked; what they say is priced, capped, put in order (advice_order.h), and told in the words of whoever can act on it. */
#pragma once

#include "analysis/rules/rules.h"

struct diagnosis {
  const struct finding *finding;
  struct advice *items; /* what says stop, then the most saved first; general advice after what explains it */
  size_t n;
  double together_s;        /* that all advice may save when it is followed together, capped */
  double at_best_s;         /* where a remedy goes as far as can be (roof_s): more than together_s; 0: none does */
  const char *reason;       /* why there is none that could be given: no counters, no time; NULL: rules were asked */
  struct hot hot;           /* where the warps wait */
  struct static_code *code; /* what the code alone shows (static.h), where nothing was counted; else NULL */
  struct pool pool;         /* private: owns the sentences */
};

/* The findings must outlive *out, which the caller releases. */
void diagnosis_make(struct diagnosis *out, const struct findings *all, const struct finding *f);
void diagnosis_release(struct diagnosis *d); /* leaves *d all zero */
/* The advice of a rule, NULL where it kept silent. */
const struct advice *diagnosis_find(const struct diagnosis *d, const char *rule);
