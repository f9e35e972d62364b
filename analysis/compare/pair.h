/* Two runs side by side: what both hold of a variant at a shape.  Pure. */
#pragma once

#include "analysis/compare/diff.h"
#include "analysis/model/findings.h"

struct pair_row {
  const char *variant; /* id; borrowed from one of the runs */
  struct shape shape;
  const struct finding *a, *b; /* NULL: that run does not hold it; one of them is there */
  struct value ratio;          /* time of B / time of A */
  enum diff_verdict verdict;   /* as `diff` judges it: of the ratio less what all pairs of the same code share */
  bool same;                   /* both timed, and neither SLOWER nor FASTER */
};

struct pair {
  const struct findings *a, *b;
  /* By shape, A's shapes first; then by variant, A's first. Rungs that must be refused are left
   * out. */
  struct pair_row *rows;
  size_t n;
  bool one_chip;  /* else B / A is of two chips, and verdicts are as `diff` has them there */
  double between; /* standard deviation of ln(ratio) from run to run that verdicts were held against */
  double shift;   /* common ratio that verdicts leave out; 1: none, or too little to matter */
};

/* Both findings must outlive *out, which the caller releases. */
void pair_make(struct pair *out, const struct findings *a, const struct findings *b);
void pair_release(struct pair *p); /* leaves *p all zero */

/* The rows that `wants` takes and both runs timed. */
struct pair_sum {
  size_t n, faster, slower, same, unclear;
  struct value mean, least, most; /* of `ratio`; mean: geometric */
};
struct pair_sum pair_sum_of(const struct pair *p, bool (*wants)(const struct pair_row *r, const char *of),
                            const char *of);
