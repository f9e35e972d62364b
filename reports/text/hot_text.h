/* Where the warps of a diagnosed kernel wait: source lines, instructions and what these wait for.  Private to the reports.  Nothing is computed here. */
#pragma once

#include "base/text.h"
#include "reports/text/diagnose.h"

/* o->all: every line, and the SASS. */
void report_hot(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out);
