#include "reports/charts/chart.h"

#include "base/plain.h"

#include <stdio.h>
#include <string.h>

void chart_release(struct chart *c) {
  text_release(&c->title);
  text_release(&c->hint);
  text_release(&c->gp);
  text_release(&c->dat);
  text_release(&c->svg);
  *c = (struct chart){0};
}

void chart_subtitle(const struct view *v, size_t shapes_left_out, struct text *out) {
  view_origin(v->f, out);
  if (shapes_left_out > 0)
    text_printf(out, "; %zu more shapes not drawn", shapes_left_out);
}

void chart_data_quote(struct text *out, const char *s) {
  size_t n = s ? strlen(s) : 0, step;
  text_add(out, "\"");
  for (size_t i = 0; i < n; i += step) {
    bool control;
    step = plain_step(s + i, n - i, &control);
    if (s[i] == '"' || s[i] == '`')
      text_add(out, "'");
    else if (control || s[i] == '\n' || s[i] == '\t')
      text_add(out, " ");
    else
      text_add_n(out, s + i, step);
  }
  text_add(out, "\"");
}

void chart_spread(double *positions, size_t n, double gap, double low, double high) {
  double excess;
  if (n == 0)
    return;
  if ((double)(n - 1) * gap > high - low)
    gap = n > 1 ? (high - low) / (double)(n - 1) : 0;
  /* Half of every overlap is taken from each of the two; a few rounds settle, and two sweeps
   * make the bounds hold. */
  for (int round = 0; round < 200; round++) {
    excess = 0;
    for (size_t i = 1; i < n; i++) {
      double overlap = gap - (positions[i] - positions[i - 1]);
      if (overlap <= 0)
        continue;
      positions[i - 1] -= overlap / 2;
      positions[i] += overlap / 2;
      excess += overlap;
    }
    if (excess < 0.1)
      break;
  }
  for (size_t i = 0; i < n; i++) {
    double least = i ? positions[i - 1] + gap : low;
    if (positions[i] < least)
      positions[i] = least;
  }
  for (size_t i = n; i-- > 0;) {
    double most = i + 1 < n ? positions[i + 1] - gap : high;
    if (positions[i] > most)
      positions[i] = most;
  }
}
