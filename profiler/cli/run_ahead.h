/* Run files loaded one after another, a few ahead of who asks for them: reading JSON takes most of the time of whoever looks at a thousand of them. */
#pragma once

#include "base/err.h"
#include "run/run.h"

#include <stddef.h>

struct run_ahead;
/* load: run_load or run_load_outline.  The paths must outlive it.  NULL: no memory. */
typedef int run_ahead_load(struct run *r, const char *path, struct err *e);
struct run_ahead *run_ahead_start(run_ahead_load *load, char *const *paths, size_t n);
/* The next run, in the order of the paths, and load's code and error; the caller releases it.  No more calls than there are paths. */
int run_ahead_next(struct run_ahead *a, struct run *out, struct err *e);
void run_ahead_end(struct run_ahead *a); /* whether or not all were asked for */
