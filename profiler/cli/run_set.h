/* Runs that were loaded and analysed together. */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"
#include "run/device.h"
#include "run/run.h"

#include <stddef.h>

struct run_set {
  struct run *runs;
  struct device *devices;
  struct findings *findings; /* borrow the two above */
  size_t n;
};
/* Room for n runs, none loaded. */
void run_set_init(struct run_set *s, size_t n);
/* Loads one more, each against its own card's ceilings; after a failure the set is as it was. */
int run_set_add(struct run_set *s, const char *path, struct err *e);
void run_set_release(struct run_set *s); /* leaves *s all zero */
