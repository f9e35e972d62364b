#include "reports/charts/chart.h"

#include <stdlib.h>

/* In the order of the page: a chart is a row here, a file chart_NAME.c, and a template in plots/. */
static chart_make_fn *const kinds[] = {
    chart_waterfall, chart_roofline, chart_roofline_l2, chart_roofline_l1, chart_instructions,
    chart_stalls,    chart_mix,      chart_bytes,       chart_inflight,    chart_spread_of_times,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

size_t charts_make(const struct view *v, struct chart **out) {
  size_t n = 0;

  *out = calloc(v->n_ladders * KINDS + 1, sizeof **out);
  for (size_t i = 0; *out && i < v->n_ladders; i++) {
    for (size_t k = 0; k < KINDS; k++)
      n += kinds[k](v, i, &(*out)[n]);
  }
  return n;
}
