/* Charts that belong to no report. */
#pragma once

#include "analysis/compare/history.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/text/mma_text.h"
#include "reports/text/tune_text.h"
#include "run/device.h"

struct lone_chart {               /* one of these */
  const struct device *device;    /* its measured curves; ERR_DATA where it has none */
  const struct history *history;  /* a line per variant */
  const struct mma_text *mma;     /* rates, and compile times; with neither, no file */
  const struct tune_report *tune; /* a heat map per shape */
};
/* Writes NAME.gp and NAME.dat into the folder, which is made if absent, and with gnuplot (NULL: the one on PATH) NAME.svg and NAME.png.  A missing
 * gnuplot is no error: `warning` has the remedy.  ERR_IO. */
int report_lone_chart(const struct lone_chart *x, const char *folder, const char *gnuplot, struct text *warning,
                      struct err *e);
