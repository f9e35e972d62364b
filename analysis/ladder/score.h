/* How good advice is: what a diagnosis named first against a label, the cause that is known.  Pure.
 *
 * A label is a step: its parent is diagnosed, its child applies the cure.  The null policies are what a score must beat: one name for every step
 * (issue-slots, or the most frequent label), and a rule drawn at random of those that any diagnosis named.
 */
#pragma once

#include "analysis/advice/rules.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { LABEL_CAUSES = 4 };
struct label {
  const char *parent, *child;       /* variants; borrowed */
  const char *causes[LABEL_CAUSES]; /* any of which is right; names of rules */
  size_t n_causes;
  const struct finding *at; /* the child, where the label holds at its shape alone; NULL: at every shape */
};

struct score_entry {
  const struct label *label;
  const struct finding *parent, *child; /* timed, at one shape */
  const struct rule *first;             /* NULL: no advice */
  const struct rule *right;             /* that gave promised; NULL: none */
  size_t place;                         /* of the first right advice, from 1; 0: it was not given */
  struct value promised; /* of the parent's time, by the first right advice that has a number: "stop" has none */
  double gained;         /* of the parent's time */
  struct value modelled; /* likewise, by the model of the child's work in the place of a what-if */
};

struct score {
  struct score_entry *entries;
  size_t n;
  double first, three;                       /* parts of the entries, 0..1; 0 where there is none */
  double null_issue, null_most, null_random; /* first hits of the null policies */
  const char *most;                          /* the most frequent cause */
  struct value median_abs_error;   /* |promised - gained| of right advice with a number, of the parent's time */
  struct value median_model_error; /* |modelled - gained| of the same: what no what-if can mend */
  size_t n_promised;               /* entries that have one */
  struct value model_within_10;    /* part of the diagnosed findings whose modelled time is within 10 % */
};

/* Every label at every shape that both were timed at; of several children of a parent the fastest.  ERR_NOMEM.  Findings and labels must outlive *out, which the caller releases, also after
 * failure. */
int score_make(struct score *out, const struct findings *f, const struct label *labels, size_t n, struct err *e);
void score_release(struct score *s); /* leaves *s all zero */

/* Lines "id TAB cause TAB accepted causes, comma-separated TAB half" after a header; parents from the run, variants that it lacks are left out.
 * half: NULL: both.  text is cut up and must outlive *out.  ERR_DATA names the line. */
int labels_parse(struct label **out, size_t *n, char *text, const char *half, const struct run *run, struct err *e);
