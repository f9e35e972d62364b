/* How good advice is: what a diagnosis said against a label, the cause that is known, and what it promised against what the cure gained.  Pure.
 *
 * A label is a step: its parent is diagnosed, its child applies the cure.  Promised and gained are parts of the parent's time, so that a slow foot of a
 * ladder weighs no more than its fast rungs.  The null policies are what a score must beat: one name for every step (issue-slots, or the most frequent
 * label), and a rule drawn at random of those that any label names.
 */
#pragma once

#include "analysis/ladder/advised.h"
#include "analysis/ladder/labels.h"
#include "analysis/rules/rules.h"

#include <stddef.h>

struct score_entry {
  struct label label;
  const struct finding *parent, *child; /* timed, at one shape */
  const struct rule *cause;             /* the first of the label's */
  const struct rule *first;             /* NULL: no advice */
  const struct rule *right;             /* that gave promised; NULL: none */
  size_t place;                         /* of the first right advice, from 1; 0: it was not given */
  struct value promised; /* of the parent's time, by the first right advice that has a number: "stop" has none */
  double gained;         /* of the parent's time; below 0: the child is slower */
  struct value modelled; /* likewise, by the model of the child's work in the place of a what-if */
};

struct score_row { /* of the entries of one cause, or of all */
  const struct rule *cause;
  size_t n, fired;           /* fired: right advice was given */
  size_t first, three;       /* it was the first advice, among the first three */
  size_t n_promised;         /* it had a number; what follows is of these */
  struct value correlation;  /* Spearman's, promised against gained; absent under 3, or where one side is constant */
  struct value median_error; /* promised - gained: above 0, too much was promised */
  struct value median_abs_error;
};

struct score {
  struct score_entry *entries;
  size_t n;
  struct score_row all, *causes; /* causes: a row a rule that some label names first, in the order of the rules */
  size_t n_causes;
  double first, three;                       /* parts of the entries, 0..1; 0 where there is none */
  double null_issue, null_most, null_random; /* first hits of the null policies */
  const char *most;                          /* the most frequent cause */
  struct value median_model_error; /* |modelled - gained| where advice had a number: what no what-if can mend */
  struct value model_within_10;    /* part of the diagnosed findings whose modelled time is within 10 % */
  const char **unknown;            /* causes that are no rule, whose labels are left out; borrowed */
  size_t n_unknown;
};

/* Every label at every shape that both were timed at; of several children of a parent the fastest, unless the label holds of every one.  The findings
 * and the labels' names must outlive *out, which the caller releases. */
void score_make(struct score *out, const struct findings *f, const struct label *labels, size_t n);
/* The same from diagnoses that are there already; *out needs their findings only. */
void score_of(struct score *out, const struct diagnoses *d, const struct label *labels, size_t n);
void score_release(struct score *s); /* leaves *s all zero */
