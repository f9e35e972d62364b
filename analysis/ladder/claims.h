/* Claims: how a rung's author explains its step (`claim: TEXT [test: EXPR]`), judged by what was measured; and published against measured time.
 *
 * A name of EXPR is one of a prediction's (predict.h) and stands for the child's value over the parent's, or for the child's own where the
 * parent's is 0.  A test of the time, or of a stall's cycles, which grow with it, is a test of all that the step changed: what changed the time
 * stands beside it.  Pure.
 */
#pragma once

#include "analysis/ladder/predict.h"
#include "base/expr.h"

struct claim {
  char *words;       /* the author's */
  struct expr *test; /* NULL: none is given, so nothing is judged */
};

struct claims {
  struct claim *items;
  size_t n;
};

/* Of the variant's front matter.  ERR_DATA names the rung and the test.  The caller releases *out, also after failure. */
int claims_parse(struct claims *out, const struct run_variant *v, struct err *e);
void claims_release(struct claims *c); /* leaves *c all zero */

struct claim_judgement {
  enum judgement_verdict verdict;
  char *found;  /* "time ×0.95, long_scoreboard ×0.72"; UNKNOWN: why.  Owned */
  bool of_time; /* the test is of the time or of a stall's cycles; a stall's has the time in found */
};
/* found is the caller's to free. */
void claim_judge(struct claim_judgement *out, const struct claim *c, const struct findings *f,
                 const struct finding *parent, const struct finding *child);

/* "published ×0.09 (B200), here ×0.64; path here: ...": where an author's two times for the same device and shapes, over each other, are not what
 * was measured.  NULL: none was published for both, or they agree; else the caller's to free. */
char *claims_published(const struct findings *f, const struct run_variant *from, const struct run_variant *to);
