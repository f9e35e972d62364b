/* Reports: findings rendered for people and programs.  Nothing is computed here. */
#ifndef REPORTS_REPORT_H
#define REPORTS_REPORT_H

#include "analysis/analysis.h"
#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>

/* The terminal's summary: first line says where the numbers come from, then a table a shape and the geometric mean, then failures and notes. */
void report_term(const struct findings *f, struct text *out, int width, bool colour);
/* worklog.md: images by relative path. `charts` names the charts that were drawn, so that no link is dead. */
struct report_charts {
  const char *names[32]; /* "roofline", "waterfall" */
  bool drawn[32];        /* .svg and .png exist; else .gp and .dat only */
  size_t n;
};
void report_worklog(const struct findings *f, const struct report_charts *charts, struct text *out);
/* Every number, one row a variant x shape. */
void report_csv(const struct findings *f, struct text *out);
/* Every finding as JSON. */
void report_json(const struct findings *f, struct text *out);

struct report_options {
  const char *folder;  /* made if absent */
  const char *gnuplot; /* program; NULL: "gnuplot" on PATH */
  bool plots;
};
/* Writes worklog.md, results.csv, findings.json, and for each chart NAME.gp, NAME.dat and, with gnuplot, NAME.svg and NAME.png.  Every file is
 * written atomically.  A missing gnuplot is no error: `warning` (a sentence with the remedy) is filled and the charts' sources are there. */
int report_write(const struct findings *f, const struct report_options *options, struct text *warning, struct err *e);
/* The chart of a device's measured curves, as report_write writes charts.  ERR_DATA where it has none. */
int report_ceilings(const struct device *d, const struct report_options *options, struct text *warning, struct err *e);

#endif
