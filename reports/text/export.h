/* A run for other tools' eyes. */
#pragma once

#include "base/text.h"
#include "run/run.h"

#include <stddef.h>

/* The timed launches as a Chrome trace (JSON; chrome://tracing and Perfetto read it): a track a variant and shape.  A run keeps durations alone,
 * so each track has its launches one after another from 0, and the trace says so.  Returns their number. */
size_t export_trace(const struct run *r, struct text *out);
/* Every counter as CSV, a row each: variant, shape, metric, unit, value, source, reason. */
void export_metrics(const struct run *r, struct text *out);
