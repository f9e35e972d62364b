#include "analysis/signs/issued_line.h"

#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>

struct issued {
  const struct run_line *line;
  size_t at;
  double executed;
};

static int by_line(const void *a, const void *b) {
  const struct issued *x = a, *y = b;
  if (x->line->source != y->line->source)
    return x->line->source < y->line->source ? -1 : 1;
  if (x->line->line != y->line->line)
    return x->line->line < y->line->line ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

static void most_of(struct issued_line *out, const struct hot_kernel *k, const struct issued *sorted, size_t n) {
  double most = 0;
  for (size_t i = 0, end; i < n; i = end) {
    const struct issued *first = &sorted[i];
    double sum = 0;
    for (end = i; end < n && same_line(sorted[end].line, first->line); end++) {
      sum += sorted[end].executed;
      first = sorted[end].executed > first->executed ? &sorted[end] : first;
    }
    if (sum > most) {
      most = sum;
      *out = (struct issued_line){first->line->source, first->line->line, hot_shown(k, first->at), sum};
    }
  }
}

bool issued_line_of(struct issued_line *out, const struct rule_input *in) {
  const struct hot_kernel *k = rule_kernel(in);
  double all = 0;
  size_t n = 0;
  *out = (struct issued_line){0};
  bool guessed = k && in->sass->spread && in->sass->n_loops > 0; /* how often loops turn */
  struct issued *list = k && in->sass->counted && !guessed ? malloc((in->sass->n + 1) * sizeof *list) : NULL;
  for (size_t i = 0; list && i < in->sass->n; i++) {
    double executed = in->sass->insts[i].never ? 0 : fmax(in->sass->executed[i], 0);
    const struct run_line *line = executed > 0 ? about_line(in, hot_shown(k, i)) : NULL;
    all += executed;
    if (line)
      list[n++] = (struct issued){line, i, executed};
  }
  if (n > 0) {
    qsort(list, n, sizeof *list, by_line);
    most_of(out, k, list, n);
    out->share /= all;
  }
  free(list);
  return out->at != NULL;
}
