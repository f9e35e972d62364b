/* Derived metrics: the formulas of the metric groups (run/metric_table.h), evaluated for every
 * result. */
#pragma once

#include "analysis/metrics/value.h"
#include "run/device.h"
#include "run/metric_table.h"
#include "run/run.h"

#include <stddef.h>

struct derived { /* strings of the formula's row */
  const char *name, *unit, *title;
  struct value value;
};

struct formulas {
  struct metric_table table;
  const struct metric_formula *items; /* of the table */
  size_t n;
};

/* The formulas of one group's text.  ERR_DATA names the group and line: a row that does not parse,
 * a name used twice or taken by a fact, a name in a formula that is no counter of the table, no
 * fact and no formula above.  The caller releases *out, also after failure. */
int formulas_parse(struct formulas *out, const char *file, const char *text, struct err *e);
/* Those of all embedded groups. */
int formulas_load(struct formulas *out, struct err *e);
void formulas_release(struct formulas *f);

/* What formulas know of a result besides its counters and each other; the same facts in the same
 * order for every result. */
enum fact {
  FACT_TIME_S,
  FACT_BYTES_MINIMAL,
  FACT_BYTES_CONTEST,
  FACT_FLOPS,
  FACT_M,
  FACT_K,
  FACT_L,
  FACT_ELEMENTS,
  FACT_SMS,
  FACT_CLOCK_MAX_HZ,
  FACT_WARPS_PER_SM,
  FACT_REGISTERS,
  FACT_BLOCKS,
  FACT_THREADS,
  FACT_BLOCKS_PER_SM,
  FACTS
};
const char *fact_name(enum fact f);
/* time_s: the measured time, or why there is none. */
void facts_of(struct value facts[FACTS], const struct run_result *r, const struct device *d, struct value time_s);

/* A rung may launch several kernels: the one with the most threads stands for it.  NULL: none was
 * observed. */
const struct run_launch *launch_main(const struct run_result *r);
double launch_blocks(const struct run_launch *l);        /* of the grid */
double launch_block_threads(const struct run_launch *l); /* of a block; 0 of NULL */

/* Evaluates every formula into out[f->n].  A metric is absent where an input is, with the input's
 * reason, and where the arithmetic fails (division by zero). */
void formulas_eval(const struct formulas *f, const struct run_result *r, const struct value facts[FACTS],
                   struct derived *out, struct pool *pool);
/* NULL: none of that name. */
const struct derived *derived_find(const struct derived *items, size_t n, const char *name);
