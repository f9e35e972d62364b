/* All diagnoses of a run, made once, and what one said before a step against what the step gained.  Pure. */
#pragma once

#include "analysis/advice/diagnosis.h"
#include "analysis/ladder/explain.h"

#include <stdbool.h>
#include <stddef.h>

struct diagnoses {
  const struct findings *findings;
  struct diagnosis *items; /* one a finding, in their order */
  size_t n;
};

/* The findings must outlive *out, which the caller releases. */
void diagnoses_make(struct diagnoses *out, const struct findings *f);
/* The same of the findings that are wanted alone: the others have neither advice nor a reason. */
typedef bool diagnoses_wanted(const void *context, const struct findings *f, size_t i);
void diagnoses_make_of(struct diagnoses *out, const struct findings *f, diagnoses_wanted *wanted, const void *context);
void diagnoses_release(struct diagnoses *d); /* leaves *d all zero */
/* Of one of the findings that *d was made of. */
const struct diagnosis *diagnoses_at(const struct diagnoses *d, const struct finding *f);

enum { CURES_MAX = 4 };
struct cure { /* a rule that the step's rung names in `cures:` */
  const struct rule *rule;
  const struct advice *before; /* what the rule said of the parent; NULL: it kept silent */
  double promised_s, gained_s; /* 0 where it kept silent; gained below 0: the rung is slower */
  double promised, gained;     /* the same over the parent's time */
  bool silent_after;           /* the rule says nothing of the rung that applies its remedy */
};
struct advised {              /* a step at one shape */
  const struct advice *first; /* of the parent; NULL: none */
  const char *reason;         /* why there is none, or why nothing is known of the step; NULL: no rule found a cause */
  struct cure cures[CURES_MAX]; /* none where the rung is not the parent's own, or where one of the two has no time */
  size_t n_cures;
};
/* *out borrows from the diagnoses. */
void advised_of(struct advised *out, const struct diagnoses *d, const struct step *s, const struct step_at *at);
