/* CUPTI's SASS metrics: exact counts of each instruction, by patching the kernels. */
#pragma once

#include "profiler/cuda/library.h"
#include "run/run.h"

#include <stddef.h>
#include <stdint.h>

enum { SASS_METRICS = 6 };

/* What is counted, by CUPTI's names, and where it goes.  A chip may lack some, but not the first. */
struct sass_metric {
  const char *name;
  size_t at; /* a double of struct run_count */
};
extern const struct sass_metric sass_metrics[SASS_METRICS];

struct sass_counting {
  const struct cupti *cupti;
  CUcontext context;
  int device;
  bool configured;
  uint64_t ids[SASS_METRICS];   /* 0: this chip lacks it */
  CUpti_SassMetrics_Data *data; /* one a patched instruction, each with its instances */
  CUpti_SassMetrics_InstanceValue *values;
  size_t records, instances;
};

/* Once in a process: a second configuration failed on an H200, out of memory.  ERR_MACHINE where the
 * library is too old.  The caller closes, also after failure. */
int sass_counting_open(struct sass_counting *out, const struct cupti *c, CUcontext context, int device, struct err *e);
void sass_counting_close(struct sass_counting *s);
/* From here on each kernel is patched at its first launch, until counting is off. */
int sass_counting_on(struct sass_counting *s, struct err *e);
int sass_counting_off(struct sass_counting *s, struct err *e);
/* Reads into data and records what was counted since it was on. */
int sass_counting_read(struct sass_counting *s, struct err *e);

/* Whether this process may patch: configures, and lets go. */
int sass_available(const struct cupti *c, CUcontext context, int device, struct err *e);
