/* CUPTI's activity records of kernels: when each began and ended, and what it was launched with. */
#pragma once

#include "profiler/cuda/library.h"
#include "run/run.h"

#include <stdbool.h>

struct activity_record {
  uint64_t start_ns, end_ns;
  const char *name;       /* of the kernel; CUPTI's, for as long as its module is loaded */
  struct run_launch seen; /* kernel: not set */
};

/* From here on every kernel leaves a record.  One user at a time in a process: CUPTI's callbacks carry no context. */
int activity_open(const struct cupti *c, struct err *e);
void activity_close(const struct cupti *c);
/* Has CUPTI hand over what it has, and gives the records in the order in which the kernels began; they hold until the next call.  *n is
 * what came; false in *whole: memory ran out and records were lost. */
int activity_take(const struct cupti *c, const struct activity_record **records, size_t *n, bool *whole, struct err *e);
