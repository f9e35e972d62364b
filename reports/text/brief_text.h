/* Diagnoses in 4 KB at most, for a script or an agent to act on.  Nothing is computed here. */
#pragma once

#include "base/text.h"
#include "reports/text/diagnose.h"

#include <stddef.h>

enum { BRIEF_BYTES = 4096 };

/* In the order given, as many as find room; how many did not is said. */
void report_brief_term(const struct report_diagnosis *d, size_t n, struct text *out);
/* The same as one JSON document, schema "nvfp4-prof/brief/1": an object per kernel and shape. */
void report_brief_json(const struct report_diagnosis *d, size_t n, struct text *out);
