#include "profiler/cli/cli.h"
#include "profiler/cli/runs.h"
#include "run/device.h"
#include "run/run.h"

#include "reports/text/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct option_row option_rows[] = {
    {"trace", "FILE", "the timed launches as a Chrome trace (chrome://tracing, Perfetto); - is stdout, here and below"},
    {"csv", "FILE", "every number, one row per variant and shape, as the report's results.csv"},
    {"metrics", "FILE", "every counter as CSV, one row each, with its source or the reason it is absent"},
    {"device", "ID|FILE", "with --csv: set the numbers against this device's ceilings"},
    {NULL, NULL, NULL},
};

static bool is_stdout(const char *path) {
  return path && strcmp(path, "-") == 0;
}

static void tell(const char *what, const char *path, size_t n, const char *of) {
  cli_tell("nvfp4-prof: %s: %zu %s in %s\n", what, n, of, is_stdout(path) ? "stdout" : path);
}

/* A file that begins as what is exported is an earlier one; another is its owner's. */
static int save(struct text *t, const char *path, struct err *e) {
  enum { BEGINS = 16 };
  char begins[BEGINS] = "";
  struct stat st;
  FILE *there = !is_stdout(path) && stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "r") : NULL;
  size_t n = there ? fread(begins, 1, sizeof begins, there) : 0;
  if (there)
    fclose(there);
  if (n && strncmp(begins, text_str(t), n) != 0) {
    text_release(t);
    return err_set(e, ERR_USAGE, "%s is there, and no export wrote it: name another file, or remove that one", path);
  }
  return cli_save(t, path, e);
}

static int export_results(const struct run *r, const char *device_asked, const char *path, struct err *e) {
  struct analysed here;
  struct diagnoses diagnoses = {0};
  struct text t = {0};
  int rc = analysed_make(&here, r, device_asked, e);
  if (!rc) {
    diagnoses_make(&diagnoses, &here.findings);
    report_csv(&here.findings, &diagnoses, &t);
    rc = save(&t, path, e);
  }
  if (!rc)
    tell("csv", path, r->n_results, "results");
  diagnoses_release(&diagnoses);
  analysed_release(&here);
  return rc;
}

static int export_all(const struct run *r, const struct args *a, struct err *e) {
  const char *trace = args_get(a, "trace"), *csv = args_get(a, "csv"), *metrics = args_get(a, "metrics");
  struct text t = {0};
  int rc = 0;
  if (trace) {
    size_t n = export_trace(r, &t);
    rc = save(&t, trace, e);
    if (!rc)
      tell("trace", trace, n, "launches");
  }
  if (!rc && csv)
    rc = export_results(r, args_get(a, "device"), csv, e);
  if (!rc && metrics) {
    size_t n = 0;
    for (size_t i = 0; i < r->n_results; i++)
      n += r->results[i].n_metrics;
    export_metrics(r, &t);
    rc = save(&t, metrics, e);
    if (!rc)
      tell("metrics", metrics, n, "counters");
  }
  return rc;
}

static int export_command(const struct args *a, struct err *e) {
  struct run run = {0};
  int rc = 0;
  if (a->n_rest != 1)
    return err_set(e, ERR_USAGE, "export takes one run file: nvfp4-prof export run.json --trace trace.json");
  if (!args_has(a, "trace") && !args_has(a, "csv") && !args_has(a, "metrics"))
    return err_set(e, ERR_USAGE, "nothing to export: name --trace, --csv or --metrics FILE");
  static const char *const outputs[] = {"trace", "csv", "metrics"};
  int to_stdout = 0;
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
    to_stdout += is_stdout(args_get(a, outputs[i]));
  if (to_stdout > 1)
    return err_set(e, ERR_USAGE, "only one thing can be printed: give all but one a file's name");
  rc = run_read(&run, a->rest[0], e);
  if (!rc)
    rc = export_all(&run, a, e);
  run_release(&run);
  return rc ? rc : EXIT_DONE;
}

COMMAND_ROW(190, export) = {
    .name = "export",
    .arguments = "RUN.json [OPTIONS]",
    .summary = "export a run as a trace or CSV",
    .needs = "a run file",
    .examples = "export run.json --trace trace.json\n"
                "export run.json --csv results.csv\n",
    .options = option_rows,
    .run = export_command,
};
