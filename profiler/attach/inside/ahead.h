/* What can be done for the counters before they are wanted, by a thread of this library's. */
#pragma once

#include "profiler/attach/inside/inject.h"
#include "profiler/cuda/range_profiler.h"

/* There is a GPU of that architecture (90); the first is taken. */
void ahead_begin(int sm);
/* Waits for it where it has begun; its chip is NULL where nothing was made. */
struct counter_plan *ahead_plan(void);
void ahead_end(void);
