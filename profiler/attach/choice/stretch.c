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
}

uint64_t stretches_skip(const struct stretches *s) {
  double counted = s->begin.n >= PASSED ? s->begin.total_ns : 0;
  return s->longest.total_ns > worth_more * counted ? s->longest.first : 0;
}
