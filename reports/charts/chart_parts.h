/* Charts of several derived metrics a rung, side by side or end to end.  Private to the charts. */
#pragma once

#include <stdbool.h>

enum { PARTS_MAX = 13 };

struct chart_part {
  const char *metric, *title;
  unsigned colour;
  int point; /* gnuplot's point type, where they are dots */
};

struct chart_parts_kind {
  const char *axis;
  bool stack;         /* parts end to end from 0, else dots */
  bool log;           /* of dots: on a log axis */
  double most;        /* of dots: where the axis ends at most; what lies beyond stands there and is named; 0: nowhere */
  double scale;       /* from the metric's unit to the axis's */
  const char *times;  /* metric that every part is multiplied by; NULL: none */
  const char *rest;   /* what the parts leave of `end` is this one's; NULL: nobody's */
  const char *end;    /* metric that labels a row; NULL: none */
  double end_scale;   /* to the label's unit */
  const char *format; /* of that label */
  double line;        /* a reference drawn across; 0: none */
  const char *line_name;
  struct chart_part parts[PARTS_MAX];
};

extern const struct chart_parts_kind parts_stalls, parts_mix, parts_bytes, parts_inflight;
