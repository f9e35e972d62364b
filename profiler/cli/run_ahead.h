/* Run files loaded one after another, a few ahead of who asks for them: reading JSON takes most of the time of whoever looks at a thousand of them. */
#ifndef PROFILER_CLI_RUN_AHEAD_H
#define PROFILER_CLI_RUN_AHEAD_H

#include "base/err.h"
#include "run/run.h"

#include <stddef.h>

struct run_ahead;
/* The paths must outlive it.  NULL: no memory. */
struct run_ahead *run_ahead_start(char *const *paths, size_t n);
/* The next run's outline, in the order of the paths, and run_load_outline's code and error; the caller releases it.  No more calls than there are paths. */
int run_ahead_next(struct run_ahead *a, struct run *out, struct err *e);
void run_ahead_end(struct run_ahead *a); /* whether or not all were asked for */

#endif
