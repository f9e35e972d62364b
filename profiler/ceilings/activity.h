/* CUPTI's record of the last kernel, for one launch at a time.  Private to the folder.  The time phase (collect/time.c) takes whole rounds of launches,
 * with what CUPTI saw of each. */
#ifndef PROFILER_CEILINGS_ACTIVITY_H
#define PROFILER_CEILINGS_ACTIVITY_H

#include "profiler/gpu/library.h"

/* Once a process; the library must outlive it. */
int activity_open(const struct cupti *c, struct err *e);
/* The time of the kernel that ended last since the last call; 0: none did. */
int activity_take(double *time_s, struct err *e);

#endif
