/* What the types of a run's fields cannot say.  Private to this room. */
#pragma once

#include "base/err.h"
#include "run/run.h"

/* Every index within its array, every shape one that base/shape.h takes, variant ids unique.  ERR_DATA: "results[3].module: ...". */
int run_verify(const struct run *r, struct err *e);
/* Of one result, what can be told without its run: its shape. */
int run_result_verify(const struct run_result *r, struct err *e);
