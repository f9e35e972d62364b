/* What a machine has and lacks.  Nothing is computed here. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum doctor_state { DOCTOR_FOUND, DOCTOR_LIMITED, DOCTOR_MISSING, DOCTOR_STATES };
struct doctor_row { /* all strings are borrowed */
  const char *need;
  enum doctor_state state;
  const char *version, *where, *remedy;
};

void report_doctor_term(const struct doctor_row *rows, size_t n, struct text *out, int width, bool colour);
void report_doctor_json(const struct doctor_row *rows, size_t n, struct text *out);
