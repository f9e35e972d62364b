/* Samples of tests/import, imported, and what tests ask of them. */
#ifndef TESTS_UNIT_IMPORTED_H
#define TESTS_UNIT_IMPORTED_H

#include "base/file.h"
#include "profiler/import/import.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLES TEST_SOURCE_DIR "/tests/import/"

static inline char *sample(const char *name) {
  char path[512];
  char *text = NULL;
  size_t n;
  struct err e = {0};
  snprintf(path, sizeof path, SAMPLES "%s", name);
  if (file_read(path, 1 << 24, &text, &n, &e))
    fail_msg("%s", e.text);
  return text;
}

static inline int import_texts(struct run *run, const char *metrics, const char *source, const char *kernel,
                               struct err *e) {
  struct import_file file = {"m.csv", metrics}, view = {"s.csv", source};
  return import_ncu(run,
                    &(struct import_options){
                        .files = &file, .n_files = 1, .sources = &view, .n_sources = source ? 1 : 0, .kernel = kernel},
                    e);
}

static inline struct run imported(const char *name, const char *source) {
  struct run run;
  struct err e = {0};
  char *metrics = sample(name), *view = source ? sample(source) : NULL;
  if (import_texts(&run, metrics, view, NULL, &e))
    fail_msg("%s: %s", name, e.text);
  free(metrics);
  free(view);
  return run;
}

static inline const struct run_result *result_of(const struct run *run, const char *id) {
  for (size_t i = 0; i < run->n_results; i++)
    if (strcmp(run->variants[run->results[i].variant].id, id) == 0)
      return &run->results[i];
  fail_msg("no kernel %s", id);
  return NULL;
}

static inline double metric(const struct run_result *r, const char *name) {
  const struct run_metric *m = run_metric_find(r, name);
  if (!m || !m->present)
    fail_msg("%s is absent: %s", name, m ? m->reason : "no such row");
  return m->value;
}

static inline void near(double got, double want, double part) {
  if (!(fabs(got - want) <= part * fabs(want)))
    fail_msg("%.10g is not within %g of %.10g", got, part, want);
}

#define AXPY       "void axpy<float, 4>(T1, const T1 *, T1 *, long)"
#define AXPY_LARGE AXPY " <<<16384x1x1, 256x1x1>>>"
#define AXPY_SMALL AXPY " <<<8192x1x1, 256x1x1>>>"

/* A table of one launch. */
#define HEAD                                                                                                           \
  "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"gpu__time_duration.sum\",\"smsp__inst_executed.sum\"\n"
#define UNITS     "\"\",\"\",\"\",\"\",\"us\",\"inst\"\n"
#define ROW(time) "\"0\",\"k\",\"(256, 1, 1)\",\"(8, 1, 1)\",\"" time "\",\"64\"\n"

#endif
