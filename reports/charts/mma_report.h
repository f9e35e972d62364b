/* The matrix instructions of a chip, as a chart.  Nothing is computed here. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "reports/text/mma_text.h"
#include "reports/text/report.h"

#include <stddef.h>

struct mma_chart_row {
  const char *type, *sum;                                   /* "e4m3", "fp32" */
  double flops, peak_flops, library_flops, datasheet_flops; /* per second; 0: absent */
  double nvrtc_s, nvcc_s;                                   /* to compile, cold; 0: absent */
};
struct mma_chart {
  const char *title, *subtitle;
  const struct mma_chart_row *rows; /* in the order of the chart */
  size_t n;
};

/* Writes mma.gp and mma.dat, and with gnuplot mma.svg and mma.png: a panel of rates and one of
 * compile times, each where there are any; where there is neither, nothing.  As report_write. */
int report_mma_chart(const struct mma_chart *m, const struct report_options *o, struct text *warning, struct err *e);
/* Of the best row of each type that compiled. */
int report_mma_text_chart(const struct mma_text *m, const struct report_options *o, struct text *warning,
                          struct err *e);
