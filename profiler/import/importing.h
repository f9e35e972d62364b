/* What the files of this folder share.  Private to it. */
#pragma once

#include "base/name_index.h"
#include "profiler/import/import.h"
#include "profiler/import/ncu.h"
#include "profiler/import/ncu_source.h"
#include "run/metric_table.h"

struct group { /* launches of one kernel in one geometry: a variant */
  struct ncu_launch **launches;
  size_t n;
  char *key; /* name and geometry: the registers may still differ */
  long next; /* the next group of that key; NAME_NEW: none */
};

struct imported {
  struct run *run;
  const struct import_options *options;
  struct ncu_file *files;
  struct ncu_source *sources; /* the views, then the code of each file's reports */
  size_t n_sources;
  char *note;           /* why a report's code is not shown */
  struct group *groups; /* of the same index as run->variants and run->results */
  size_t n_groups;
  struct name_index by_key;  /* the first group of a key */
  struct name_index by_name; /* how many groups are of a kernel's name */
  struct name_index by_id;   /* variants */
  struct name_index by_file; /* run->sources */
  struct metric_table counters, ncu;
};

/* Adds the launch to its group, which may be a new one. */
int group_join(struct imported *im, struct ncu_launch *l, struct err *e);
/* result->metrics and result->flops. */
int metrics_fill(struct imported *im, const struct group *g, struct run_result *result, struct err *e);
/* Modules, samples and counts from the views of the source. */
int sources_attach(struct imported *im, struct err *e);
/* The card that the launches ran on. */
int device_fill(struct imported *im, struct err *e);
/* The metrics that no part of the import looked at. */
void unused_list(const struct imported *im);
/* A metric of the group's first launch that has it, as a number; false where none has. */
bool group_value(const struct group *g, const char *name, double *out, struct ncu_reading *r);
