/* CUPTI's stall reasons, by which it counts PC samples, under the names of run/metrics/80-stalls.txt. */
#pragma once

#include "profiler/cuda/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stall_reason { /* one of CUPTI's stall reasons */
  uint32_t index;
  bool not_issued;
  long base; /* the first reason of its name; -1: no stall reason */
  char *name;
};

struct stall_reasons {
  struct stall_reason *all;
  size_t n;
};

/* While PC sampling is enabled.  The caller releases, also after failure. */
int stall_reasons_ask(struct stall_reasons *out, const struct cupti *c, CUcontext context, struct err *e);
/* NULL: none of that index, or it is the count of all samples or of those that were dropped. */
const struct stall_reason *stall_reasons_find(const struct stall_reasons *r, uint32_t index);
void stall_reasons_release(struct stall_reasons *r);
