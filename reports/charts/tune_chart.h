/* The heat map of a search over parameters. */
#pragma once

#include "base/err.h"
#include "reports/text/report.h"
#include "reports/text/tune_text.h"

/* tune.gp and tune.dat, and with gnuplot tune.svg and tune.png: a heat map a shape.  As
 * report_write. */
int report_tune_chart(const struct tune_report *t, const struct report_options *o, struct text *warning, struct err *e);
