/* What a step's change in time came from: the shares of its groups (shares.h) as few causes as a reader can hold, the largest first.  Private to
 * the room. */
#pragma once

#include "analysis/ladder/explain.h"
#include "base/text.h"

struct cause {
  unsigned groups;      /* bits of enum step_group */
  enum step_group lead; /* whose own share speaks most for what they come to together */
  double share;         /* of all its groups together, in the unit of what was given */
};

/* shares: of the change, in seconds or as a part of it, one a group.  Two groups of what warps and SMs share out that pull against each other by
 * more than half of the change are one cause: how much of it each is depends on which of them one takes first.  So are a cause that would save more
 * than the time before, or cost more than the time after, and the one that undoes most of it, at any shape of `at`; n may be 0.  Returns their
 * number, the largest first; those of less than a tenth of the change are left out, and what they come to together is in *others. */
struct causes_at {
  const struct step_at *const *at; /* shapes whose shares are known */
  size_t n;
};
size_t causes_of(struct cause out[STEP_GROUPS], const double shares[STEP_GROUPS], double change, struct causes_at at,
                 double *others);
/* Of one shape, in seconds. */
size_t causes_of_shape(struct cause out[STEP_GROUPS], const struct step_at *at, double *others);

/* "warps and blocks + load latency" */
void cause_title_add(struct text *out, const struct cause *c);

/* "instructions, load latency": what took the time where it went, the largest first; NULL where no cause makes a tenth of the change.  The
 * caller's to free. */
char *causes_list(const struct step_at *at);

/* Child's time less the parent's. */
double causes_change_s(const struct step_at *at);
/* What the shares leave is no more than the half widths of both times' 95 % intervals. */
bool causes_rest_is_noise(const struct step_at *at);
extern const char causes_noise[]; /* which says so, behind the rest */
/* The shares explain half of the change or more, or all but noise. */
bool causes_found(const struct step_at *at);
/* Counted in runs of their own, cycles tell of a change that is larger than two runs of one kernel differ by. */
bool causes_counted(const struct step_at *at);

/* Fills step.rows. */
void causes_rows(struct step *s);

/* Fills step.why, step.most and step_at.told of a step whose other fields are filled. */
void causes_why(struct step *s);
