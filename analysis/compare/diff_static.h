/* Comparing what needs no GPU: registers, spills, memory, instructions of the compiled kernels.  Pure.
 *
 * The quantities are one table: a new one is a row of it (analysis/compare/diff_static.c), and every report of the comparison shows it.
 */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

enum static_gate {
  STATIC_SHOWN,   /* told, never a regression */
  STATIC_LIMITED, /* a rise beyond fail_over is a regression */
  STATIC_NEVER    /* any rise is a regression */
};
struct static_quantity {
  const char *key, *title, *unit; /* unit "" where it is a number of things */
  enum static_gate gate;
  struct value (*of)(const struct run *r,
                     const struct run_result *x); /* of a result that was compiled; NULL: the largest of its kernels' */
  double (*of_kernel)(const struct run_kernel *k); /* below 0: not known */
  const char *reason;                              /* where it is known of no kernel */
};
enum { STATIC_QUANTITIES_MAX = 16 };
const struct static_quantity *static_quantities(size_t *n);

enum static_verdict {
  STATIC_SAME,    /* every quantity that both have */
  STATIC_CHANGED, /* and none is a regression */
  STATIC_WORSE,
  STATIC_BROKEN, /* was compiled, and no longer compiles */
  STATIC_MENDED,
  STATIC_REMOVED,
  STATIC_ADDED,
  STATIC_ABSENT, /* compiled on neither side, or skipped on one; reason says why */
  STATIC_VERDICTS
};
const char *static_verdict_name(enum static_verdict v);

struct static_change {
  struct value before, after;
  bool changed, regression;
};
struct static_pair { /* a variant at a shape; further shapes whose modules are the same count here */
  const char *id_a, *id_b, *renamed;
  struct shape shape;
  size_t shapes;
  const struct run_result *a, *b;
  struct static_change changes[STATIC_QUANTITIES_MAX]; /* one a quantity */
  enum static_verdict verdict;
  const char *reason;
  bool same_code;      /* the modules are the same, instruction by instruction */
  bool size_stands_in; /* SASS is lacking on a side, and the cubin's size is judged in its place */
};
struct static_diff {
  struct static_pair *pairs; /* the selected ones */
  size_t n;
  size_t counts[STATIC_VERDICTS];
  size_t regressions;
  const char *arch_a, *arch_b; /* what the modules were compiled for; NULL: none was, or several */
  double fail_over;
};
struct static_options {
  double fail_over;
  bool (*selects)(const void *context, const struct run_variant *v, struct shape s); /* NULL: every one */
  const void *context;
};

/* The runs must outlive *out; the caller releases it, also after failure.  ERR_DATA where the two were compiled for other chips: their
 * instructions are not comparable. */
int static_diff_make(struct static_diff *out, const struct run *a, const struct run *b, const struct static_options *o,
                     struct err *e);
bool static_diff_compared(const struct static_diff *d); /* a kernel was compiled in both */
void static_diff_release(struct static_diff *d);        /* leaves *d all zero */
