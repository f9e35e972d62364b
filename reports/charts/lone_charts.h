/* Charts that belong to no report.  Each writes NAME.gp and NAME.dat into the folder, which is made
 * if absent, and with gnuplot (NULL: the one on PATH) NAME.svg and NAME.png.  A missing gnuplot is
 * no error: `warning` has the remedy.  ERR_IO. */
#pragma once

#include "analysis/compare/history.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/text/mma_text.h"
#include "reports/text/tune_text.h"
#include "run/device.h"

/* A device's measured curves.  ERR_DATA where it has none. */
int report_ceilings_chart(const struct device *d, const char *folder, const char *gnuplot, struct text *warning,
                          struct err *e);
int report_history_chart(const struct history *h, const char *folder, const char *gnuplot, struct text *warning,
                         struct err *e);
/* A panel of rates and one of compile times, where there are any; with neither, no file. */
int report_mma_chart(const struct mma_text *m, const char *folder, const char *gnuplot, struct text *warning,
                     struct err *e);
/* A heat map a shape. */
int report_tune_chart(const struct tune_report *t, const char *folder, const char *gnuplot, struct text *warning,
                      struct err *e);
