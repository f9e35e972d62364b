/* The one place from which a run is printed and its report written: the answer first, the report and its charts last. */
#pragma once

#include "base/err.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/runs.h"
#include "reports/charts/lone_charts.h"
#include "run/run.h"

#include <stdbool.h>

extern const struct option_row present_option_rows[]; /* what is printed: of every command that presents a run */
extern const struct clash_row present_clashes[];

struct present_options {
  const char *folder, *device, *first_line, *notes; /* first_line, notes: may be NULL */
  /* That the next command is to name; NULL: the folder's run.json.gz where it is saved, else none */
  const char *run_file;
  const char *variants; /* the list that was asked for; NULL: all of the run */
  unsigned formats;     /* enum report_format; 0: all, until present_options_read */
  bool json, csv, all_charts, save_run;
  bool full_names, table, all_shapes, quiet, brief;
};
/* What --out names: "report" where nothing is said; NULL for "-": no folder is written. */
const char *present_folder(const struct args *a);
/* ERR_USAGE where a value is none of its option, --charts has nothing to draw, or out->folder
 * (set before) has pages that no report wrote. */
int present_options_read(struct present_options *out, const struct args *a, struct err *e);

/* Analyses a run and prints it (or its JSON).  The caller releases *p, also after failure. */
int present_print(struct analysed *p, const struct run *r, const struct present_options *o, struct err *e);
/* With a folder, writes the report. */
int present_report(const struct analysed *p, const struct present_options *o, struct err *e);
/* The two, one after the other. */
int present_run(const struct run *r, const struct present_options *o, struct err *e);
/* The same of a run read from o.run_file; o.notes NULL: those beside it.  An error, or
 * outcome_of. */
int present_file(const struct run *r, struct present_options o, struct err *e);
/* Both are there, and are one. */
bool same_file(const char *a, const char *b);
/* Saves a run as the report's folder keeps it, DIR/run.json.gz. */
int report_folder_save_run(const struct run *r, const char *folder, struct err *e);
/* A chart of its own in a folder, and what gnuplot had to say on stderr. */
int chart_present(const struct lone_chart *x, const char *folder, struct err *e);
/* EXIT_VARIANTS where a variant failed, was wrong though it should not be, or was not refused though it should be. */
int outcome_of(const struct run *r);
