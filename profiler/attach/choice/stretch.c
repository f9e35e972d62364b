#include "profiler/attach/choice/stretch.h"

#include <math.h>

enum { PASSED = 16 }; /* launches that passes need, and some more */
static const double alike = 1.5, worth_more = 1.5;

void stretches_add(struct stretches *s, double ns) {
  struct stretch *now = &s->now;
  double least = now->n ? fmin(now->least_ns, ns) : ns, most = fmax(now->most_ns, ns);
  if (now->n && most > alike * least) {
    *now = (struct stretch){.first = now->first + now->n};
    least = most = ns;
  }
  now->n++;
  now->least_ns = least;
  now->most_ns = most;
  now->total_ns += ns;
  if (now->first == 0)
    s->begin = *now;
  if (now->n >= PASSED && now->total_ns > s->longest.total_ns)
    s->longest = *now;
  if (now->total_ns > s->heaviest.total_ns)
    s->heaviest = *now;
  s->n++;
  s->total_ns += ns;
  s->squares_ns2 += ns * ns;
}

/* Half of the time is not in launches like the mean one: their mean, weighted by time, is beyond it. */
static bool unlike(const struct stretches *s) {
  return s->squares_ns2 * (double)s->n > alike * s->total_ns * s->total_ns;
}

struct stretch_choice stretches_choose(const struct stretches *s) {
  double begins = s->begin.n >= PASSED ? s->begin.total_ns : 0;
  bool goes_on = s->longest.total_ns > worth_more * begins;
  double counted = goes_on ? s->longest.total_ns : begins;
  if (unlike(s) && s->heaviest.total_ns > worth_more * counted)
    return (struct stretch_choice){s->heaviest.first, true};
  return (struct stretch_choice){goes_on ? s->longest.first : 0, false};
}
