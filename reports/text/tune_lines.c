#include "reports/text/tune_lines.h"

#include <string.h>

static void add_condition(struct text *out, struct shape s, int sm, int sms) {
  if (shape_named(&s))
    for (const char *at = s.sizes; *at; at += strspn(at, " ")) {
      size_t n = strcspn(at, " "), name = strcspn(at, "=");
      text_printf(out, "%.*s == %.*s && ", (int)name, at, (int)(n - name - 1), at + name + 1);
      at += n;
    }
  else
    text_printf(out, "M == %ld && K == %ld && L == %ld && ", s.m, s.k, s.l);
  text_printf(out, "sm == %d && sms == %d", sm, sms);
}

static bool is_searched(const struct tune_rank *rank, size_t param) {
  for (size_t i = 1; i < rank->n; i++)
    if (strcmp(rank->ranked[i]->result->params[param].value, rank->ranked[0]->result->params[param].value) != 0)
      return true;
  return false;
}

void tune_lines(struct text *out, size_t *n_lines, const struct tune_rank *ranks, size_t n, int sm, int sms) {
  *n_lines = 0;
  for (size_t i = 0; i < n; i++) {
    const struct tune_rank *rank = &ranks[i];
    if (!rank->n || !rank->standard || rank->best_is_standard)
      continue; /* without the rung itself beside it nothing is known to be faster than it */
    const struct run_result *best = rank->ranked[0]->result;
    const char *separator = ": ";
    text_add(out, "//! when:       ");
    add_condition(out, rank->shape, sm, sms);
    for (size_t p = 0; p < best->n_params; p++) {
      if (!is_searched(rank, p))
        continue;
      text_printf(out, "%s%s = %s", separator, best->params[p].key, best->params[p].value);
      separator = ", ";
    }
    text_add(out, "\n");
    ++*n_lines;
  }
}
