/* A kernel's launches may do unlike work, one kind after the other, as a benchmark's sizes under
 * one grid: its counters would be of the first.  A stretch is launches in a row that take about
 * equally long. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct stretch {
  uint64_t first, n; /* launches, counted from 0 */
  double least_ns, most_ns, total_ns;
};
struct stretches {
  struct stretch begin, now, longest; /* longest: in time, of those that all passes could count */
  struct stretch heaviest;            /* in time, of all */
  uint64_t n;
  double total_ns, squares_ns2;
};
struct stretch_choice {
  /* Launches to pass over, so that those counted are alike and most of the time in a row is theirs */
  uint64_t skip;
  /* Launches are unlike, too few alike in a row: one is run again for every pass */
  bool alone;
};

/* A launch has taken so long; they are told in their order. */
void stretches_add(struct stretches *s, double ns);
struct stretch_choice stretches_choose(const struct stretches *s);
