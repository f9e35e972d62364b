/* A number that advice rests on. */
#pragma once

#include "analysis/metrics/value.h"

enum { EVIDENCE_MAX = 6 }; /* of one advice */
struct evidence {
  const char *title, *unit; /* the unit as in run/metrics; static, or owned by the run or the findings */
  struct value value;
  bool doubted; /* a value that cannot be, or of a counter whose passes were of unlike launches */
};
