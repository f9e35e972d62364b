/* Rows of a table that are alike, written once: a head of keys, a row of cells for each thing, and
 * patterns in which {KEY} stands for the thing's cell. */
#pragma once

#include "base/err.h"

#include <stddef.h>

struct metric_each { /* initialise with {0} */
  char **cells;      /* the keys, then each thing's cells */
  size_t n_cells, n_keys;
};

size_t metric_each_things(const struct metric_each *x);
/* Forgets what was there and takes the keys: "pipe TAB title". */
int metric_each_keys(struct metric_each *x, const char *line, struct err *e);
/* One more thing: "alu TAB ALU".  ERR_DATA where it has other than a cell a key. */
int metric_each_add(struct metric_each *x, const char *line, struct err *e);
/* The pattern of a thing; *out is the caller's.  ERR_DATA where a brace is open or holds no key. */
int metric_each_fill(const struct metric_each *x, size_t thing, const char *pattern, char **out, struct err *e);
void metric_each_release(struct metric_each *x);
