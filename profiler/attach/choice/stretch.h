/* Launches of a kernel that do unlike work may come one kind after the other, as a benchmark's sizes do under one grid; what its counters are of is then what
 * was launched first.  A stretch is launches in a row that take about as long as each other. */
#pragma once

#include <stdint.h>

struct stretch {
  uint64_t first, n; /* launches, counted from 0 */
  double least_ns, most_ns, total_ns;
};
struct stretches {
  struct stretch begin, now, longest; /* longest: in time, of those that all passes could count */
};

/* A launch has taken so long; they are told in their order. */
void stretches_add(struct stretches *s, double ns);
/* Launches to pass over, so that those which are counted are alike, and most of the kernel's time in a row is of them. */
uint64_t stretches_skip(const struct stretches *s);
