/* What stands between the barriers of a kernel whose warps wait there. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of every block of code, whether a barrier of the thread block stands in it or on a way from it.  The caller frees it. */
bool *before_barriers(const struct sass *s);

/* The warps of the only block meet, so that what they have made by then is whole: several blocks need the end of a launch for that. */
bool is_put_together(const struct rule_input *in);

struct barrier_work {
  bool uneven; /* some warps pass over code that others run */
  /* What is computed of values in shared memory goes back there: shuffles can hand that on without
   * a barrier. A tile that is only filled and read they cannot. */
  bool exchanges;
  bool shuffles; /* it has shuffles already */
};
/* Where the code or its counts are not known, all that may be is taken: uneven work, and an exchange. */
void barrier_work_of(struct barrier_work *out, const struct rule_input *in);
