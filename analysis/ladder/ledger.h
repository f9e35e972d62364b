/* The prediction ledger: what a rule promised at a rung against what the rung that applies its remedy gained.  Pure.
 *
 * A rung's `cures:` names a rule; the rule's estimate at the rung's parent is the promise.  A rule that kept silent promised nothing: it is counted
 * as silent and scored by nothing else.  Promised and gained are compared as parts of the parent's time, so that a slow foot of a ladder weighs no
 * more than its fast rungs.
 */
#pragma once

#include "analysis/advice/rules.h"
#include "analysis/ladder/advised.h"
#include "analysis/model/findings.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct ledger_entry {
  const struct rule *rule;
  const struct finding *parent, *child; /* both timed, at one shape */
  bool spoke;                           /* the rule advised at the parent */
  size_t place;                         /* of its advice there, from 1; 0: it kept silent */
  double promised_s, gained_s;          /* seconds; gained below 0: the rung is slower */
  double promised, gained;              /* the same over the parent's time */
};

/* Of one rule, or of all; correlation and errors are over the entries at which the rule spoke. */
struct ledger_score {
  const struct rule *rule; /* NULL: of all */
  size_t n, spoke;
  size_t first, three; /* entries at which the cure was the first advice, among the first three */
  struct value
      correlation; /* Spearman's, promised against gained; absent under 3 entries, or where one side is constant */
  struct value median_error; /* promised - gained, of the parent's time: above 0, too much was promised */
  struct value median_abs_error;
};

struct ledger {
  struct ledger_entry *entries;
  size_t n;
  struct ledger_score *scores; /* a row a rule that some rung cures, in the order of the rules; the last is of all */
  size_t n_scores;
  const char **unknown; /* names in `cures:` that are no rule; owned by the run */
  size_t n_unknown;
};

/* Over the variants of a ladder (NULL: of every ladder).  The findings must outlive *out, which the caller releases, also after
 * failure. */
int ledger_make(struct ledger *out, const struct findings *f, const char *ladder, struct err *e);
/* The same from diagnoses that are there already; *out needs their findings only. */
void ledger_of(struct ledger *out, const struct diagnoses *d, const char *ladder);
void ledger_release(struct ledger *l); /* leaves *l all zero */
