/* What there is to run, and on what: the tables of `list`.  Nothing is computed here; the caller frees a table. */
#pragma once

#include "base/err.h"
#include "base/shape.h"
#include "base/table.h"
#include "base/text.h"
#include "kernels/rung.h"
#include "run/device.h"
#include "run/metric_table.h"

#include <stdbool.h>
#include <stddef.h>

struct list_shape {
  const char *set;
  struct shape shape;
  double minimal_bytes, flops;
};

struct table *list_variants(const struct rung *const *rungs, size_t n);
struct table *list_ladders(const struct rung *const *rungs, size_t n); /* the rungs of a ladder lie together */
struct table *list_shapes(const struct list_shape *shapes, size_t n);
void list_device(struct table *t, const struct device *d); /* one more row */
struct table *list_devices(void);                          /* the columns */
struct table *list_metrics(const struct metric_table *metrics);
/* Every ladder rung by rung, as kernels/README.md has it. */
void list_ladders_markdown(const struct rung *const *rungs, size_t n, struct text *out);
