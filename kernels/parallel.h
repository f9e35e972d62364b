/* A loop over [0, n) cut into one contiguous range a thread.  Private to the room. */
#pragma once

#include <stddef.h>

/* Works on [begin, end).  Ranges run at the same time, so what they share needs a lock. */
typedef void parallel_fn(void *context, size_t begin, size_t end);

/* threads: 0 or less for one a core that this process may use; no range is shorter than `grain` unless n is.  Returns when all is done.
 * It cannot fail: the caller's thread works through any range for which no thread could be started. */
void parallel_run(int threads, size_t n, size_t grain, parallel_fn *work, void *context);
