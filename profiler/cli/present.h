/* The one place from which a run is printed and its report written. */
#ifndef PROFILER_CLI_PRESENT_H
#define PROFILER_CLI_PRESENT_H

#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>

struct present_options {
  const char *folder, *device, *first_line, *notes; /* first_line, notes: may be NULL */
  unsigned formats;                                 /* enum report_format; 0: all */
  bool json, plots, save_run;
};
/* Analyses a run, prints it (or its JSON) and, with a folder, writes the report. */
int present_run(const struct run *r, const struct present_options *o, struct err *e);
/* EXIT_VARIANTS where a variant failed, was wrong though it should not be, or was not refused though it should be. */
int outcome_of(const struct run *r);

#endif
