/* What `ceilings` measured of a GPU: profiler/ceilings fills it, reports/text shows it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CEILINGS_ROWS_MAX = 72, CEILINGS_CURVES = 3, CEILINGS_POINTS_MAX = 48 };

struct ceilings_row {
  char name[32], unit[24]; /* of a struct ceiling */
  bool present;
  double value;
  double clock_hz;  /* SM clock while it was measured; 0: not known */
  char detail[320]; /* present: how it was measured */
  char reason[320]; /* absent: why */
};

struct ceilings_curve {
  char name[32], x_unit[8], y_unit[8]; /* "": nothing tried to measure it */
  char detail[320];                    /* what it is */
  char reason[320];                    /* n = 0: why */
  double x[CEILINGS_POINTS_MAX], y[CEILINGS_POINTS_MAX];
  size_t n;
};

struct ceilings {
  struct ceilings_row rows[CEILINGS_ROWS_MAX];
  size_t n;
  struct ceilings_curve curves[CEILINGS_CURVES];
  char notes[1024]; /* what this machine lacks and what it costs; "": nothing */
};
