/* What a chart leaves in its folder: CHART.gp, .dat, .svg and .png. */
#ifndef TESTS_UNIT_CHART_FILES_H
#define TESTS_UNIT_CHART_FILES_H

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void chart_holds(const char *folder, const char *name, const char *text) {
  char path[256], *got = NULL;
  size_t bytes = 0;
  struct err e = {0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (file_read(path, 1 << 20, &got, &bytes, &e))
    fail_msg("%s", e.text);
  if (!strstr(got, text))
    fail_msg("%s lacks \"%s\":\n%s", name, text, got);
  free(got);
}

static void chart_remove(const char *folder, const char *chart) {
  static const char *const endings[] = {"gp", "dat", "svg", "png"};
  char path[256];
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    snprintf(path, sizeof path, "%s/%s.%s", folder, chart, endings[i]);
    unlink(path);
  }
  rmdir(folder);
}

#endif
