/* What binds, in words that every screen shares: the bound, and how much of the time it needs by
 * itself, as its row in the table of bounds says. */
#pragma once

#include "analysis/model/finding.h"
#include "base/text.h"

struct bound_told {
  enum bound_kind binding;  /* BOUND_KINDS: unknown */
  struct value share;       /* of the time: the mean over shapes where there are several */
  struct value explained;   /* modelled / measured time */
  const struct finding *at; /* the one shape; NULL: several */
};
void bound_told_of(struct bound_told *out, const struct finding *f);
/* Modelled less than half or more than twice the time. */
bool bound_fits(const struct bound_told *t);
/* Its row: every warp issues something, so that a chain of 0 is one of which nothing was
 * counted. */
struct value bound_least(const struct bounds *b, enum bound_kind k);
/* "99 %", and "all" from what rounds to 100 % on: a row beyond the measured time says how much a
 * rate or a latency is off, not that a kernel needs more time than it takes. */
void bound_part(double share, struct text *out);
/* "L1 and shared memory, 99 % of the time on the busiest SM (model: 105 % of the measured
 * time)"; above 115 % "36 % above the measured time", below 85 % likewise */
void bound_sentence(const struct bound_told *t, struct text *out);
/* Without advice, values that cannot be, and a model that does not fit: the counters are of launches that did not do the same, and bound and rows say
 * nothing. */
bool bound_of_unlike(const struct finding *f, size_t n_advice);
/* "its launches take 1.62 µs and 81.3 µs; shares and savings are of those that were counted, of 1.60 µs, with 3 % of its time: ..."; nothing, and false, where these are like the
 * launches that the time is of. */
bool bound_far(const struct run *r, const struct finding *f, struct text *out);
/* "l1, 99 % of the time" */
void bound_brief(const struct bound_told *t, struct text *out);
