#include "run/pass_set.h"

struct pass_set pass_set_of_rank(long rank, long ranks) {
  long sets = ranks < PASS_SETS_MAX ? ranks : PASS_SETS_MAX;
  return rank >= 0 && sets > 1 ? (struct pass_set){1 + rank % sets, sets} : (struct pass_set){0};
}

bool pass_set_lacks(struct pass_set s, const struct metric_table *t, size_t row) {
  long before = 0;
  if (!s.sets)
    return false;
  if (metric_group_apart(t->rows[row].group))
    return s.set != s.sets;
  for (size_t i = 0; i < row; i++)
    before += !metric_group_apart(t->rows[i].group);
  return s.set != 1 + before % s.sets;
}
