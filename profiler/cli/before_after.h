/* Two runs of the same file, one before an edit and one after it. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "run/run.h"

#include <stdbool.h>

/* What the step between two measured runs is, for each variant that both have: table and sentence, or JSON ("steps": as explain --json). */
int before_after_measured(const struct run *before, const struct run *after, const char *device, bool json,
                          struct text *out, struct err *e);
